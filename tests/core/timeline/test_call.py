"""How a decision is told on a timeline."""

from dataclasses import replace

from tests.fakes.samples import cancelled, completed, denied

from callgate.core.calls.invocation import Voided
from callgate.core.timeline.call import CallTrace, call_lane, call_marks, call_spans, decision_words


def test_decisions_are_told_by_who_made_them() -> None:
    assert decision_words(denied()).startswith("Denied by person")
    assert decision_words(completed()).startswith("Allowed by")
    assert decision_words(cancelled()).startswith("Cancelled by")


def test_a_denied_call_is_marked_and_never_ran() -> None:
    call = denied()
    assert call_lane(call).state == "denied"
    kinds = [span.kind for span in call_spans(CallTrace(call), 0, None, 1e12, False)]
    assert "tool" not in kinds and "person" in kinds


def test_progress_without_words_still_shows() -> None:
    trace = CallTrace(replace(completed()), [(5.0, "", None, None), (6.0, "half", 1.0, 2.0)])
    told = [mark.words for mark in call_marks(trace, 3) if mark.kind == "progress"]
    assert told == ["Progress", "Progress (1 of 2): half"]


def test_a_void_decision_is_marked() -> None:
    call = replace(completed(), voided=(Voided(7.0, "person", "This tool changed."),))
    marks = [mark for mark in call_marks(CallTrace(call), 3) if mark.kind == "decision"]
    assert [mark.words for mark in marks][1:] == ["Void: This tool changed."]
    assert marks[1].at == 7.0
