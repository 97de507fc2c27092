"""How much to think."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import Thinking
from callgate.wire.gemini_generate.thinking import read_thinking, write_thinking
from callgate.wire.gemini_generate.traits import ModelTraits, guess_traits

LEVELS = guess_traits("gemini-3-pro")
BUDGETS = guess_traits("gemini-2.5-flash")


@pytest.mark.parametrize(
    ("given", "thinking"),
    [
        ({"thinkingLevel": "HIGH"}, Thinking("high")),
        ({"thinking_level": "low", "include_thoughts": True}, Thinking("low", summary="auto")),
        ({"thinkingBudget": 2048}, Thinking(budget=2048)),
        ({"thinkingBudget": 0}, Thinking("none", 0)),
        ({"thinkingBudget": -1}, Thinking(budget=-1)),
        ({"thinkingLevel": "THINKING_LEVEL_UNSPECIFIED"}, Thinking()),
    ],
)
def test_levels_and_budgets_are_read(given: dict[str, Json], thinking: Thinking) -> None:
    assert read_thinking(Fields(given)) == thinking


@pytest.mark.parametrize(
    ("field", "value"), [("thinkingLevel", "HUGE"), ("thinkingBudget", -2), ("includeThoughts", "yes")]
)
def test_bad_values_are_refused_by_name(field: str, value: Json) -> None:
    with pytest.raises(BadRequest) as caught:
        read_thinking(Fields({field: value}, "generationConfig.thinkingConfig"))
    assert caught.value.fault.param == f"generationConfig.thinkingConfig.{field}"


@pytest.mark.parametrize(
    ("thinking", "level", "budget"),
    [
        (Thinking("minimal"), "MINIMAL", 512),
        (Thinking("low"), "LOW", 1024),
        (Thinking("high"), "HIGH", 24576),
        (Thinking("max"), "HIGH", 24576),
        (Thinking(budget=2000), "MEDIUM", 2000),
        (Thinking(budget=100_000), "HIGH", 24576),
    ],
)
def test_newer_models_get_a_level_and_older_ones_a_budget(thinking: Thinking, level: str, budget: int) -> None:
    assert write_thinking(thinking, LEVELS, []) == {"thinkingLevel": level, "includeThoughts": True}
    assert write_thinking(thinking, BUDGETS, []) == {"thinkingBudget": budget, "includeThoughts": True}


def test_thinking_that_cannot_be_switched_off_is_kept_small_and_said() -> None:
    for traits, spelled in (
        (LEVELS, {"thinkingLevel": "MINIMAL"}),
        (guess_traits("gemini-2.5-pro"), {"thinkingBudget": 128}),
    ):
        warnings: list[str] = []
        assert write_thinking(Thinking("none"), traits, warnings) == spelled
        assert warnings
    assert write_thinking(Thinking("none"), BUDGETS, []) == {"thinkingBudget": 0}


def test_a_model_that_does_not_think_is_not_asked_to() -> None:
    warnings: list[str] = []
    assert write_thinking(Thinking("high"), ModelTraits(), warnings) == {}
    assert warnings
    assert write_thinking(None, LEVELS, []) == {}


def test_thoughts_that_nobody_wants_to_see_are_not_asked_for() -> None:
    assert write_thinking(Thinking("low", summary="none"), LEVELS, []) == {"thinkingLevel": "LOW"}


@pytest.mark.parametrize("effort", ["xhigh", "max"])
def test_an_effort_above_the_highest_level_is_said_to_be_lowered(effort: str) -> None:
    warnings: list[str] = []
    write_thinking(Thinking(effort), ModelTraits(thinking=True, thinking_levels=True), warnings)
    assert effort in warnings[0]
