"""Things that happen at the same moment, or at a bad one."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import orjson
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision
from callgate.core.events import ExchangeEnded, WireCaptured
from callgate.runtime.runtime import Launch

TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
BODY = {"model": "gpt-x", "messages": [{"role": "user", "content": "Weather?"}], "tools": [TOOL]}
CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}


def launch(tmp_path: Path, up: ScriptedProvider, more: str = "") -> Launch:
    config = tmp_path / "callgate.toml"
    config.write_text(
        f'{more}\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["gpt-*"]\n',
        "utf-8",
    )
    return Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


def plain(content: str | None, *calls: str) -> Reply:
    """A whole Chat answer."""
    message: dict[str, object] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [{**CALL, "id": call} for call in calls]
    finish = "tool_calls" if calls else "stop"
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-x",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return Reply(orjson.dumps(whole), content_type="application/json")


def until(condition: Callable[[], bool]) -> None:
    """Polls something that no event tells of; bounded."""
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)


def waiting_call(runtime: RunningStation, call_id: str) -> None:
    until(lambda: any(i.call_id == call_id for i in runtime.do(runtime.runtime.console.waiting)))


def decide(runtime: RunningStation, call_id: str, decision: Decision) -> None:
    [invocation] = [i for i in runtime.do(runtime.runtime.console.waiting) if i.call_id == call_id]
    assert runtime.decide(invocation, decision)


def test_a_plain_answer_that_is_held_for_long_loses_nothing_of_what_came_before(tmp_path: Path) -> None:
    replies = (plain("First.", "call_1"), plain(None, "call_2"), plain("Done."))
    with provider(*replies) as up, running(launch(tmp_path, up)) as runtime:
        with (
            httpx.Client(trust_env=False, timeout=10) as client,
            client.stream("POST", f"{runtime.address}/v1/chat/completions", json=BODY) as response,
        ):
            # the headers are here: the status is committed and everything is still held
            for call in ("call_1", "call_2"):
                waiting_call(runtime, call)
                decide(runtime, call, Decision("deny"))
            response.read()
        whole = response.json()
        assert whole["choices"][0]["message"]["content"] == "First.\n\nDone."
        assert whole["id"] == "chatcmpl-1" and whole["model"] == "gpt-x"


def test_a_rule_for_one_use_lets_one_of_two_parallel_calls_through(tmp_path: Path) -> None:
    two = chat_stream(
        *call_deltas(0, "call_1", "get_weather", "{}"),
        *call_deltas(1, "call_2", "get_weather", "{}"),
        finish="tool_calls",
    )
    rules = '[[rules]]\nverdict = "allow"\ntool = "get_weather"\nuses = 1\n'
    with provider(Reply(two)) as up, running(launch(tmp_path, up, rules)) as runtime:
        answered: list[str] = []

        def ask() -> None:
            with httpx.Client(trust_env=False, timeout=10) as client:
                answered.append(
                    client.post(f"{runtime.address}/v1/chat/completions", json={**BODY, "stream": True}).text
                )

        asking = threading.Thread(target=ask)
        asking.start()
        waiting_call(runtime, "call_2")
        decide(runtime, "call_2", Decision("deny"))
        asking.join(10)
        assert "call_1" in answered[0] and "call_2" not in answered[0]


def test_a_client_that_leaves_while_its_result_is_reviewed_leaves_no_question_behind(tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "21 C"},
    ]
    rules = '[[rules]]\nverdict = "allow"\nreview = true\n'
    with provider(plain("Mild.")) as up, running(launch(tmp_path, up, rules)) as runtime:
        with httpx.Client(trust_env=False, timeout=0.5) as client, pytest.raises(httpx.ReadTimeout):
            client.post(f"{runtime.address}/v1/chat/completions", json={**BODY, "messages": history})
        assert runtime.wait_for_state("Cancelled").decided_by == "client"
        assert not runtime.do(runtime.runtime.console.waiting)
        assert not up.asked


def test_an_exchange_that_is_stopped_before_its_first_step_still_ends(tmp_path: Path) -> None:
    with provider(plain("Hi.")) as up, running(launch(tmp_path, up)) as runtime:
        exchanges = runtime.runtime.exchanges
        started = exchanges.start

        def start_and_stop(*given: object) -> object:
            exchange = started(*given)  # type: ignore[arg-type]
            exchanges.stop_all("person", "stopped by the person")
            return exchange

        exchanges.start = start_and_stop  # type: ignore[method-assign, assignment]
        with httpx.Client(trust_env=False, timeout=5) as client:
            response = client.post(f"{runtime.address}/v1/chat/completions", json=BODY)
        assert "stopped by the person" in response.text
        assert response.status_code == 403, "the client would try again"
        ended = runtime.wait_for(lambda events: next((e for e in events if isinstance(e, ExchangeEnded)), None))
        assert ended.outcome == "cancelled"


def test_arguments_nested_beyond_reason_harm_nothing(tmp_path: Path) -> None:
    deep = '{"a":' * 300 + "1" + "}" * 300
    called = chat_stream(*call_deltas(0, "call_1", "get_weather", deep), finish="tool_calls")
    rules = '[[rules]]\nverdict = "allow"\n'
    with provider(Reply(called)) as up, running(launch(tmp_path, up, rules)) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            response = client.post(f"{runtime.address}/v1/chat/completions", json={**BODY, "stream": True})
        assert response.text.endswith("data: [DONE]\n\n")
        ended = runtime.wait_for(lambda events: next((e for e in events if isinstance(e, ExchangeEnded)), None))
        assert ended.outcome == "completed"


def test_nobody_who_listens_is_told_a_key(tmp_path: Path) -> None:
    with provider(plain("Hi.")) as up, running(launch(tmp_path, up)) as runtime:
        headers = {"authorization": "Bearer very-secret-key", "cookie": "very-secret-cookie"}
        with httpx.Client(trust_env=False, timeout=5) as client:
            client.post(f"{runtime.address}/v1/chat/completions", json=BODY, headers=headers)
            client.post(f"{runtime.address}/v1/chat/completions?key=very-secret-query", json=BODY)
        heads = [event.head for event in runtime.events if isinstance(event, WireCaptured) and event.head]
        assert heads and "very-secret" not in str(heads)
        sent = [asked.headers["authorization"] for asked in up.asked]
        assert sent == ["Bearer very-secret-key", "Bearer very-secret-query"]


def test_a_model_that_was_made_to_call_a_tool_is_free_once_it_has(tmp_path: Path) -> None:
    with provider(plain(None, "call_1"), plain("Fine.")) as up:
        with running(launch(tmp_path, up, '[[rules]]\nverdict = "deny"\n')) as runtime:
            with httpx.Client(trust_env=False, timeout=5) as client:
                body = {**BODY, "tool_choice": "required"}
                response = client.post(f"{runtime.address}/v1/chat/completions", json=body)
        assert response.json()["choices"][0]["message"]["content"] == "Fine."
        assert up.asked[0].body["tool_choice"] == "required"
        assert up.asked[1].body.get("tool_choice", "auto") == "auto"
