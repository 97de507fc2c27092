"""Names with bars beside them, the longest first: who or what most. Parts of a bar may have colours of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, M, S, Theme, mix

ROW: Final = 24
_BAR: Final = 8
_NAME_SHARE: Final = 0.48
"""How much of the width names may take at most."""
_LEGEND: Final = 22


@dataclass(frozen=True, slots=True)
class RankedBar:
    name: str
    parts: tuple[tuple[float, str], ...]
    """Lengths and their colours (names of `Tokens`), from the left."""
    figure: str
    """What stands behind the bar."""
    words: str
    """In full, for whoever hovers."""
    key: str = ""

    @property
    def total(self) -> float:
        return sum(value for value, _ in self.parts)


class RankedBars(QWidget):
    picked = Signal(str)
    """The key of the bar that was clicked."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
        *,
        mono: bool = False,
        legend: Sequence[tuple[str, str]] = (),
    ) -> None:
        """`name`: for assistive technology; `mono`: names are spelled as code is; `legend`: colours and their names."""
        super().__init__(parent)
        self._theme, self._name, self._mono, self._legend = theme, name, mono, tuple(legend)
        self._top = _LEGEND if legend else 0
        self._name_room = 0
        """How wide the widest name is."""
        self.bars: tuple[RankedBar, ...] = ()
        self.hovered = -1
        self._figure_room = 0
        """How wide the widest figure is."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def set_bars(self, bars: Sequence[RankedBar]) -> None:
        self.bars = tuple(bars)
        self.hovered = -1
        metrics = QFontMetrics(self._theme.ui(SMALL_SIZE))
        self._figure_room = max((metrics.horizontalAdvance(bar.figure) for bar in self.bars), default=0) + S
        names = QFontMetrics(self._name_font())
        self._name_room = max((names.horizontalAdvance(reveal(bar.name)) for bar in self.bars), default=0) + M
        said = "; ".join(bar.words.replace("\n", ", ") for bar in self.bars[:5])
        self.setAccessibleName(f"{self._name}: {said}" if said else f"{self._name}: nothing")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self._top + max(3, len(self.bars)) * ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._top + max(3, len(self.bars)) * ROW)

    def _name_font(self) -> QFont:
        return self._theme.mono(SMALL_SIZE) if self._mono else self._theme.ui(SMALL_SIZE)

    def _left(self) -> float:
        """Where bars begin: all at the same place."""
        return min(self.width() * _NAME_SHARE, self._name_room)

    def bar_rect(self, place: int) -> QRectF:
        """Where a bar is drawn."""
        most = max((bar.total for bar in self.bars), default=0.0) or 1.0
        left = self._left()
        room = max(10.0, self.width() - left - self._figure_room - S)
        return QRectF(
            left, self._top + place * ROW + (ROW - _BAR) / 2, max(2.0, room * self.bars[place].total / most), _BAR
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.bars:
            painter.setFont(self._theme.ui(SMALL_SIZE))
            painter.setPen(self._theme.color("text3"))
            painter.drawText(QRectF(self.rect()), int(Qt.AlignmentFlag.AlignCenter), "Nothing in this time")
        else:
            self._draw_legend(painter)
        for place in range(len(self.bars)):
            self._draw(painter, place)
        painter.end()

    def _draw_legend(self, painter: QPainter) -> None:
        painter.setFont(self._theme.ui(SMALL_SIZE - 1))
        metrics, left = painter.fontMetrics(), 0.0
        seen = {color for bar in self.bars for value, color in bar.parts if value}
        for color, name in self._legend:
            if color not in seen:
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(color))
            painter.drawRoundedRect(QRectF(left, _LEGEND / 2 - 6, 10, 8), 2, 2)
            painter.setPen(self._theme.color("text3"))
            width = metrics.horizontalAdvance(name)
            box = QRectF(left + 14, 0, width + 2, _LEGEND - 4)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), name)
            left += 14 + width + S

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos().y())
            if place >= 0:
                QToolTip.showText(event.globalPos(), plain_tip(self.bars[place].words), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._place_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().y())
        if place >= 0 and self.bars[place].key:
            self.picked.emit(self.bars[place].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Up | Qt.Key.Key_Down if self.bars:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self._hover(min(max(self.hovered + step, 0), len(self.bars) - 1))
                self.setAccessibleDescription(self.bars[self.hovered].words)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.hovered >= 0 and self.bars[self.hovered].key:
                self.picked.emit(self.bars[self.hovered].key)
            case _:
                super().keyPressEvent(event)

    def _draw(self, painter: QPainter, place: int) -> None:
        bar, surface = self.bars[place], self._theme.color("surface")
        row = QRectF(0, self._top + place * ROW, self.width(), ROW)
        if place == self.hovered:
            painter.fillRect(row, mix(self._theme.color("text"), surface, 0.06))
        font = self._name_font()
        room = self._left() - S
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        name = QFontMetrics(font).elidedText(reveal(bar.name), Qt.TextElideMode.ElideMiddle, int(room))
        painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), name)
        box = self.bar_rect(place)
        painter.save()
        clip = QPainterPath()
        clip.addRoundedRect(box, 3, 3)
        painter.setClipPath(clip)
        left = box.left()
        for value, color in bar.parts:
            width = box.width() * value / bar.total if bar.total else 0.0
            painter.fillRect(QRectF(left, box.top(), width, box.height()), self._theme.color(color))
            left += width
        painter.restore()
        painter.setFont(self._theme.ui(SMALL_SIZE))
        painter.setPen(self._theme.color("text2"))
        figure = QRectF(self.width() - self._figure_room, row.top(), self._figure_room, ROW)
        painter.drawText(figure, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), bar.figure)

    def _hover(self, place: int) -> None:
        if place != self.hovered:
            self.hovered = place
            self.update()

    def _place_at(self, y: float) -> int:
        place = int((y - self._top) // ROW)
        return place if 0 <= place < len(self.bars) else -1
