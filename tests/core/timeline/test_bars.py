"""A timeline knows how far it reaches, and what its time went into."""

import pytest

from callgate.core.timeline.bars import Lane, Link, Mark, Span, Timeline

WHOLE = Timeline(
    (
        Lane("exchange", "a", exchange_id="one"),
        Lane("exchange", "b", exchange_id="two"),
        Lane("call", "t", exchange_id="two"),
    ),
    (
        Span("exchange", 0, 0, 5, "first"),
        Span("exchange", 1, 6, 9, "second", is_live=True),
        Span("tool", 2, 6, 8, "runs"),
        Span("tool", 2, 7, 8.5, "runs too"),
    ),
    (Mark("decision", 2, 6, "Allowed"),),
    (Link(6, 1, 6, 2), Link(5, 0, 6, 1)),
)


def test_it_reaches_from_the_first_bar_to_the_last() -> None:
    assert (WHOLE.start, WHOLE.end, WHOLE.is_live) == (0, 9, True)
    assert (Timeline().start, Timeline().end, Timeline().is_live) == (0, 0, False)


def test_bars_over_each_other_count_once() -> None:
    assert WHOLE.spent()["tool"] == pytest.approx(2.5)
    assert WHOLE.spent()["person"] == 0
