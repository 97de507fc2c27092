"""The timeline on screen: scrolls, zooms, tells what is under the mouse, and can be walked with the keyboard."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from callgate.core.timeline.bars import Lane, Mark, Span, Timeline
from callgate.ui.text import format as figures
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import Theme
from callgate.ui.timeline.geometry import AXIS, GUTTER, ROW, Geometry, fitting_zoom
from callgate.ui.timeline.painting import Chosen, TimelinePainter
from callgate.ui.timeline.scale import TimeScale

STEP: Final = 1.25
"""How much closer one turn of the wheel comes."""
_PAN: Final = 60
_CLOSEST: Final = 200_000.0
"""Pixels for a second: five microseconds each."""
_DRAGGED: Final = 4
_TOLD: Final = 6
"""Signs that a tool tip tells of where they lie over each other."""


class TimelineCanvas(QAbstractScrollArea):
    chosen = Signal(object)
    """The `Lane` of the bar that was clicked or walked to."""
    message_chosen = Signal(object, str)
    """The `Lane` of a message that was clicked or walked to, and the message's id."""
    message_opened = Signal()
    """The message that was chosen is to be seen in full."""
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
        self.current: Chosen = None
        self._hovered: Chosen = None
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
        there = timeline.marks if isinstance(chosen, Mark) else timeline.spans
        self.current = next((one for one in there if chosen is not None and _same(one, chosen)), None)
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

    def choose(self, wanted: Chosen) -> None:
        self.current = wanted
        if isinstance(wanted, Mark):
            self.setAccessibleDescription(mark_words(self.timeline, wanted))
            self.message_chosen.emit(self.timeline.lanes[wanted.lane], wanted.frame_id)
        elif wanted is not None:
            self.setAccessibleDescription(span_words(self.timeline, wanted))
            self.chosen.emit(self.timeline.lanes[wanted.lane])
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
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if isinstance(self.current, Mark):
                self.message_opened.emit()
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
        hovered = self._under(event.position())
        if hovered is not self._hovered:
            self._hovered = hovered
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if hovered is not None else Qt.CursorShape.ArrowCursor
            )
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            wanted = self._under(event.position())
            lane = self.geometry_now.lane_at(event.position().y())
            if wanted is None and lane >= 0:
                wanted = next((one for one in self.timeline.spans if one.lane == lane), None)
            self.choose(wanted)
            if isinstance(wanted, Mark):
                self.message_opened.emit()
        self._pressed = None
        self.viewport().unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        lane = self.geometry_now.lane_at(event.position().y())
        if lane >= 0 and not isinstance(self._under(event.position()), Mark):
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
        if marks := where.marks_at(point):
            told = sorted(marks[:_TOLD], key=lambda mark: mark.at)
            more = len(marks) - len(told)
            here = [mark_words(self.timeline, mark) for mark in told]
            return "\n".join((*here, f"{more} more here: zoom in")) if more else "\n".join(here)
        span = where.span_at(point)
        if span is not None:
            return span_words(self.timeline, span)
        lane = where.lane_at(point.y())
        return lane_words(self.timeline.lanes[lane]) if lane >= 0 and point.x() < GUTTER else ""

    def _under(self, point: QPointF) -> Chosen:
        """A message's sign lies above the bars; other signs are only told of."""
        where = self.geometry_now
        messages = [mark for mark in where.marks_at(point) if mark.frame_id]
        # progress is plenty: what asks or answers must not be hidden behind it
        return min(messages, key=lambda mark: mark.kind == "notice", default=None) or where.span_at(point)

    def _step(self, by: int) -> None:
        steps: list[Span | Mark] = [*self.timeline.spans, *(mark for mark in self.timeline.marks if mark.frame_id)]
        if not steps:
            return
        # where messages stand, they are what one walks along, and their bars only tell how long each took
        said = {step.lane for step in steps if isinstance(step, Mark)}
        steps = [step for step in steps if isinstance(step, Mark) or step.lane not in said]
        steps.sort(key=lambda step: (step.lane, _moment(step)))
        place = steps.index(self.current) + by if self.current in steps else 0 if by > 0 else len(steps) - 1
        step = steps[min(max(place, 0), len(steps) - 1)]
        self.choose(step)
        self._bring(step)

    def _bring(self, wanted: Span | Mark) -> None:
        """Into sight."""
        where, height = self.geometry_now, self.viewport().height()
        top = where.lane_top(wanted.lane)
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        if top < AXIS:
            down.setValue(round(down.value() + top - AXIS))
        elif top + ROW > height:
            down.setValue(round(down.value() + top + ROW - height))
        left = where.x(_moment(wanted))
        if not GUTTER <= left <= where.width - _PAN:
            across.setValue(round(across.value() + left - GUTTER - where.room / 3))

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


def mark_words(timeline: Timeline, mark: Mark) -> str:
    return f"{mark.words}\n{_after(timeline, mark.at)}"


def lane_words(lane: Lane) -> str:
    call = f"\ncall {lane.call_id}" if lane.call_id else ""
    return f"{lane.title} · {lane.about}{call}" if lane.about else f"{lane.title}{call}"


def _after(timeline: Timeline, at: float) -> str:
    return f"{figures.seconds(at - timeline.start)} after the start, at {figures.moment(at)}"


def _moment(one: Span | Mark) -> float:
    return one.at if isinstance(one, Mark) else one.start


def _same(one: Span | Mark, other: Span | Mark) -> bool:
    return (one.kind, _moment(one), one.words) == (other.kind, _moment(other), other.words)
