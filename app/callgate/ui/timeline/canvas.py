"""The timeline on screen: scrolls, zooms, tells what is under the mouse, and can be walked with the keyboard."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from callgate.core.timeline import Lane, Mark, Span, Timeline
from callgate.core.timeline_scale import TimeScale
from callgate.ui import figures
from callgate.ui.plain_text import plain_tip
from callgate.ui.theme import Theme
from callgate.ui.timeline.geometry import AXIS, GUTTER, ROW, Geometry, fitting_zoom
from callgate.ui.timeline.painting import TimelinePainter

STEP: Final = 1.25
"""How much closer one turn of the wheel comes."""
_PAN: Final = 60
_CLOSEST: Final = 200_000.0
"""Pixels for a second: five microseconds each."""
_DRAGGED: Final = 4
_NEAR_MARK: Final = 4.0


class TimelineCanvas(QAbstractScrollArea):
    chosen = Signal(object)
    """The `Lane` of the bar that was clicked or walked to."""
    open_pressed = Signal(object)
    """The `Lane` whose exchange the person wants to see in full."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timelineCanvas")
        self.setAccessibleName("Timeline")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self._theme = theme
        self.painter = TimelinePainter(theme)
        self.timeline = Timeline()
        self._scale = TimeScale()
        self._zoom = 0.0
        """Pixels for a second; 0 = whatever shows all of it."""
        self.current: Span | None = None
        self._hovered: Span | None = None
        self._pressed: QPoint | None = None
        self._dragged = False
        theme.changed.connect(self.viewport().update)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(lambda _: self.viewport().update())

    def set_timeline(self, timeline: Timeline) -> None:
        """Keeps the zoom, the place and what is chosen, where they still mean something."""
        chosen = self.current
        self.timeline = timeline
        self._scale = TimeScale.of((span.start, span.end) for span in timeline.spans)
        self.current = next((span for span in timeline.spans if chosen is not None and _same(span, chosen)), None)
        self._hovered = None
        self._set_bars()
        self.viewport().update()

    @property
    def geometry_now(self) -> Geometry:
        return Geometry(
            self.timeline,
            self._scale,
            self.viewport().width(),
            self.zoom,
            self.horizontalScrollBar().value(),
            self.verticalScrollBar().value(),
        )

    @property
    def zoom(self) -> float:
        return self._zoom or fitting_zoom(self._scale, self.viewport().width())

    @property
    def is_fitted(self) -> bool:
        return not self._zoom

    def fit(self) -> None:
        self._zoom = 0.0
        self._set_bars()
        self.viewport().update()

    def zoom_by(self, factor: float, at: float | None = None) -> None:
        """`at`: the place on screen that stays where it is; None = the middle."""
        x = at if at is not None else GUTTER + (self.viewport().width() - GUTTER) / 2
        moment = self.geometry_now.moment(x)
        fitted = fitting_zoom(self._scale, self.viewport().width())
        wanted = min(max(self.zoom * factor, fitted), _CLOSEST)
        self._zoom = 0.0 if wanted <= fitted * 1.001 else wanted
        self._set_bars()
        self.horizontalScrollBar().setValue(round(self.geometry_now.x(moment) - x + self.horizontalScrollBar().value()))
        self.viewport().update()

    def choose(self, span: Span | None) -> None:
        self.current = span
        if span is not None:
            lane = self.timeline.lanes[span.lane]
            self.setAccessibleDescription(span_words(self.timeline, span))
            self.chosen.emit(lane)
        self.viewport().update()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(600, 200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_bars()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        box = QRectF(self.viewport().rect())
        self.painter.paint(painter, self.geometry_now, box, self.current, self._hovered)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(STEP ** (turn.y() / 120), event.position().x())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(turn.x()) > abs(turn.y()):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (turn.x() or turn.y()))
        else:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - turn.y() * ROW // 40)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_by(STEP**2)
            case Qt.Key.Key_Minus:
                self.zoom_by(STEP**-2)
            case Qt.Key.Key_0 | Qt.Key.Key_F:
                self.fit()
            case Qt.Key.Key_Left | Qt.Key.Key_Right if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._step(1 if event.key() == Qt.Key.Key_Right else -1)
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                bar = self.horizontalScrollBar()
                bar.setValue(bar.value() + (_PAN if event.key() == Qt.Key.Key_Right else -_PAN))
            case Qt.Key.Key_Down | Qt.Key.Key_J:
                self._step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_K:
                self._step(-1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.current is not None:
                self.open_pressed.emit(self.timeline.lanes[self.current.lane])
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = point - self._pressed
            if self._dragged or moved.manhattanLength() > _DRAGGED:
                self._dragged = True
                self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
                across, down = self.horizontalScrollBar(), self.verticalScrollBar()
                across.setValue(across.value() - moved.x())
                down.setValue(down.value() - moved.y())
                self._pressed = point
            return
        hovered = self.geometry_now.span_at(event.position())
        if hovered is not self._hovered:
            self._hovered = hovered
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if hovered is not None else Qt.CursorShape.ArrowCursor
            )
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            where = self.geometry_now
            span = where.span_at(event.position())
            lane = where.lane_at(event.position().y())
            if span is None and lane >= 0:
                span = next((one for one in self.timeline.spans if one.lane == lane), None)
            self.choose(span)
        self._pressed = None
        self.viewport().unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        lane = self.geometry_now.lane_at(event.position().y())
        if lane >= 0:
            self.open_pressed.emit(self.timeline.lanes[lane])

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(words), self.viewport())
            return True
        if event.type() == QEvent.Type.Leave and self._hovered is not None:
            self._hovered = None
            self.viewport().update()
        return super().viewportEvent(event)

    # ---- parts -----------------------------------------------------------------------------------------------------

    def words_at(self, point: QPointF) -> str:
        """What a tool tip says there; empty = nothing."""
        where = self.geometry_now
        mark = self._mark_at(where, point)
        if mark is not None:
            return f"{mark.words}\n{_after(self.timeline, mark.at)}"
        span = where.span_at(point)
        if span is not None:
            return span_words(self.timeline, span)
        lane = where.lane_at(point.y())
        return lane_words(self.timeline.lanes[lane]) if lane >= 0 and point.x() < GUTTER else ""

    def _mark_at(self, where: Geometry, point: QPointF) -> Mark | None:
        lane = where.lane_at(point.y())
        here = (mark for mark in self.timeline.marks if mark.lane == lane)
        near = [mark for mark in here if abs(where.x(mark.at) - point.x()) < _NEAR_MARK]
        return near[0] if near and point.x() > GUTTER else None

    def _step(self, by: int) -> None:
        spans = sorted(self.timeline.spans, key=lambda span: (span.lane, span.start))
        if not spans:
            return
        place = spans.index(self.current) + by if self.current in spans else 0 if by > 0 else len(spans) - 1
        span = spans[min(max(place, 0), len(spans) - 1)]
        self.choose(span)
        self._bring(span)

    def _bring(self, span: Span) -> None:
        """Into sight."""
        where, height = self.geometry_now, self.viewport().height()
        top = where.lane_top(span.lane)
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        if top < AXIS:
            down.setValue(round(down.value() + top - AXIS))
        elif top + ROW > height:
            down.setValue(round(down.value() + top + ROW - height))
        bar = where.bar(span)
        if not GUTTER <= bar.left() <= where.width - _PAN:
            across.setValue(round(across.value() + bar.left() - GUTTER - where.room / 3))

    def _set_bars(self) -> None:
        where, view = self.geometry_now, self.viewport()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setPageStep(round(where.room))
        across.setSingleStep(_PAN)
        across.setRange(0, 0 if self.is_fitted else max(0, round(where.time_width - where.room)))
        down.setPageStep(max(1, view.height() - AXIS))
        down.setSingleStep(ROW)
        down.setRange(0, max(0, round(where.height - view.height())))


def span_words(timeline: Timeline, span: Span) -> str:
    lane = timeline.lanes[span.lane]
    ongoing = ", still going on" if span.is_live else ""
    call = f"\ncall {lane.call_id}" if lane.call_id else ""
    return f"{span.words}\n{figures.seconds(span.seconds)}{ongoing}, {_after(timeline, span.start)}{call}"


def lane_words(lane: Lane) -> str:
    call = f"\ncall {lane.call_id}" if lane.call_id else ""
    return f"{lane.title} · {lane.about}{call}" if lane.about else f"{lane.title}{call}"


def _after(timeline: Timeline, at: float) -> str:
    return f"{figures.seconds(at - timeline.start)} after the start, at {figures.moment(at)}"


def _same(one: Span, other: Span) -> bool:
    return (one.kind, one.lane, one.start) == (other.kind, other.lane, other.start)
