"""Tokens, both ways."""

from callgate.core.messages import Usage
from callgate.wire.gemini_generate.usage import read_usage, write_usage


def test_thinking_is_added_to_the_answer() -> None:
    usage = read_usage(
        {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 3, "totalTokenCount": 18}
    )
    assert usage == Usage(10, 8, reasoning=3)


def test_thinking_that_is_counted_already_is_not_added_again() -> None:
    usage = read_usage(
        {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 3, "totalTokenCount": 15}
    )
    assert usage == Usage(10, 5, reasoning=3)


def test_what_tools_of_the_provider_used_counts_as_input() -> None:
    usage = read_usage(
        {
            "promptTokenCount": 10,
            "toolUsePromptTokenCount": 7,
            "candidatesTokenCount": 5,
            "cachedContentTokenCount": 4,
            "totalTokenCount": 22,
        }
    )
    assert usage == Usage(17, 5, cached=4)


def test_no_usage_is_no_usage() -> None:
    assert read_usage(None) is None


def test_written_usage_reads_the_same() -> None:
    for usage in (Usage(10, 8, 4, 0, 3), Usage(10, 8), Usage()):
        assert read_usage(write_usage(usage)) == usage
