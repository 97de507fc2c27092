"""A few bars beside each other: one for each day, agent or whatever; part of a bar may be marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, XS, Theme, mix

HEIGHT = 56
_GAP = 3
_WIDEST = 28
_LABEL = 14


@dataclass(frozen=True, slots=True)
class Bar:
    value: float
    words: str
    """What it stands for, in full: shown on hover and told to assistive technology."""
    label: str = ""
    """Under the bar, where there is room."""
    marked: float = 0.0
    """The part of the value that is drawn in the second colour: failures."""


class BarChart(QWidget):
    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """`name`: for assistive technology."""
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._bars: tuple[Bar, ...] = ()
        self._colors = ("accent", "denied")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    @property
    def bars(self) -> tuple[Bar, ...]:
        return self._bars

    def set_bars(self, bars: Sequence[Bar], *, color: str = "accent", marked: str = "denied") -> None:
        """`color`, `marked`: names of `Tokens`."""
        self._bars, self._colors = tuple(bars), (color, marked)
        said = "; ".join(bar.words for bar in self._bars if bar.value)
        self.setAccessibleName(f"{self._name}: {said}" if said else f"{self._name}: nothing")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, HEIGHT)

    def bar_rect(self, position: int) -> QRectF:
        """Where a bar is drawn; one without a value is a line at the bottom."""
        area = self._area()
        step = min(area.width() / max(1, len(self._bars)), _WIDEST + _GAP)
        top = max((bar.value for bar in self._bars), default=0.0) or 1.0
        height = max(1.0, area.height() * self._bars[position].value / top)
        return QRectF(area.left() + step * position, area.bottom() - height, max(1.0, step - _GAP), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.ui(SMALL_SIZE - 2))
        color, marked = (self._theme.color(name) for name in self._colors)
        empty = mix(self._theme.color("text3"), self._theme.color("surface"), 0.35)
        painter.setPen(Qt.PenStyle.NoPen)
        for position, bar in enumerate(self._bars):
            rect = self.bar_rect(position)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color if bar.value else empty)
            painter.drawRoundedRect(rect, min(2.0, rect.height() / 2), min(2.0, rect.height() / 2))
            if bar.marked and bar.value:
                share = rect.height() * bar.marked / bar.value
                painter.setBrush(marked)
                painter.drawRoundedRect(rect.adjusted(0, rect.height() - share, 0, 0), 2, 2)
            if bar.label:
                painter.setPen(self._theme.color("text3"))
                width = painter.fontMetrics().horizontalAdvance(bar.label) + 2
                left = min(max(0.0, rect.center().x() - width / 2), self.width() - width)
                place = QRectF(left, rect.bottom() + 1, width, _LABEL)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, bar.label)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            for position, bar in enumerate(self._bars):
                rect = self.bar_rect(position)
                if rect.left() - _GAP / 2 <= event.pos().x() <= rect.right() + _GAP / 2:
                    QToolTip.showText(event.globalPos(), plain_tip(bar.words), self)
                    return True
        return super().event(event)

    def _area(self) -> QRectF:
        labelled = any(bar.label for bar in self._bars)
        return QRectF(self.rect()).adjusted(0, XS, 0, -(_LABEL + 2) if labelled else -1)
