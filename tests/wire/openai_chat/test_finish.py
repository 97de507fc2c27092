"""Why a choice ended."""

import pytest

from callgate.core.messages import FinishReason
from callgate.wire.openai_chat.finish import is_broken, is_native, read_finish, write_finish


@pytest.mark.parametrize(
    ("word", "called", "reason"),
    [
        ("stop", False, "stop"),
        ("stop", True, "tool_calls"),
        ("tool_calls", True, "tool_calls"),
        ("function_call", True, "tool_calls"),
        ("length", True, "length"),
        ("content_filter", False, "content_filter"),
        ("end_turn", False, "stop"),
        ("MAX_TOKENS", False, "length"),
        ("something new", True, "tool_calls"),
    ],
)
def test_a_word_is_understood(word: str, called: bool, reason: FinishReason) -> None:
    assert read_finish(word, called=called) == reason


@pytest.mark.parametrize(
    ("reason", "called", "legacy", "word"),
    [
        ("stop", False, False, "stop"),
        ("stop", True, False, "tool_calls"),
        ("tool_calls", True, True, "function_call"),
        ("tool_calls", False, False, "stop"),
        ("length", True, False, "length"),
        ("refusal", False, False, "content_filter"),
        ("pause", False, False, "stop"),
    ],
)
def test_a_reason_is_said_in_the_providers_words(reason: FinishReason, called: bool, legacy: bool, word: str) -> None:
    assert write_finish(reason, called=called, legacy=legacy) == word


def test_failures_in_the_clothes_of_a_finish_are_known() -> None:
    assert is_broken("error")
    assert is_broken("function_call_filter: MALFORMED_FUNCTION_CALL")
    assert not is_broken("stop")
    assert is_native("stop")
    assert not is_native("eos")
