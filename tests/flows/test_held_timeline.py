"""When a held client hears what: headers at once, then the keep-alive of its wire at every beat, seen on a real socket.

Both gates, every wire, plain and streamed. The provider speaks OpenAI Chat to all of them.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.fakes.asking import asking
from tests.fakes.held_client import HeldClient
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider
from tests.fakes.translating import WIRES

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, ExchangeStarted, InvocationChanged
from callgate.proxy import answer
from callgate.runtime.runtime import Launch

BEAT = 0.4
BEATS = 4
AT_ONCE = 0.5
"""Seconds: far less than any patience, enough for a busy machine."""
GATES = ("calls", "results")
CALLED = chat_stream(*call_deltas(0, "call_1", "get_weather", '{"city":"Paris"}'), finish="tool_calls")
SAID = chat_stream({"content": "It is mild."})
FIRST = {
    "openai-chat": b'"delta":{"role":"assistant"',
    "openai-responses": b"event: response.created\n",
    "anthropic": b"event: message_start\n",
    "gemini": b"\n",
}
"""The first bytes of a held stream."""
KEPT_ALIVE = {
    "openai-chat": b'"delta":{}',
    "openai-responses": b"event: response.in_progress\n",
    "anthropic": b"event: ping\n",
    "gemini": b"\n",
}


@contextmanager
def held(tmp_path: Path, gate: str, *replies: Reply) -> Iterator[tuple[RunningStation, ScriptedProvider]]:
    rules = '[[rules]]\nverdict = "allow"\nreview = true\n' if gate == "results" else ""
    with provider(*(replies or (Reply(CALLED if gate == "calls" else SAID),))) as up:
        config = tmp_path / "callgate.toml"
        config.write_text(
            f'{rules}[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n', "utf-8"
        )
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            yield runtime, up


def asked_about(runtime: RunningStation, gate: str) -> tuple[float, Invocation]:
    """When the person was asked, and about what."""
    state = "WaitingForConfirmation" if gate == "calls" else "WaitingForPostApproval"

    def found(events: list[Event]) -> tuple[float, Invocation] | None:
        changed = [e for e in events if isinstance(e, InvocationChanged) and e.invocation.state == state]
        return (changed[0].at, changed[0].invocation) if changed else None

    return runtime.wait_for(found)


APPROVE = {"calls": Decision("approve"), "results": Decision("accept")}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", BEAT)


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("wire", WIRES)
def test_headers_come_at_once_and_then_the_keep_alive_of_the_wire_at_every_beat(
    tmp_path: Path, wire: str, stream: bool, gate: str
) -> None:
    with held(tmp_path, gate) as (runtime, up):
        client = HeldClient(runtime.address, asking(wire, stream=stream, result=gate == "results"))
        asked_at, invocation = asked_about(runtime, gate)
        heard = client.until(BEATS + 1)
        assert client.status == 200 and client.headers_at - asked_at < AT_ONCE
        first, *beats = heard[: BEATS + 1]
        assert first[0] - asked_at < AT_ONCE, "the first sign of life comes with the headers"
        if stream:
            assert FIRST[wire] in first[1] and first[1].count(KEPT_ALIVE[wire]) <= 1
        else:
            assert first[1] == b" "
        for (before, _), (at, data) in zip(heard, beats, strict=False):
            assert data.count(KEPT_ALIVE[wire]) == 1 and not data.startswith(b":") if stream else data == b" "
            assert 0.6 * BEAT < at - before < BEAT + AT_ONCE, "not silent for longer than a beat, and no chatter"
        assert len(up.asked) == (1 if gate == "calls" else 0)
        assert runtime.decide(invocation, APPROVE[gate])
        body = client.whole()
        assert (b"call_1" if gate == "calls" else b"It is mild.") in body
        assert b": keep-alive" not in body
        assert stream or json.loads(body)


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
def test_while_the_provider_thinks_its_status_is_waited_for(tmp_path: Path, stream: bool) -> None:
    slow = Reply(b'{"error":{"message":"Slow down","type":"rate_limit_error"}}', 429, "application/json")
    with held(tmp_path, "calls", slow) as (runtime, _):
        client = HeldClient(runtime.address, asking("openai-chat", stream=stream))
        assert b"Slow down" in client.whole() and client.status == 429


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_client_that_hangs_up_after_its_headers_and_asks_again_joins_the_pending_decision(
    tmp_path: Path, wire: str, stream: bool, gate: str
) -> None:
    hint = {"x-stainless-read-timeout": "0.5"}
    with held(tmp_path, gate) as (runtime, up):
        question = asking(wire, stream=stream, result=gate == "results")
        first = HeldClient(runtime.address, question, hint)
        asked_at, invocation = asked_about(runtime, gate)
        first.stay_until(asked_at + 0.5)
        first.hang_up()
        again = HeldClient(runtime.address, question, {**hint, "x-stainless-retry-count": "1"})
        again.until(2)
        assert again.status == 200
        assert runtime.decide(invocation, APPROVE[gate])
        assert (b"call_1" if gate == "calls" else b"It is mild.") in again.whole()
        assert len(up.asked) == 1, "the provider was asked twice"
        assert len([event for event in runtime.events if isinstance(event, ExchangeStarted)]) == 1


def test_a_client_that_bears_less_silence_hears_something_more_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", 5.0)
    with held(tmp_path, "calls") as (runtime, _):
        client = HeldClient(runtime.address, asking("openai-chat", stream=False), {"x-stainless-read-timeout": "1"})
        _, invocation = asked_about(runtime, "calls")
        (first, _), (second, _), *_ = client.until(3)
        assert second - first < 1.0
        assert runtime.decide(invocation, Decision("approve"))
        assert b"call_1" in client.whole()


@pytest.mark.parametrize("gate", GATES)
def test_the_countdown_of_an_agent_that_leaves_by_itself_is_kept_at_both_gates(tmp_path: Path, gate: str) -> None:
    with held(tmp_path, gate) as (runtime, _):
        question = asking("anthropic", stream=True, result=gate == "results")
        client = HeldClient(runtime.address, question, {"user-agent": "claude-cli/2.1"})
        asked_at, invocation = asked_about(runtime, gate)
        assert invocation.client_until is not None and 590 < invocation.client_until - asked_at <= 600
        assert runtime.decide(invocation, APPROVE[gate])
        client.whole()
