"""Every real agent over every provider's wire: the model calls its tool, the tool runs, the model has its result."""

from collections.abc import Callable

import pytest
from tests.agents.agent import Agent
from tests.agents.claude_code import ClaudeCode
from tests.agents.codex import Codex
from tests.agents.gemini_cli import GeminiCli
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing
from tests.fakes.translating import WIRES

AGENTS = [ClaudeCode(), Codex(), GeminiCli()]
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]
each_provider = pytest.mark.parametrize("provider", WIRES)
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)


@each_provider
@each_agent
def test_a_tool_loop_is_completed(
    errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "one call", provider])
    place = errands.place(provider)
    errand, ran = errands.send(agent, provider, place, [[agent.reads(place, place.notes)]])
    assert not errands.refusals(), errands.refusals()[0]
    service = errands.services[provider]
    told = service.told(service.played[-1])
    assert [place.word in str(result) for result in told.results.values()] == [True]
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors
    assert len(service.played) == 2
    assert not errands.unexpected_warnings(agent)
    if provider == agent.wire:
        errands.check_relayed(provider)
