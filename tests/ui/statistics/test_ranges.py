"""Stretches of time are cut into slices of round lengths, on the calendar that people have on the wall."""

import time
from datetime import datetime

import pytest

from callgate.ui.statistics.ranges import DAY, HOUR, SPANS, between, day_range, labels, spans, time_range

NOW = datetime(2026, 3, 18, 14, 37, 12).timestamp()


@pytest.mark.parametrize("span", [span for _, span in SPANS])
def test_now_is_always_within(span: str) -> None:
    asked = time_range(span, NOW, NOW - 5 * DAY)  # type: ignore[arg-type]
    assert asked.since < NOW <= asked.until and 1 <= asked.slices <= 34
    assert len(labels(asked)) == len(spans(asked)) == asked.slices


def test_hours_and_days_begin_where_the_clock_says() -> None:
    day = time_range("day", NOW)
    assert (day.slices, day.width) == (24, HOUR) and labels(day)[-1] == "14:00"
    week = time_range("week", NOW)
    assert time.localtime(week.since)[3:6] == (0, 0, 0) and week.slices == 7
    assert labels(week)[-1] == "18 Mar" and spans(week)[-1] == "Wednesday 18 March 2026"
    assert spans(day)[-1] == "Wed 18 Mar, 14:00 to 15:00"


@pytest.mark.parametrize("length", [30, 4000, 90_000, 40 * DAY, 900 * DAY, 9000 * DAY])
def test_any_length_has_a_fair_number_of_slices(length: float) -> None:
    asked = between(NOW - length, NOW)
    assert asked.since <= NOW - length and asked.until >= NOW - 1 and 1 <= asked.slices <= 34


def test_days_are_taken_whole_and_in_either_order() -> None:
    first, last = datetime(2026, 3, 1), datetime(2026, 3, 3)
    assert day_range(first, last) == day_range(last, first)
    asked = day_range(first, last)
    assert asked.until - asked.since == 3 * DAY


def test_all_time_without_a_first_moment_is_a_day() -> None:
    asked = time_range("all", NOW, None)
    assert asked.until - asked.since >= DAY
