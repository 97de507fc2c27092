"""Clients that wait, give up, come back or can't be asked again."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import openai
import pytest
from tests.fakes.asking import Asking
from tests.fakes.held_client import HeldClient
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import ExchangeEnded, ExchangeStarted
from callgate.proxy import answer
from callgate.runtime.runtime import Launch

ONE_CALL = chat_stream(*call_deltas(0, "call_1", "get_weather", '{"city":"Paris"}'), finish="tool_calls")
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
BODY = {"model": "gpt-x", "messages": [{"role": "user", "content": "Weather?"}], "tools": [TOOL]}

HINT = {"x-stainless-read-timeout": "0.3", "authorization": "Bearer k", "user-agent": "tester/1"}


def launch(tmp_path: Path, up: ScriptedProvider, more: str = "") -> Launch:
    config = tmp_path / "callgate.toml"
    config.write_text(
        f'{more}\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["gpt-*"]\n',
        "utf-8",
    )
    return Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


def until(condition: Callable[[], bool]) -> None:
    """Polls something that no event tells of; bounded."""
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)


def post(runtime: RunningStation, headers: dict[str, str], stream: bool, timeout: float) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=timeout) as client:
        return client.post(f"{runtime.address}/v1/chat/completions", json={**BODY, "stream": stream}, headers=headers)


def give_up(runtime: RunningStation, stream: bool, headers: dict[str, str] = HINT) -> Invocation:
    """A client that leaves when its own time is over, although it is kept alive; what it was held for."""
    client = HeldClient(runtime.address, Asking("/v1/chat/completions", {**BODY, "stream": stream}), headers)
    waiting = runtime.wait_for_state("WaitingForConfirmation")
    client.stay_until(waiting.phases[-1].since + float(headers["x-stainless-read-timeout"]))
    client.hang_up()
    until(lambda: runtime.do(runtime.runtime.exchanges.readers) == 0)
    return waiting


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_gives_up_and_retries_joins_the_pending_decision(tmp_path: Path, stream: bool) -> None:
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        waiting = give_up(runtime, stream)
        answered: list[httpx.Response] = []
        retry = threading.Thread(target=lambda: answered.append(post(runtime, HINT, stream, timeout=10)))
        retry.start()
        until(lambda: runtime.do(runtime.runtime.exchanges.readers) == 1)
        assert runtime.decide(waiting, Decision("approve"))
        retry.join(10)
        assert "call_1" in answered[0].text
        assert len(up.asked) == 1, "the provider was asked twice"
        assert len([event for event in runtime.events if isinstance(event, ExchangeStarted)]) == 1


def test_a_client_that_leaves_at_once_is_not_waited_for(tmp_path: Path) -> None:
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        with pytest.raises(httpx.ReadTimeout):
            post(runtime, {}, True, timeout=0.3)
        assert runtime.wait_for_state("Cancelled").decided_by == "client"


@pytest.mark.parametrize("stream", [True, False])
def test_a_held_client_is_kept_alive(tmp_path: Path, stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(answer, "COMMIT_SECONDS", 0.2)
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        received: list[bytes] = []
        with (
            httpx.Client(trust_env=False, timeout=10) as client,
            client.stream(
                "POST", f"{runtime.address}/v1/chat/completions", json={**BODY, "stream": stream}
            ) as response,
        ):
            waiting = runtime.wait_for_state("WaitingForConfirmation")
            for chunk in response.iter_raw():
                received.append(chunk)
                beats = sum(b'"delta":{}' in c for c in received) if stream else sum(c == b" " for c in received)
                if beats == 2:
                    runtime.decide(waiting, Decision("approve"))
        whole = b"".join(received)
        assert b"call_1" in whole
        assert whole.startswith(b"data:") if stream else whole.startswith(b"  ")


def test_where_the_model_cannot_be_asked_again_the_answer_says_what_became_of_the_call(tmp_path: Path) -> None:
    rules = '[[rules]]\nverdict = "deny"\nnote = "not today"\n'
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up, rules)) as runtime:
        with openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
            chunks = list(sdk.chat.completions.create(**BODY, n=2, stream=True))
        choices = [choice for chunk in chunks for choice in chunk.choices]
        text = "".join(choice.delta.content or "" for choice in choices)
        assert "not today" in text and "not run" in text
        assert not any(choice.delta.tool_calls for choice in choices)
        assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"]
        assert len(up.asked) == 1


def test_the_limit_of_a_known_client_is_kept_for_the_countdown(tmp_path: Path) -> None:
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        asking = threading.Thread(target=lambda: post(runtime, {"user-agent": "claude-cli/2.1"}, True, timeout=10))
        asking.start()
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        assert waiting.client_until is not None and 590 < waiting.client_until - time.time() <= 600
        runtime.decide(waiting, Decision("deny"))
        runtime.wait_for_state("Completed")
        runtime.do(lambda: runtime.runtime.exchanges.stop_all("person", "enough"))
        asking.join(10)


def test_a_client_that_comes_back_has_all_its_patience_again(tmp_path: Path) -> None:
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        agent = {**HINT, "user-agent": "claude-cli/2.1"}
        waiting = give_up(runtime, True, agent)
        again = threading.Thread(target=lambda: post(runtime, agent, True, timeout=10))
        again.start()
        until(lambda: runtime.do(runtime.runtime.exchanges.readers) == 1)
        [renewed] = runtime.do(runtime.runtime.console.waiting)
        assert renewed.id == waiting.id and renewed.state == waiting.state
        assert waiting.client_until is not None and renewed.client_until is not None
        assert renewed.client_until >= waiting.client_until + 0.3
        assert runtime.decide(renewed, Decision("deny"))
        until(lambda: len(up.asked) == 2)
        runtime.do(lambda: runtime.runtime.exchanges.stop_all("person", "enough"))
        again.join(10)


def test_the_same_question_asked_twice_at_once_is_two_questions(tmp_path: Path) -> None:
    """One approval must not let two clients run the call."""
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        answered: list[httpx.Response] = []
        asking = [threading.Thread(target=lambda: answered.append(post(runtime, HINT, True, 10))) for _ in range(2)]
        asking[0].start()
        until(lambda: len(runtime.do(runtime.runtime.console.waiting)) == 1)
        asking[1].start()
        until(lambda: len(runtime.do(runtime.runtime.console.waiting)) == 2)
        first, second = runtime.do(runtime.runtime.console.waiting)
        assert runtime.decide(first, Decision("approve"))
        asking[0].join(10)
        assert len(answered) == 1 and "call_1" in answered[0].text
        assert runtime.decide(second, Decision("approve"))
        asking[1].join(10)
        assert len(answered) == len(up.asked) == 2


def test_a_decision_that_is_made_while_the_client_is_away_is_not_lost(tmp_path: Path) -> None:
    with provider(Reply(ONE_CALL)) as up, running(launch(tmp_path, up)) as runtime:
        waiting = give_up(runtime, True)
        assert runtime.decide(waiting, Decision("approve"))
        runtime.wait_for(lambda events: next((e for e in events if isinstance(e, ExchangeEnded)), None))
        assert "call_1" in post(runtime, HINT, True, timeout=5).text
        assert len(up.asked) == 1, "the provider was asked twice"
        again = threading.Thread(target=lambda: post(runtime, HINT, True, timeout=10))
        again.start()
        until(lambda: len(up.asked) == 2)
        runtime.do(lambda: runtime.runtime.exchanges.stop_all("person", "enough"))
        again.join(10)
