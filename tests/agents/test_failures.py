"""What a provider refuses reaches an agent in words that it acts on: it waits and asks again, or says what is wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.agents.agent import Agent
from tests.agents.claude_code import ClaudeCode
from tests.agents.codex import Codex
from tests.agents.gemini_cli import GeminiCli
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing
from tests.fakes.providers import failures
from tests.fakes.providers.service import Reply
from tests.fakes.translating import WIRES

AGENTS = [ClaudeCode(), Codex(), GeminiCli()]
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]
each_provider = pytest.mark.parametrize("provider", WIRES)
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)


def soon(reply: Reply) -> Reply:
    """The refusal with seconds to wait that are more than Callgate waits by itself, and no more than that."""
    hints = {"retry-after": "11"} if "retry-after" in reply.headers else {}
    return replace(reply, headers=hints, body=reply.body.replace(b'"34s"', b'"11s"'))


@each_provider
@each_agent
def test_an_agent_that_is_told_to_wait_asks_again(
    errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "429", provider])
    service = errands.services[provider]
    service.next.append(soon(failures.failure(provider, 429)))
    place = errands.place(provider)
    errand, ran = errands.send(agent, provider, place, [[agent.reads(place, place.files[0])]])
    assert not errands.refusals(), errands.refusals()[0]
    assert errands.tap.chats[0].status == 429
    assert len(service.played) == 3
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors


@each_provider
def test_claude_code_knows_that_its_prompt_is_too_long(
    errands: Outing, record_property: Callable[[str, object], None], provider: str
) -> None:
    agent = ClaudeCode()
    record_property(ERRAND, [agent.name, "overflow", provider])
    service = errands.services[provider]
    service.next += [failures.failure(provider, 400, failures.OVERFLOWS[provider]) for _ in range(9)]
    place = errands.place(provider)
    _, ran = errands.send(agent, provider, place, [[agent.reads(place, place.files[0])]])
    assert "prompt is too long" in ran.output.lower(), ran
    assert ran.code != 0
    assert not errands.refusals(), errands.refusals()[0]
