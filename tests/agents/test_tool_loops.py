"""Every real agent over every provider's wire: the model calls its tool, the tool runs, the model has its result."""

from collections.abc import Callable

import pytest
from tests.agents.agent import Agent
from tests.agents.claude_code import ClaudeCode
from tests.agents.cline import Cline
from tests.agents.codex import Codex
from tests.agents.continue_cli import Continue
from tests.agents.copilot import Copilot
from tests.agents.errand import Place
from tests.agents.gemini_cli import GeminiCli
from tests.agents.opencode import OpenCode
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing
from tests.agents.pi import Pi
from tests.agents.qwen_code import QwenCode
from tests.fakes.providers.service import Told
from tests.fakes.translating import OLDER_MODELS, WIRES

AGENTS = [
    ClaudeCode(),
    Codex(),
    Codex(built_in=True),
    GeminiCli(),
    *map(OpenCode, WIRES),
    *map(Continue, WIRES[:3]),
    *map(QwenCode, WIRES),
    *map(Pi, WIRES),
    *map(Cline, WIRES),
    *map(Copilot, WIRES[:3]),
    Copilot("openai-responses", "websockets"),
]
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]
each_provider = pytest.mark.parametrize("provider", WIRES)
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)


@each_provider
@each_agent
def test_a_call_and_then_two_at_once_are_run_and_their_results_are_heard(
    errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "one call, then two", provider])
    check_loop(errands, agent, provider, errands.place(provider))


@pytest.mark.parametrize("provider", OLDER_MODELS)
@each_agent
def test_models_that_think_within_a_budget_and_name_no_calls_are_as_good(
    errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "older model", provider])
    check_loop(errands, agent, provider, errands.place(provider, OLDER_MODELS[provider]))


def check_loop(errands: Outing, agent: Agent, provider: str, place: Place) -> None:
    first, second, third = (agent.reads(place, path) for path in place.files)
    errand, ran = errands.send(agent, provider, place, [[first], [second, third]])
    assert not errands.refusals(), errands.refusals()[0]
    errands.check_wire(agent)
    service = errands.services[provider]
    assert len(service.played) == 3, ran
    told = service.told(service.played[-1])
    assert _heard(told, place) == [True] * 3
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors
    assert not errands.unexpected_warnings(agent)
    if provider == agent.wire:
        errands.check_relayed(provider)
    else:
        assert [proof for proof in told.proofs if proof in service.proofs] == service.proofs


def _heard(told: Told, place: Place) -> list[bool]:
    """Whether the word of each file is in the result of the call for that file, whatever order they came in."""
    results = [told.results[call_id or f"#{number}"] for number, (call_id, _, _) in enumerate(told.calls)]
    asked = [str(arguments) for _, _, arguments in told.calls]
    return [
        any(path.name in wanted and word in str(result) for wanted, result in zip(asked, results, strict=True))
        for path, word in zip(place.files, place.words, strict=True)
    ]


@each_provider
@each_agent
def test_a_call_that_a_rule_denies_is_never_run_and_the_agent_ends_well(
    denied_errands: Outing, record_property: Callable[[str, object], None], agent: Agent, provider: str
) -> None:
    record_property(ERRAND, [agent.name, "denied", provider])
    place = denied_errands.place(provider)
    errand, ran = denied_errands.send(agent, provider, place, [[agent.reads(place, place.files[0])]])
    assert not denied_errands.refusals(), denied_errands.refusals()[0]
    service = denied_errands.services[provider]
    assert "Not today." in str(service.told(service.played[1]).results), ran
    assert not any(place.words[0].encode() in asked.raw for asked in service.asked)
    assert errand.final in ran.output
    assert ran.code == 0, ran.errors
