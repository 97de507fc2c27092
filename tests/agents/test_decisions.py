"""A person decides on a real agent's call while the agent waits: another file is read, or none, and it goes on."""

import json
from collections.abc import Callable

import pytest
from tests.agents.agent import Agent
from tests.agents.claude_code import ClaudeCode
from tests.agents.codex import Codex
from tests.agents.gemini_cli import GeminiCli
from tests.agents.opencode import OpenCode
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing
from tests.agents.services import PlayingGemini
from tests.fakes.providers.gemini_contents import ANYWHERE
from tests.fakes.translating import WIRES

from callgate.core.calls.invocation import Decision

AGENTS = [ClaudeCode(), Codex(), GeminiCli(), OpenCode("openai-chat")]
ANSWER = "Das Wort heißt „Schirm“ ☂"
UNSIGNED = "skip/thought/signature/validator"
"""What Gemini documents for a call that its model did not write so: an edited one has no signature of its own."""
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]
each_provider = pytest.mark.parametrize("provider", WIRES)
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)


@each_provider
@each_agent
def test_what_a_person_makes_of_a_call_is_what_runs(
    asked_errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "edited", provider])
    place = asked_errands.place(provider)
    gemini = asked_errands.services["gemini"]
    assert isinstance(gemini, PlayingGemini)
    gemini.signed[UNSIGNED] = ANYWHERE
    written, meant = (agent.reads(place, path) for path in place.files[:2])
    decision = Decision("approve", json.dumps(meant.arguments))
    errand, ran = asked_errands.send_and_decide(agent, provider, place, written, decision)
    assert not asked_errands.refusals(), asked_errands.refusals()[0]
    service = asked_errands.services[provider]
    told = service.told(service.played[-1])
    assert [place.words[1] in str(result) for result in told.results.values()] == [True]
    assert [place.files[1].name in str(arguments) for _, _, arguments in told.calls] == [True]
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors


@each_provider
@each_agent
def test_what_a_person_answers_is_heard_and_nothing_runs(
    asked_errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "answered", provider])
    place = asked_errands.place(provider)
    call = agent.reads(place, place.files[0])
    errand, ran = asked_errands.send_and_decide(agent, provider, place, call, Decision("answer", result=ANSWER))
    assert not asked_errands.refusals(), asked_errands.refusals()[0]
    service = asked_errands.services[provider]
    assert ANSWER in str(service.told(service.played[1]).results)
    assert not any(place.words[0].encode() in asked.raw for asked in service.asked)
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors
