"""What the colours and signs of a timeline mean, in as many lines as that takes: on screen and in pictures."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from callgate.core.timeline.bars import KINDS, MarkKind, SpanKind, Timeline
from callgate.ui.theme.theme import SMALL_SIZE, XS, M, Theme
from callgate.ui.timeline.painting import ALIGN, MARKS, TimelinePainter

LINE: Final = 22
_SIGN: Final = 12

Entry = tuple[SpanKind | MarkKind, str]


class LegendPainter:
    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._signs = TimelinePainter(theme)

    def height(self, timeline: Timeline, width: float) -> int:
        placed = self._placed(timeline, width)
        return LINE * (1 + max((line for line, _, _ in placed), default=0))

    def paint(self, painter: QPainter, timeline: Timeline, box: QRectF) -> None:
        painter.setFont(self._theme.ui(SMALL_SIZE - 1))
        signs = dict(MARKS)
        for line, x, (kind, words) in self._placed(timeline, box.width()):
            left, middle = box.left() + x, box.top() + line * LINE + LINE / 2
            if kind in signs:
                self._signs.sign(painter, kind, QPointF(left + _SIGN / 2, middle))  # type: ignore[arg-type]
            else:
                self._signs.swatch(painter, kind, QRectF(left, middle - 4, _SIGN, 8))  # type: ignore[arg-type]
            painter.setPen(self._theme.color("text3"))
            room = QRectF(left + _SIGN + XS, middle - LINE / 2, box.width(), LINE)
            painter.drawText(room, ALIGN, words)

    def _placed(self, timeline: Timeline, width: float) -> list[tuple[int, float, Entry]]:
        """Line and place of each."""
        metrics = QFontMetrics(self._theme.ui(SMALL_SIZE - 1))
        kinds = {span.kind for span in timeline.spans}
        marks = {mark.kind for mark in timeline.marks}
        told: list[Entry] = [entry for entry in KINDS if entry[0] in kinds]
        told += [entry for entry in MARKS.items() if entry[0] in marks]
        placed: list[tuple[int, float, Entry]] = []
        line, x = 0, 0.0
        for entry in told:
            wide = _SIGN + XS + metrics.horizontalAdvance(entry[1]) + M
            if x and x + wide - M > width:
                line, x = line + 1, 0.0
            placed.append((line, x, entry))
            x += wide
        return placed


class Legend(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._painter = LegendPainter(theme)
        self._timeline = Timeline()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, self._painter.height(self._timeline, self._room))

    def set_timeline(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.paint(painter, self._timeline, QRectF(self.rect()).adjusted(M, 0, -M, 0))
        painter.end()

    @property
    def _room(self) -> float:
        return self.width() - 2 * M

    def _fit(self) -> None:
        height = self._painter.height(self._timeline, self._room)
        if height != self.height():
            self.setFixedHeight(height)
