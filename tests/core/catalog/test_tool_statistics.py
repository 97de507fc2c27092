import time
from dataclasses import replace

import pytest
from tests.fakes.samples import NOON, cancelled, completed, denied, released, skipped, timed_out

from callgate.core.catalog.tool_statistics import DAYS, PastCall, ToolStatistics, past_call, percentile, statistics_of

CALL = PastCall("i", "c", "claude-code", NOON, "Completed", "UserAction", "person", ran=1.0, waited=2.0)


def test_no_calls_give_empty_figures() -> None:
    assert statistics_of([], NOON) == ToolStatistics()


def test_calls_are_told_apart_by_how_they_ended() -> None:
    calls = [
        CALL,
        replace(CALL, decided_by="rule", ran=3.0, waited=None),
        replace(CALL, is_error=True, ran=5.0),
        replace(CALL, reason="Denied", is_error=True, ran=None),
        replace(CALL, reason="Timeout", state="Cancelled", ran=None),
        replace(CALL, reason=None, state="Cancelled", decided_by="client", ran=None),
        replace(CALL, agent="codex", state="Released", ran=None, waited=None),
    ]
    found = statistics_of(calls, NOON)
    assert (found.calls, found.approved, found.allowed, found.denied, found.failed) == (7, 3, 1, 2, 1)
    assert found.cancelled == 1
    assert (found.p50, found.p95) == (3.0, 5.0)
    assert found.times == (5.0, 3.0, 1.0)
    assert found.agents == (("claude-code", 6), ("codex", 1))
    assert found.latest == tuple(calls)


def test_days_are_counted_up_to_today() -> None:
    noon = time.mktime((2026, 3, 10, 12, 0, 0, 0, 0, -1))
    calls = [replace(CALL, at=noon), replace(CALL, at=noon - 86400, is_error=True), replace(CALL, at=noon - 40 * 86400)]
    found = statistics_of(calls, noon)
    assert found.days == (*(0,) * (DAYS - 2), 1, 1)
    assert found.failed_days == (*(0,) * (DAYS - 2), 1, 0)


def test_a_year_that_begins_is_no_gap() -> None:
    new_year = time.mktime((2027, 1, 1, 12, 0, 0, 0, 0, -1))
    found = statistics_of([replace(CALL, at=new_year - 86400)], new_year)
    assert found.days[-2] == 1


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.01, 1.0)])
def test_percentiles_are_values_that_occurred(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value
    assert percentile([], share) is None


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (completed, "completed"),
        (denied, "denied"),
        (skipped, "skipped"),
        (timed_out, "timed out"),
        (cancelled, "cancelled"),
        (released, "released"),
    ],
)
def test_a_call_that_is_over_is_told_in_a_word(made, word: str) -> None:
    assert past_call(made(), NOON + 50).word == word


def test_the_time_that_a_call_ran_and_waited_is_kept() -> None:
    call = past_call(completed(), NOON + 50)
    assert call.ran is not None and call.ran >= 0
