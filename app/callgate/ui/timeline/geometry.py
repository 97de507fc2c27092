"""Where things stand on a timeline's picture, in pixels. Pure but for Qt's rectangles; paints nothing."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF

from callgate.core.timeline.bars import Mark, Span, Timeline
from callgate.ui.timeline.scale import TimeScale

GUTTER: Final = 230
"""Room for the names of the lanes."""
AXIS: Final = 26
ROW: Final = 24
BAR: Final = 14
EDGE: Final = 16
"""Free room at both ends of the time."""
_NARROWEST: Final = 2.0
_THIN: Final = {"exchange": 4, "rpc": 8, "question": 4}
"""Bars that stand for something inside or around others."""
_NEAR_MARK: Final = 5.0
_GRASP: Final = 3.0
"""How far beside a bar a mouse may be and still mean it."""


@dataclass(frozen=True, slots=True)
class Geometry:
    timeline: Timeline
    scale: TimeScale
    width: float
    """Of the whole picture, names included."""
    zoom: float = 1.0
    """Pixels for a second."""
    left: float = 0.0
    """How many pixels of the time are out of sight."""
    top: float = 0.0

    @property
    def height(self) -> float:
        """Of everything, seen or not."""
        return AXIS + ROW * len(self.timeline.lanes) + EDGE / 2

    @property
    def room(self) -> float:
        return max(1.0, self.width - GUTTER)

    @property
    def time_width(self) -> float:
        """Of all the time, seen or not."""
        return self.scale.length * self.zoom + 2 * EDGE

    def x(self, at: float) -> float:
        return GUTTER + EDGE + self.scale.place(at) * self.zoom - self.left

    def moment(self, x: float) -> float:
        return self.scale.moment((x - GUTTER - EDGE + self.left) / self.zoom)

    def lane_top(self, lane: int) -> float:
        return AXIS + ROW * lane - self.top

    def lanes_within(self, height: float) -> range:
        """Those that are in sight on a picture of that height."""
        first = max(0, int(self.top // ROW))
        last = int((height - AXIS + self.top) // ROW) + 1
        return range(first, max(first, min(len(self.timeline.lanes), last)))

    def lane_at(self, y: float) -> int:
        """-1 = none."""
        lane = int((y - AXIS + self.top) // ROW)
        return lane if y >= AXIS and 0 <= lane < len(self.timeline.lanes) else -1

    def bar(self, span: Span) -> QRectF:
        left, right = self.x(span.start), self.x(span.end)
        thin = _THIN.get(span.kind, BAR)
        top = self.lane_top(span.lane) + (ROW - thin) / 2
        return QRectF(left, top, max(_NARROWEST, right - left), thin)

    def span_at(self, point: QPointF) -> Span | None:
        """The bar under a point; the one drawn last wins."""
        lane = self.lane_at(point.y())
        if lane < 0 or point.x() < GUTTER:
            return None
        near = [span for span in self.timeline.spans if span.lane == lane]
        for span in reversed(near):
            bar = self.bar(span)
            if bar.left() - _GRASP <= point.x() <= bar.right() + _GRASP:
                return span
        return None

    def marks_at(self, point: QPointF) -> list[Mark]:
        """Signs near a point, the nearest first."""
        lane = self.lane_at(point.y())
        if lane < 0 or point.x() < GUTTER:
            return []
        near = [mark for mark in self.timeline.marks if mark.lane == lane]
        near = [mark for mark in near if abs(self.x(mark.at) - point.x()) < _NEAR_MARK]
        return sorted(near, key=lambda mark: abs(self.x(mark.at) - point.x()))


def fitting_zoom(scale: TimeScale, width: float) -> float:
    """Pixels for a second at which all of it is seen."""
    room = max(40.0, width - GUTTER - 2 * EDGE)
    return room / scale.length if scale.length > 0 else room
