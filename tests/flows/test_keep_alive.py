"""What a client gets while a person thinks: exactly what clients of its wire were measured to bear, from the start.

Comments and white space do not reset the timers of Codex, Qwen Code and asynchronous LangChain, and a comment breaks
google-genai; so a held stream is begun in the wire's own way before it is kept alive in the wire's own way.
"""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import orjson
import pytest
from tests.fakes.providers import scene
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, provider
from tests.fakes.sdks.heard import Heard
from tests.fakes.translating import ALL_WIRES, Stage, stage

from callgate.core.calls.invocation import Decision
from callgate.core.events import Event, ExchangeStarted, InvocationChanged, WireCaptured
from callgate.engine.exchange import early_start
from callgate.proxy import answer
from callgate.runtime.runtime import Launch

BEATS = 3
OPENINGS = {
    "openai-chat": b'"delta":{"role":"assistant"',
    "openai-responses": b"event: response.created",
    "anthropic": b"event: message_start",
    "gemini": b"\n",
    "ollama": b'"content":""',
}
KEPT_ALIVE = {
    "openai-chat": b'"delta":{}',
    "openai-responses": b"event: response.in_progress",
    "anthropic": b"event: ping",
    "gemini": b"\n",
    "ollama": b'"content":""',
}
WITHOUT_BEGINNING = ("gemini", "ollama")
"""What keeps their clients waiting needs no beginning."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(early_start, "BEGIN_SECONDS", 0.1)


@pytest.fixture
def reviewed(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path, '[[rules]]\nverdict = "allow"\nreview = true\n') as services, services.open() as opened:
        yield opened
        assert not opened.refusals(), opened.refusals()[0]


def sent(events: list[Event], exchange_id: str) -> list[bytes]:
    """What the client of an exchange has got, write by write."""
    captured = (e for e in events if isinstance(e, WireCaptured) and e.exchange_id == exchange_id)
    return [e.data for e in captured if e.leg == "client_response"]


def held_exchange(runtime: RunningStation, state: str, beat: bytes, count: int = BEATS) -> str:
    """Waits for a held exchange whose client was kept alive some times."""

    def found(events: list[Event]) -> str | None:
        held = [e.invocation for e in events if isinstance(e, InvocationChanged) and e.invocation.state == state]
        for invocation in held:
            if sum(beat in data for data in sent(events, invocation.exchange_id)) >= count:
                return invocation.exchange_id
        return None

    return runtime.wait_for(found)


def accept_all(runtime: RunningStation, number: int) -> None:
    """Lets results through as they are asked about, one after the other."""
    accepted: set[str] = set()
    for _ in range(number):
        waiting = runtime.wait_for(
            lambda events: next(
                (
                    e.invocation
                    for e in events
                    if isinstance(e, InvocationChanged)
                    and e.invocation.state == "WaitingForPostApproval"
                    and e.invocation.id not in accepted
                ),
                None,
            )
        )
        accepted.add(waiting.id)
        assert runtime.decide(waiting, Decision("accept"))


@pytest.mark.parametrize("provider_is", ["same", "other"])
@pytest.mark.parametrize("wire", ALL_WIRES)
def test_a_client_whose_results_are_reviewed_is_kept_alive_in_its_own_way(
    reviewed: Stage, wire: str, provider_is: str
) -> None:
    agent = reviewed.agent(wire, wire if provider_is == "same" else ALL_WIRES[ALL_WIRES.index(wire) - 1], stream=True)
    first = agent.say(scene.ASK)
    heard: list[Heard] = []
    giving = threading.Thread(
        target=lambda: heard.append(agent.give({call.id: scene.WEATHER_RESULT for call in first.calls}))
    )
    giving.start()
    exchange = held_exchange(reviewed.runtime, "WaitingForPostApproval", KEPT_ALIVE[wire])
    began = sent(reviewed.runtime.events, exchange)
    assert OPENINGS[wire] in began[0]
    assert not any(data.startswith(b":") for data in began), began
    accept_all(reviewed.runtime, len(first.calls))
    giving.join(10)
    assert heard and (heard[0].text, heard[0].finish) == (scene.FINAL, agent.finishes[1])
    whole = b"".join(sent(reviewed.runtime.events, exchange))
    assert whole.count(OPENINGS[wire]) == 1 or wire in WITHOUT_BEGINNING, "the reply was begun twice"
    assert agent.say(scene.THANKS).text == scene.WELCOME


# ---- a provider that begins its reply together with the first call ---------------------------------------------------

TOOL: Any = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
CHUNK = {"id": "chatcmpl-up1", "object": "chat.completion.chunk", "created": 1763300000, "model": "gpt-x"}
CALL = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}


def at_once() -> bytes:
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": None, "tool_calls": [CALL]}, None),
        ({}, "tool_calls"),
    ]
    chunks = [CHUNK | {"choices": [{"index": 0, "delta": d, "finish_reason": f}]} for d, f in deltas]
    return b"".join(b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


def test_a_reply_that_begins_with_a_call_is_begun_for_the_client_while_the_call_waits(tmp_path: Path) -> None:
    with provider(Reply(at_once())) as up:
        config = tmp_path / "callgate.toml"
        config.write_text(f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            completions: list[Any] = []

            def ask() -> None:
                with (
                    openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk,
                    sdk.chat.completions.stream(
                        model="gpt-x", messages=[{"role": "user", "content": "Weather?"}], tools=[TOOL]
                    ) as events,
                ):
                    completions.append(events.get_final_completion())

            asking = threading.Thread(target=ask)
            asking.start()
            exchange = held_exchange(runtime, "WaitingForConfirmation", KEPT_ALIVE["openai-chat"])
            began = sent(runtime.events, exchange)
            assert b'"role":"assistant"' in began[0] and b"tool_calls" not in b"".join(began)
            assert not any(data.startswith(b":") for data in began), began
            assert runtime.decide(runtime.wait_for_state("WaitingForConfirmation"), Decision("approve"))
            asking.join(10)
            [completion] = completions
            message = completion.choices[0].message
            assert (completion.id, message.role, message.tool_calls[0].id) == ("chatcmpl-up1", "assistant", "call_1")


def test_a_call_that_rules_allow_still_goes_out_in_the_providers_own_bytes(tmp_path: Path) -> None:
    with provider(Reply(at_once())) as up:
        config = tmp_path / "callgate.toml"
        upstream = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n'
        config.write_text(f'[[rules]]\nverdict = "allow"\n{upstream}', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            body = {"model": "gpt-x", "stream": True, "messages": [{"role": "user", "content": "?"}], "tools": [TOOL]}
            got = httpx.post(f"{runtime.address}/v1/chat/completions", json=body, trust_env=False, timeout=10)
            assert got.content == at_once()
            assert runtime.wait_for(lambda events: next((e for e in events if isinstance(e, ExchangeStarted)), None))
