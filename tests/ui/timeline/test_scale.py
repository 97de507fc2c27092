"""Idle time is folded; every moment has a place, and every place its moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.ui.timeline.scale import TimeScale, tick_step

STRETCHES = st.lists(st.tuples(st.floats(0, 5000), st.floats(0, 60)).map(lambda p: (p[0], p[0] + p[1])), max_size=8)


def test_an_hour_of_nothing_is_drawn_short() -> None:
    scale = TimeScale.of([(0, 10), (3610, 3620)])
    (fold,) = scale.folds
    assert (fold.start, fold.end) == (10, 3610)
    assert scale.length < 25
    assert scale.place(10) == 10 and scale.place(3610) == 10 + fold.length


def test_a_short_pause_stays_as_long_as_it_is() -> None:
    scale = TimeScale.of([(0, 100), (105, 200)])
    assert scale.folds == () and scale.length == 200


@given(STRETCHES)
def test_places_grow_with_time_and_lead_back(busy: list[tuple[float, float]]) -> None:
    scale = TimeScale.of(busy)
    moments = sorted(moment for stretch in busy for moment in stretch)
    places = [scale.place(moment) for moment in moments]
    assert places == sorted(places)
    for moment, place in zip(moments, places, strict=True):
        assert scale.moment(place) == pytest.approx(moment, abs=1e-3)


def test_nothing_has_no_length() -> None:
    assert TimeScale.of([]).length == 0


@pytest.mark.parametrize(
    ("wanted", "step"), [(0.03, 0.05), (0.2, 0.2), (0.7, 1), (3, 5), (8, 15), (40, 60), (4000, 7200), (2e5, 259200)]
)
def test_ticks_stand_at_round_numbers(wanted: float, step: float) -> None:
    assert tick_step(wanted) == pytest.approx(step)
