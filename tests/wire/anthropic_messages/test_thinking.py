"""Thinking, both ways."""

import pytest

from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import Thinking
from callgate.wire.anthropic_messages.thinking import MIN_BUDGET, read_thinking, write_thinking
from callgate.wire.anthropic_messages.traits import ModelTraits

OLD, NEW = ModelTraits(), ModelTraits(adaptive_thinking=True)


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({}, None),
        ({"thinking": {"type": "disabled"}}, Thinking("none")),
        ({"thinking": {"type": "enabled", "budget_tokens": 2048}}, Thinking(budget=2048)),
        ({"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}, Thinking("high")),
        ({"thinking": {"type": "adaptive", "display": "summarized"}}, Thinking(summary="auto")),
        ({"output_config": {"effort": "low"}}, Thinking("low")),
    ],
)
def test_every_form_of_thinking_is_understood(body: dict[str, Json], read: Thinking | None) -> None:
    assert read_thinking(Fields(body, join=".")) == read


@pytest.mark.parametrize(
    ("wanted", "effort"),
    [
        (Thinking("minimal"), "low"),
        (Thinking("medium"), "medium"),
        (Thinking("max"), "max"),
        (Thinking(budget=4000), "medium"),
        (Thinking(budget=100_000), "max"),
        (Thinking(budget=-1), ""),
    ],
)
def test_new_models_think_adaptively_with_an_effort(wanted: Thinking, effort: str) -> None:
    spelled = write_thinking(wanted, None, 8192, NEW, [])
    assert (spelled.thinking, spelled.effort, spelled.max_tokens) == ({"type": "adaptive"}, effort, 8192)
    assert spelled.on


def test_a_wanted_summary_is_asked_for() -> None:
    assert write_thinking(Thinking("low", summary="auto"), None, 8192, NEW, []).thinking["display"] == "summarized"


def test_whoever_wants_to_be_shown_it_gets_it() -> None:
    """Gemini's `includeThoughts` and Responses' `summary`, without an effort."""
    shown = Thinking(summary="auto")
    spelled = write_thinking(shown, None, 8192, NEW, [])
    assert (spelled.thinking, spelled.effort) == ({"type": "adaptive", "display": "summarized"}, "")
    assert write_thinking(shown, None, 8192, OLD, []).thinking == {"type": "enabled", "budget_tokens": 8192}
    assert not write_thinking(Thinking(summary="none"), None, 8192, NEW, []).on


@pytest.mark.parametrize("effort", ["minimal", "low", "medium", "high", "xhigh", "max"])
def test_old_models_get_a_budget_with_room_for_the_answer(effort: str) -> None:
    spelled = write_thinking(Thinking(effort), None, 8192, OLD, [])
    budget = spelled.thinking["budget_tokens"]
    assert isinstance(budget, int)
    assert MIN_BUDGET <= budget == spelled.max_tokens - 8192
    assert spelled.max_tokens < 32_000


def test_a_budget_stays_below_the_clients_limit() -> None:
    spelled = write_thinking(Thinking("high"), 4096, 8192, OLD, [])
    assert (spelled.thinking["budget_tokens"], spelled.max_tokens) == (4095, 4096)


def test_thinking_that_does_not_fit_is_left_out_and_named() -> None:
    warnings: list[str] = []
    spelled = write_thinking(Thinking("high"), 500, 8192, OLD, warnings)
    assert not spelled.on
    assert spelled.max_tokens == 500
    assert warnings


@pytest.mark.parametrize("wanted", [Thinking("none"), Thinking(budget=0)])
def test_thinking_can_be_turned_off(wanted: Thinking) -> None:
    assert write_thinking(wanted, None, 8192, OLD, []).thinking == {}
    assert write_thinking(wanted, None, 8192, NEW, []).thinking == {"type": "disabled"}


@pytest.mark.parametrize("wanted", [None, Thinking()])
def test_nothing_said_is_nothing_sent(wanted: Thinking | None) -> None:
    assert write_thinking(wanted, 100, 8192, NEW, []).thinking == {}
