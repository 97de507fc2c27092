"""Bars stand where their time is, at every zoom."""

import pytest
from PySide6.QtCore import QPointF
from tests.fakes.samples import sample_conversation

from callgate.core.timeline.bars import Timeline
from callgate.core.timeline.fold import TimelineFold
from callgate.ui.timeline.geometry import AXIS, GUTTER, ROW, Geometry, fitting_zoom
from callgate.ui.timeline.scale import TimeScale


def drawn(width: float = 900, closer: float = 1.0, left: float = 0.0) -> Geometry:
    fold = TimelineFold()
    fold.apply_all(sample_conversation())
    timeline = fold.timeline()
    scale = TimeScale.of((span.start, span.end) for span in timeline.spans)
    return Geometry(timeline, scale, width, fitting_zoom(scale, width) * closer, left)


def test_all_bars_are_in_sight_when_it_fits() -> None:
    where = drawn()
    for span in where.timeline.spans:
        bar = where.bar(span)
        assert bar.left() >= GUTTER and bar.right() <= where.width
        assert bar.top() >= AXIS and bar.bottom() <= where.height


@pytest.mark.parametrize("closer", [1.0, 7.0])
def test_a_bar_is_found_under_its_middle(closer: float) -> None:
    where = drawn(closer=closer, left=100 * (closer - 1))
    for span in where.timeline.spans:
        middle = where.bar(span).center()
        if middle.x() > GUTTER:
            found = where.span_at(middle)
            assert found is not None and found.lane == span.lane
            assert where.moment(where.x(span.start)) == pytest.approx(span.start, abs=1e-3)


def test_nothing_is_found_where_nothing_is() -> None:
    where = drawn()
    assert where.span_at(QPointF(GUTTER - 5, AXIS + 5)) is None
    assert where.lane_at(3) == -1 and where.lane_at(AXIS + ROW * 99) == -1 and where.lane_at(AXIS + 1) == 0
    assert Geometry(Timeline(), TimeScale(), 500).time_width > 0 and fitting_zoom(TimeScale(), 500) > 0
