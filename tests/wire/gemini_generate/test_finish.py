"""Why a candidate ended."""

import pytest

from callgate.core.errors import Fault
from callgate.core.messages import FinishReason
from callgate.wire.gemini_generate.finish import read_block, read_finish, write_finish


@pytest.mark.parametrize(
    ("word", "called", "reason"),
    [
        ("STOP", False, "stop"),
        ("STOP", True, "tool_calls"),
        ("MAX_TOKENS", True, "length"),
        ("CONTINUATION", False, "length"),
        ("RECITATION", True, "content_filter"),
        ("IMAGE_SOMETHING_NEW", False, "content_filter"),
        ("OTHER", False, "content_filter"),
    ],
)
def test_each_word_has_its_meaning(word: str, called: bool, reason: FinishReason) -> None:
    end = read_finish(word, None, called=called)
    assert not isinstance(end, Fault)
    assert end[0] == reason


@pytest.mark.parametrize(
    "word",
    [
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "MALFORMED_RESPONSE",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "BRAND_NEW",
    ],
)
def test_a_broken_or_unknown_end_is_a_failure_that_may_be_retried(word: str) -> None:
    end = read_finish(word, "because", called=True)
    assert isinstance(end, Fault)
    assert (end.kind, end.http_status, end.code) == ("upstream", 502, word)
    assert word in end.message
    assert "because" in end.message


@pytest.mark.parametrize("detail", ["SAFETY", "RECITATION", "SPII: a number"])
def test_a_filters_reason_survives_both_ways(detail: str) -> None:
    written = write_finish("content_filter", detail, refused=False)
    word = written["finishReason"]
    assert isinstance(word, str)
    assert read_finish(word, written.get("finishMessage"), called=False) == ("content_filter", detail)


def test_a_foreign_filters_words_become_the_message() -> None:
    assert write_finish("content_filter", "not allowed", refused=False) == {
        "finishReason": "SAFETY",
        "finishMessage": "not allowed",
    }


def test_a_refusal_in_words_is_no_ordinary_end() -> None:
    assert write_finish("stop", "", refused=True) == {"finishReason": "SAFETY"}
    assert write_finish("stop", "END", refused=False) == {"finishReason": "STOP"}
    assert write_finish("pause", "", refused=False) == {"finishReason": "STOP"}
    assert write_finish("length", "", refused=True) == {"finishReason": "MAX_TOKENS"}


def test_a_blocked_prompt_says_why() -> None:
    assert read_block({"blockReason": "JAILBREAK", "blockReasonMessage": "no"}) == "JAILBREAK: no"
    assert read_block({"blockReason": "BLOCKED_REASON_UNSPECIFIED"}) == read_block({}) == read_block(None) == ""
