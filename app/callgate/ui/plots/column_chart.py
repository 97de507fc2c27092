"""Columns over time, each in layers, with a side that can be read and values under the mouse. Knows no meaning."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme, mix

# Round numbers for the side of a chart. Pure.
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


def round_ticks(most: float, wanted: int = 4, *, whole: bool = False) -> tuple[float, ...]:
    """From 0 to at least `most` in equal, round steps; `whole`: counts have no halves."""
    if most <= 0 or not math.isfinite(most):
        return (0.0, 1.0)
    raw = most / max(1, wanted)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in _STEPS if power * factor >= raw * 0.999)
    if whole:
        step = max(1.0, math.ceil(step))
    count = math.ceil(most / step - 1e-9)
    return tuple(number * step for number in range(count + 1))


HEIGHT: Final = 190
_LEGEND: Final = 20
_BELOW: Final = 18
_SWATCH: Final = 10
_WIDEST: Final = 36.0
_LABEL_ROOM: Final = 64.0
_SIDE: Final = 46.0
_BESIDE: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of value in every column."""

    name: str
    color: str
    """A name of `Tokens`."""
    values: tuple[float, ...]
    strength: float = 1.0
    """How much of the colour: layers of one colour are told apart by it."""


class ColumnChart(QWidget):
    def __init__(
        self, theme: Theme, name: str, spell: Callable[[float], str] = "{:g}".format, parent: QWidget | None = None
    ) -> None:
        """`name`: for assistive technology; `spell`: a value as people read it."""
        super().__init__(parent)
        self._theme, self._name, self._spell = theme, name, spell
        self.layers: tuple[Layer, ...] = ()
        self._labels: tuple[str, ...] = ()
        self._spans: tuple[str, ...] = ()
        self._whole = False
        self.hovered = -1
        """The column under the mouse, or walked to; -1 = none."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def set_layers(
        self, layers: Sequence[Layer], labels: Sequence[str], spans: Sequence[str] = (), *, whole: bool = False
    ) -> None:
        """`labels`: under each column; `spans`: what each stands for, in full; `whole`: values are counts."""
        self.layers, self._labels = tuple(layers), tuple(labels)
        self._spans, self._whole = tuple(spans) or tuple(labels), whole
        self.hovered = -1
        totals = [self._total(place) for place in range(len(self._labels))]
        said = f"{self._spell(sum(totals))} in all, at most {self._spell(max(totals))}" if any(totals) else "nothing"
        self.setAccessibleName(f"{self._name}: {said}")
        self.update()

    @property
    def is_empty(self) -> bool:
        return not any(value for layer in self.layers for value in layer.values)

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, HEIGHT)

    def words(self, place: int) -> str:
        """What a column says when one asks it."""
        told = [f"{layer.name}: {self._spell(layer.values[place])}" for layer in self.layers if layer.values[place]]
        return "\n".join([self._spans[place], *(told or ["nothing"])])

    def column(self, place: int) -> QRectF:
        """The room of a column, from top to bottom."""
        area = self._area()
        step = area.width() / max(1, len(self._labels))
        return QRectF(area.left() + step * place, area.top(), step, area.height())

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.ui(SMALL_SIZE - 1))
        top = self._draw_side(painter)
        if self.is_empty:
            painter.setPen(self._theme.color("text3"))
            painter.drawText(self._area(), int(Qt.AlignmentFlag.AlignCenter), "Nothing in this time")
        else:
            for place in range(len(self._labels)):
                self._draw_column(painter, place, top)
        self._draw_labels(painter)
        if self.hovered >= 0 and not self.is_empty:
            self._draw_words(painter)
        else:
            self._draw_legend(painter)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos().x())
            if place >= 0:
                QToolTip.showText(event.globalPos(), plain_tip(self.words(place)), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().x())
        if place != self.hovered:
            self.hovered = place
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Left, Qt.Key.Key_Right) or not self._labels:
            super().keyPressEvent(event)
            return
        step = 1 if event.key() == Qt.Key.Key_Right else -1
        self.hovered = min(max(self.hovered + step, 0), len(self._labels) - 1)
        self.setAccessibleDescription(self.words(self.hovered))
        self.update()

    # ---- drawing ---------------------------------------------------------------------------------------------------

    def _draw_side(self, painter: QPainter) -> float:
        """Lines with their values; returns the value at the top."""
        most = max((self._total(place) for place in range(len(self._labels))), default=0.0)
        ticks = round_ticks(most, whole=self._whole)
        area = self._area()
        for tick in ticks:
            y = area.bottom() - area.height() * tick / ticks[-1]
            painter.setPen(QPen(self._theme.color("border"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme.color("text3"))
            box = QRectF(0, y - 8, _SIDE - XS, 16)
            if not self.is_empty:
                painter.drawText(box, _BESIDE, self._spell(tick))
        return ticks[-1]

    def _draw_column(self, painter: QPainter, place: int, top: float) -> None:
        room, area = self.column(place), self._area()
        surface = self._theme.color("surface")
        if place == self.hovered:
            painter.fillRect(room, mix(self._theme.color("text"), surface, 0.06))
        width = min(_WIDEST, max(1.0, room.width() * 0.72))
        bottom = area.bottom()
        painter.setPen(Qt.PenStyle.NoPen)
        for layer in self.layers:
            height = area.height() * layer.values[place] / top
            if height <= 0:
                continue
            bar = QRectF(room.center().x() - width / 2, bottom - max(1.0, height), width, max(1.0, height))
            painter.setBrush(mix(self._theme.color(layer.color), surface, layer.strength))
            painter.drawRoundedRect(bar, min(2.0, width / 2), min(2.0, width / 2))
            bottom -= height

    def _draw_labels(self, painter: QPainter) -> None:
        painter.setPen(self._theme.color("text3"))
        area = self._area()
        step = area.width() / max(1, len(self._labels))
        every = max(1, int(_LABEL_ROOM // max(step, 1.0)) + 1)
        for place in range(0, len(self._labels), every):
            width = painter.fontMetrics().horizontalAdvance(self._labels[place])
            left = max(area.left(), min(self.column(place).center().x() - width / 2, area.right() - width))
            box = QRectF(left, area.bottom() + 2, width + 1, _BELOW)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), self._labels[place])

    def _draw_words(self, painter: QPainter) -> None:
        """The values of the column under the mouse, at once and in the place of the legend."""
        x = self._area().left()
        span, *told = self.words(self.hovered).split("\n")
        line = f"{span}   {' · '.join(told)}"
        box = QRectF(x, 0, self.width() - x - XS, _LEGEND - 2)
        painter.setPen(self._theme.color("text2"))
        shown = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)

    def _draw_legend(self, painter: QPainter) -> None:
        for layer, box in self._legend():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mix(self._theme.color(layer.color), self._theme.color("surface"), layer.strength))
            painter.drawRoundedRect(QRectF(box.left(), box.center().y() - 5, _SWATCH, 8), 2, 2)
            painter.setPen(self._theme.color("text3"))
            words = box.adjusted(_SWATCH + XS, 0, 0, -2)
            painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), layer.name)

    def _legend(self) -> list[tuple[Layer, QRectF]]:
        """Where the name of each layer stands, in as many lines as it takes; one alone is named by the title."""
        if len(self.layers) < 2:
            return []
        metrics = QFontMetrics(self._theme.ui(SMALL_SIZE - 1))
        placed: list[tuple[Layer, QRectF]] = []
        left, top = _SIDE, 0.0
        for layer in self.layers:
            if not any(layer.values):
                continue
            width = _SWATCH + XS + metrics.horizontalAdvance(layer.name) + 2
            if left + width > self.width() and left > _SIDE:
                left, top = _SIDE, top + _LEGEND
            placed.append((layer, QRectF(left, top, width, _LEGEND)))
            left += width + S
        return placed

    # ---- places ----------------------------------------------------------------------------------------------------

    def _total(self, place: int) -> float:
        return sum(layer.values[place] for layer in self.layers)

    def _area(self) -> QRectF:
        below = max((box.bottom() for _, box in self._legend()), default=float(_LEGEND))
        return QRectF(self.rect()).adjusted(_SIDE, below + XS, -XS, -_BELOW - 2)

    def _place_at(self, x: float) -> int:
        area = self._area()
        if not self._labels or not area.left() <= x < area.right():
            return -1
        return min(len(self._labels) - 1, int((x - area.left()) / (area.width() / len(self._labels))))
