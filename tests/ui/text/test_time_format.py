"""Times as people say them."""

import pytest

from callgate.ui.text.time_format import ago, left

NOW = 1_760_000_000.0


@pytest.mark.parametrize(
    ("span", "words"),
    [(0, "now"), (300, "5 min ago"), (7200, "2 h ago"), (90_000, "yesterday"), (300_000, "3 days ago")],
)
def test_the_past_is_told_in_the_largest_unit_that_fits(span: float, words: str) -> None:
    assert ago(NOW - span, NOW) == words


def test_long_ago_is_a_date() -> None:
    assert ago(NOW - 86400 * 30, NOW).startswith("2025-09-")


@pytest.mark.parametrize(("seconds", "words"), [(-1, "0:00"), (59.9, "0:59"), (872, "14:32"), (3723, "1:02:03")])
def test_a_countdown_counts_to_nothing(seconds: float, words: str) -> None:
    assert left(seconds) == words
