"""Tokens, with caches apart and included."""

from callgate.core.messages import Usage
from callgate.wire.anthropic_messages.usage import merge_usage, read_usage, write_usage


def test_cached_input_is_included_in_the_neutral_count() -> None:
    usage = read_usage(
        {
            "input_tokens": 20,
            "cache_creation_input_tokens": 5,
            "cache_read_input_tokens": 100,
            "output_tokens": 42,
            "output_tokens_details": {"thinking_tokens": 7},
        }
    )
    assert usage == Usage(input=125, output=42, cached=100, cache_written=5, reasoning=7)


def test_writing_takes_the_caches_out_again() -> None:
    usage = Usage(input=125, output=42, cached=100, cache_written=5, reasoning=7)
    assert read_usage(write_usage(usage)) == usage
    assert write_usage(usage)["input_tokens"] == 20


def test_a_contradictory_count_never_goes_below_zero() -> None:
    assert write_usage(Usage(input=1, cached=9))["input_tokens"] == 0


def test_nothing_known_is_still_a_usage() -> None:
    assert write_usage(None) == {"input_tokens": 0, "output_tokens": 0}


def test_later_counts_replace_earlier_ones_and_absent_ones_leave_them() -> None:
    before = {"input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": 1}
    later = {"output_tokens": 42, "cache_read_input_tokens": None}
    assert merge_usage(before, later) == {"input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": 42}
    assert merge_usage(before, None) == before


def test_numbers_that_are_none_count_as_zero() -> None:
    assert read_usage({"input_tokens": None, "output_tokens": "many", "output_tokens_details": None}) == Usage()
