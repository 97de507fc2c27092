"""Sides of charts have few, round numbers that reach high enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.ui.plots.column_chart import round_ticks


@given(st.floats(1e-6, 1e12))
def test_ticks_begin_at_nothing_and_reach_the_highest_value(most: float) -> None:
    ticks = round_ticks(most)
    assert ticks[0] == 0 and ticks[-1] >= most * 0.999 and 2 <= len(ticks) <= 6


@pytest.mark.parametrize(("most", "ticks"), [(4, (0, 1, 2, 3, 4)), (1, (0, 1)), (95, (0, 25, 50, 75, 100))])
def test_counts_have_no_halves(most: float, ticks: tuple[float, ...]) -> None:
    assert round_ticks(most, whole=True) == ticks


def test_nothing_has_a_side_too() -> None:
    assert round_ticks(0) == (0, 1) and round_ticks(float("nan")) == (0, 1)
