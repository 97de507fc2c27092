"""Tokens, both ways."""

from callgate.core.messages import Usage
from callgate.wire.openai_chat.usage import read_usage, write_usage


def test_all_counts_survive() -> None:
    usage = Usage(input=10, output=5, cached=4, cache_written=2, reasoning=3)
    assert read_usage({**write_usage(usage)}) == usage
    assert write_usage(usage)["total_tokens"] == 15


def test_no_usage_is_none_and_odd_values_count_nothing() -> None:
    assert read_usage(None) is None
    assert read_usage({"prompt_tokens": "many", "prompt_tokens_details": None}) == Usage()


def test_deepseeks_name_for_cached_tokens_is_known() -> None:
    assert read_usage({"prompt_tokens": 9, "prompt_cache_hit_tokens": 8}) == Usage(input=9, cached=8)
