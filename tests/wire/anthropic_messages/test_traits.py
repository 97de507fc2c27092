"""What models can do, guessed from their names."""

import pytest

from callgate.wire.anthropic_messages.traits import ModelTraits, guess_traits


@pytest.mark.parametrize(
    "model",
    ["claude-sonnet-4-5@20250929", "claude-haiku-4-5"],
)
def test_older_models_think_with_a_budget_and_take_sampling(model: str) -> None:
    assert guess_traits(model) == ModelTraits(forced_choice=True, sampling=True, adaptive_thinking=False)


@pytest.mark.parametrize("model", ["claude-3-7-sonnet-20250219", "claude-opus-4-20250514", "claude-3-haiku-20240307"])
def test_the_oldest_models_cannot_be_held_to_a_schema(model: str) -> None:
    assert guess_traits(model) == ModelTraits(structured=False)


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "anthropic/claude-opus-5-5", "claude-fable-5-1"])
def test_the_newest_models_refuse_forced_choice_and_sampling(model: str) -> None:
    assert guess_traits(model) == ModelTraits(
        forced_choice=False, sampling=False, adaptive_thinking=True, max_tokens=32_000
    )


def test_models_in_between_think_adaptively_and_still_take_sampling() -> None:
    assert guess_traits("claude-opus-4-6") == ModelTraits(adaptive_thinking=True, max_tokens=32_000)


def test_other_models_behind_this_wire_get_its_oldest_form() -> None:
    assert guess_traits("qwen3:8b") == ModelTraits()
