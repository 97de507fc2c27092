"""What a model's name tells."""

import pytest

from callgate.wire.gemini_generate.traits import ModelTraits, guess_traits


@pytest.mark.parametrize(
    "model", ["gemini-3-pro-preview", "models/gemini-3.5-flash", "gemini-10-pro", "gemini-flash-latest"]
)
def test_newer_models_take_ids_and_demand_signatures(model: str) -> None:
    traits = guess_traits(model)
    assert traits.call_ids
    assert traits.signatures
    assert traits.thinking_levels


def test_the_generation_before_thinks_by_budget_and_takes_no_ids() -> None:
    flash, pro = guess_traits("gemini-2.5-flash"), guess_traits("gemini-2.5-pro")
    assert (flash.thinking, flash.thinking_levels, flash.call_ids) == (True, False, False)
    assert flash.thinking_off
    assert not pro.thinking_off


def test_old_models_neither_think_nor_take_json_schema() -> None:
    assert not guess_traits("gemini-2.0-flash").thinking
    assert not guess_traits("gemini-1.5-pro").json_schema


def test_unknown_names_get_the_plainest_form() -> None:
    assert guess_traits("gemma-3-27b") == ModelTraits()
