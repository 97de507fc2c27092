"""Money is told where it is known, and never guessed."""

import pytest

from callgate.core.catalog.prices import DEFAULT_PRICES, Price, PriceTable, plain_name, read_prices, write_prices
from callgate.core.errors import UserFault
from callgate.core.messages import Usage

MILLION = 1_000_000


def test_every_kind_of_token_has_its_own_price() -> None:
    price = Price("m", 10, 40, 1, 12)
    usage = Usage(input=3 * MILLION, output=MILLION, cached=MILLION, cache_written=MILLION)
    assert price.of(usage) == 10 + 40 + 1 + 12


def test_cached_tokens_cost_what_others_cost_unless_it_is_said() -> None:
    assert Price("m", 10, 0).of(Usage(input=2 * MILLION, cached=MILLION)) == 20


def test_counts_that_contradict_each_other_cost_nothing_negative() -> None:
    assert Price("m", 10, 0, 1).of(Usage(input=0, cached=MILLION)) == 1


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("claude-opus-4-1-20250805", "claude-opus-4-1"),
        ("openai/gpt-5", "gpt-5"),
        ("claude-opus-4-1@20250805", "claude-opus-4-1"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("qwen3:32b", "qwen3:32b"),
    ],
)
def test_a_date_and_a_vendor_do_not_change_the_price(said: str, plain: str) -> None:
    assert plain_name(said) == plain


def test_an_unknown_model_costs_nothing_that_is_known() -> None:
    assert PriceTable().cost("my-own-model", Usage(10, 10)) is None
    assert PriceTable().cost("gpt-5", None) is None
    assert PriceTable().cost("callgate-demo", Usage(10, 10)) == 0


def test_a_newer_model_is_not_taken_for_an_older_one() -> None:
    assert PriceTable().price("gpt-5-turbo-ultra") is None


def test_the_persons_rows_come_before_those_that_ship() -> None:
    table = read_prices({"gpt-*": {"input": 1, "output": 2, "cached": 0.5}})
    assert table.price("gpt-5") == Price("gpt-*", 1, 2, 0.5)
    assert table.price("claude-sonnet-4-5") in DEFAULT_PRICES


def test_rows_are_written_as_they_are_read() -> None:
    own = {"gpt-*": {"input": 1.0, "output": 2.0, "cached": 0.5}, "x": {"input": 0.0, "output": 3.0}}
    assert write_prices(read_prices(own).rows[:2]) == own


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"input": 1}, "lacks output"),
        ({"input": 1, "output": "2"}, "output must be a number"),
        ({"input": -1, "output": 2}, "input must be a number"),
        ({"input": 1, "output": float("nan")}, "output must be a number"),
        ({"input": True, "output": 2}, "input must be a number"),
        ({"input": 1, "output": 2, "speed": 3}, "no field 'speed'"),
        ([1, 2], "input and output"),
    ],
)
def test_a_bad_row_is_refused_with_its_name_and_field(row: object, words: str) -> None:
    with pytest.raises(UserFault, match=words) as caught:
        read_prices({"my-model": row})
    assert "my-model" in str(caught.value)


def test_a_price_needs_a_model() -> None:
    with pytest.raises(UserFault, match="name of a model"):
        read_prices({" ": {"input": 1, "output": 2}})
