"""Tools of an MCP server that an agent uses, under whatever names and in whatever groups it offers them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.agents.agent import Agent
from tests.agents.claude_code import ClaudeCode
from tests.agents.codex import Codex
from tests.agents.gemini_cli import GeminiCli
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing
from tests.fakes.npm_packages import npm_command
from tests.fakes.translating import WIRES

AGENTS = [ClaudeCode(), Codex(), GeminiCli()]
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_a_servers_tool_is_called_and_its_result_is_heard(
    errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "MCP server", provider])
    place = errands.place(provider)
    place = replace(place, servers={"files": npm_command("filesystem", str(place.workspace))})
    if agent.name == "codex" and provider == agent.wire:
        pytest.skip("has the provider search for such tools, where it knows the model")
    steps = [[call] for call in agent.asks("files", "read_text_file", {"path": str(place.files[0])})]
    errand, ran = errands.send(agent, provider, place, steps)
    assert not errands.refusals(), errands.refusals()[0]
    service = errands.services[provider]
    assert len(service.played) == len(steps) + 1, ran
    assert place.words[0] in str(service.told(service.played[-1]).results)
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors
    assert not errands.unexpected_warnings(agent)
