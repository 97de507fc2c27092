"""Numbers are said as people say them."""

import time

import pytest

from callgate.ui.text import format as figures


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0"), (310, "310"), (12_400, "12.4k"), (999_949, "999.9k"), (1_200_000, "1.2M")]
)
def test_counts_are_short(number: int, words: str) -> None:
    assert figures.count(number) == words


@pytest.mark.parametrize(
    ("span", "words"),
    [(0.04, "40 ms"), (0.6, "0.6 s"), (4.24, "4.2 s"), (65, "1 min 5 s"), (3700, "1 h 1 min"), (-1, "0 ms")],
)
def test_spans_are_said_in_the_unit_that_fits(span: float, words: str) -> None:
    assert figures.seconds(span) == words


@pytest.mark.parametrize(("span", "words"), [(12.9, "0:12"), (185, "3:05"), (-3, "0:00")])
def test_a_running_clock_counts_minutes_and_seconds(span: float, words: str) -> None:
    assert figures.stopwatch(span) == words


@pytest.mark.parametrize(("number", "words"), [(812, "812 B"), (4096, "4 KB"), (1_400_000, "1.3 MB")])
def test_sizes_are_said_in_bytes_and_their_multiples(number: int, words: str) -> None:
    assert figures.size(number) == words


@pytest.mark.parametrize(
    ("before", "words"),
    [(5, "now"), (130, "2 min ago"), (7300, "2 h ago"), (90_000, "yesterday"), (3 * 86_400, "3 days ago")],
)
def test_moments_are_said_by_their_distance(before: float, words: str) -> None:
    assert figures.ago(2_000_000_000 - before, 2_000_000_000) == words


def test_long_ago_is_a_date() -> None:
    assert figures.ago(1_700_000_000, 2_000_000_000).startswith("2023-")
    assert figures.moment(1_700_000_000).startswith("2023-")
    assert len(figures.clock(1_700_000_000)) == 5


def test_a_time_of_another_day_says_the_day() -> None:
    now = time.mktime((2026, 11, 18, 15, 4, 5, 0, 0, -1))
    assert figures.time_or_day(now - 60, now) == "15:03:05"
    assert figures.time_or_day(now - 6 * 86_400, now) == "12 Nov 15:04"
    assert figures.time_or_day(now - 10 * 86_400, now) == "8 Nov 15:04"
    assert figures.time_or_day(now - 400 * 86_400, now) == "2025-10-14"


def test_what_nobody_counted_is_marked() -> None:
    assert (figures.about("12.4k", True), figures.about("12.4k", False), figures.about("", True)) == (
        "≈12.4k",
        "12.4k",
        "",
    )


@pytest.mark.parametrize(
    ("per_second", "words"), [(8.44, "8.4"), (62.4, "62"), (8_058, "8,058"), (65_912, "66k"), (333_333, "333k")]
)
def test_rates_fit_a_narrow_column(per_second: float, words: str) -> None:
    assert figures.rate(per_second) == words
