"""Which agents have shown sub-agents: by the headers of their requests, told apart by identity."""

from dataclasses import replace

import pytest
from tests.fakes.console import waiting

from callgate.core.calls.invocation import Invocation
from callgate.core.events import ExchangeStarted
from callgate.engine.bus import Bus
from callgate.engine.gate import sub_agents
from callgate.engine.gate.sub_agents import SubAgents


def call(agent: str, **given: object) -> Invocation:
    return replace(waiting(), agent=agent, **given)  # type: ignore[arg-type]


def started(agent: str, sub_agent: str, *, proven: bool = False) -> ExchangeStarted:
    return ExchangeStarted(
        "e", "c", agent, "anthropic", "m", True, 0, (), (), 1.0, agent_proven=proven, sub_agent=sub_agent
    )


def test_an_agent_is_known_to_have_them_from_its_first_one_on() -> None:
    bus = Bus()
    known = SubAgents(bus)
    own = call("claude-code")
    bus.publish(started("claude-code", ""))
    assert not known.known_of(own)
    bus.publish(started("claude-code", "a1"))
    assert known.known_of(own)
    assert not known.known_of(call("claude-code", sub_agent="a1")), "a child's own call"
    assert not known.known_of(call("claude-code", agent_proven=True)), "a claimed name is no proven one"
    assert not known.known_of(call("codex"))


def test_it_forgets_the_oldest_of_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sub_agents, "MOST_AGENTS", 2)
    bus = Bus()
    known = SubAgents(bus)
    for name in ("a", "b", "c"):
        bus.publish(started(name, "x"))
    assert [known.known_of(call(name)) for name in ("a", "b", "c")] == [False, True, True]
