"""Why replies end."""

import pytest

from callgate.core.messages import FinishReason
from callgate.wire.anthropic_messages.stop import Stop, is_known, read_stop, write_stop


@pytest.mark.parametrize(
    ("reason", "called", "finish"),
    [
        ("end_turn", False, "stop"),
        ("tool_use", True, "tool_calls"),
        ("max_tokens", True, "length"),
        ("model_context_window_exceeded", False, "length"),
        ("pause_turn", False, "pause"),
        ("refusal", False, "refusal"),
        ("something_new", False, "stop"),
        (None, False, "stop"),
    ],
)
def test_every_reason_is_understood(reason: str | None, called: bool, finish: FinishReason) -> None:
    assert read_stop(reason, None, None, called=called).finish == finish


def test_a_stop_sequence_and_a_refusals_explanation_are_the_detail() -> None:
    assert read_stop("stop_sequence", "END", None, called=False) == Stop("stop", "END")
    details = {"type": "refusal", "category": "bio", "explanation": "no"}
    assert read_stop("refusal", None, details, called=False) == Stop("refusal", "no")


def test_a_reason_that_contradicts_the_calls_is_put_right_and_named() -> None:
    with_calls = read_stop("end_turn", None, None, called=True)
    assert with_calls.finish == "tool_calls"
    assert with_calls.repair
    without = read_stop("tool_use", None, None, called=False)
    assert without.finish == "stop"
    assert without.repair


@pytest.mark.parametrize(
    ("finish", "detail", "called", "refused", "reason"),
    [
        ("stop", "", False, False, "end_turn"),
        ("stop", "END", False, False, "stop_sequence"),
        ("stop", "", True, False, "tool_use"),
        ("stop", "", False, True, "refusal"),
        ("tool_calls", "", True, False, "tool_use"),
        ("tool_calls", "", False, False, "end_turn"),
        ("length", "", True, False, "max_tokens"),
        ("length", "model_context_window_exceeded", False, False, "model_context_window_exceeded"),
        ("content_filter", "SAFETY", False, False, "refusal"),
        ("refusal", "", False, False, "refusal"),
        ("pause", "", False, False, "pause_turn"),
    ],
)
def test_every_finish_is_spelled(finish: FinishReason, detail: str, called: bool, refused: bool, reason: str) -> None:
    assert write_stop(finish, detail, called=called, refused=refused)["stop_reason"] == reason


def test_a_refusal_carries_its_explanation() -> None:
    written = write_stop("refusal", "not allowed", called=False)
    assert written["stop_details"] == {"type": "refusal", "category": None, "explanation": "not allowed"}


def test_new_reasons_are_known_to_be_unknown() -> None:
    assert is_known("end_turn")
    assert not is_known("compaction")
    assert not is_known(None)
