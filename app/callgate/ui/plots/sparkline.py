"""A line of numbers in the height of a row or two: how something went, not how much exactly."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from callgate.ui.theme.theme import SMALL_SIZE, XS, Theme, mix

HEIGHT = 44
_DOT = 2.5


class Sparkline(QWidget):
    def __init__(
        self, theme: Theme, name: str, spell: Callable[[float], str] = "{:g}".format, parent: QWidget | None = None
    ) -> None:
        """`name`: for assistive technology; `spell`: a value as people read it."""
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._spell = spell
        self._values: tuple[float, ...] = ()
        self._marks: tuple[tuple[float, str], ...] = ()
        self._color = "accent"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    @property
    def values(self) -> tuple[float, ...]:
        return self._values

    def set_values(
        self, values: Sequence[float], *, marks: Sequence[tuple[float, str]] = (), color: str = "accent"
    ) -> None:
        """`marks`: heights to draw a dashed line at, with a word each; `color`: a name of `Tokens`."""
        self._values, self._marks, self._color = tuple(values), tuple(marks), color
        said = f"{self._name}: no values"
        if self._values:
            low, high = self._spell(min(self._values)), self._spell(max(self._values))
            said = (
                f"{self._name}: {len(self._values)} values from {low} to {high}, last {self._spell(self._values[-1])}"
            )
        self.setAccessibleName(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, HEIGHT)

    def point(self, position: int) -> QPointF:
        """Where a value is drawn."""
        area = self._area()
        top = max((*self._values, *(height for height, _ in self._marks)), default=0.0) or 1.0
        step = area.width() / max(1, len(self._values) - 1)
        x = area.left() + (step * position if len(self._values) > 1 else area.width())
        return QPointF(x, self._height_of(self._values[position], top))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        painter.setPen(QPen(self._theme.color("border"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if self._values:
            self._draw_marks(painter)
            self._draw_line(painter)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._values:
            nearest = min(range(len(self._values)), key=lambda at: abs(self.point(at).x() - event.pos().x()))
            QToolTip.showText(event.globalPos(), self._spell(self._values[nearest]), self)
            return True
        return super().event(event)

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_DOT, XS, -_DOT, -XS)

    def _height_of(self, value: float, top: float) -> float:
        area = self._area()
        return area.bottom() - area.height() * max(0.0, value) / top

    def _draw_marks(self, painter: QPainter) -> None:
        area = self._area()
        top = max((*self._values, *(height for height, _ in self._marks))) or 1.0
        painter.setFont(self._theme.ui(SMALL_SIZE - 2))
        lowest: float | None = None
        for height, word in sorted(self._marks, reverse=True):
            y = self._height_of(height, top)
            painter.setPen(QPen(self._theme.color("border"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme.color("text3"))
            below = y < area.top() + painter.fontMetrics().height()
            y_word = y + painter.fontMetrics().ascent() + 1 if below else y - 2
            if lowest is None or y_word - painter.fontMetrics().ascent() > lowest:  # else it would cover the one above
                painter.drawText(QPointF(area.left() + 2, y_word), word)
                lowest = y_word

    def _draw_line(self, painter: QPainter) -> None:
        color, area = self._theme.color(self._color), self._area()
        points = [self.point(at) for at in range(len(self._values))]
        path = QPainterPath(points[0])
        for point in points[1:]:
            path.lineTo(point)
        ground = QPainterPath(path)
        ground.lineTo(points[-1].x(), area.bottom())
        ground.lineTo(points[0].x(), area.bottom())
        ground.closeSubpath()
        painter.fillPath(ground, mix(color, self._theme.color("surface"), 0.14))
        painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(points[-1], _DOT, _DOT)
