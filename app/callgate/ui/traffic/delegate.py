"""Draws the cells of the traffic table: text, the status with its icon, the duration with its bar. Reads roles only."""

import math
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.ui.text import format as figures
from callgate.ui.theme.theme import ICON, SMALL_SIZE, XS, S, Theme, mix
from callgate.ui.traffic import columns
from callgate.ui.traffic.columns import AGENT, COLUMNS, MODEL, STATUS_LOOK, TIME, status_words
from callgate.ui.traffic.model import Role
from callgate.ui.traffic.row import TrafficRow

HEIGHT: Final = 26
_BAR: Final = 6
_FIGURE: Final = 62
"""Room for the words beside the bar."""
_SHORTEST: Final = 3
BARS: Final = (
    ("provider", "text3", "first token"),
    ("streaming", "accent", "streaming"),
    ("person", "waiting", "person"),
    ("tools", "executing", "tools"),
)
"""What the time went into, its colour, and its name; the rest of the bar is the time between rounds."""
_LOUD: Final = frozenset({AGENT, MODEL})
"""Columns whose text is told apart at first sight; the others are figures and context."""

Index = QModelIndex | QPersistentModelIndex


class TrafficDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fonts: tuple[QFont, QFont] = self._pick_fonts()
        theme.changed.connect(self._dress)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(COLUMNS[index.column()].width, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(Role.ROW)
        if not isinstance(row, TrafficRow):
            return
        painter.save()
        self._ground(painter, option, row)
        faint = "text2" if option.state & QStyle.StateFlag.State_Selected else "text3"
        box = option.rect.adjusted(S, 0, -S, 0)
        match index.column():
            case columns.STATUS:
                self._status(painter, box, row)
            case columns.DURATION:
                self._duration(painter, box, row, float(index.data(Role.LONGEST)), faint)
            case column:
                self._text(painter, box, row, column, str(index.data()), faint)
        painter.restore()

    def _pick_fonts(self) -> tuple[QFont, QFont]:
        figure = self._theme.ui(SMALL_SIZE)
        figure.setFeature(QFont.Tag("tnum"), 1)
        return self._theme.ui(SMALL_SIZE), figure

    def _dress(self) -> None:
        self._fonts = self._pick_fonts()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, row: TrafficRow) -> None:
        surface = self._theme.color("surface")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, mix(self._theme.color("accent"), surface, 0.18))
        elif row.status == "waiting":
            painter.fillRect(option.rect, mix(self._theme.color("waiting"), surface, 0.09))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, mix(self._theme.color("text"), surface, 0.05))

    def _text(self, painter: QPainter, box: QRect, row: TrafficRow, column: int, text: str, faint: str) -> None:
        if not text:
            return
        is_number = COLUMNS[column].is_number or column == TIME
        font = self._fonts[is_number]
        tone = "text" if column in _LOUD and not row.round else faint if row.round or column == TIME else "text2"
        side = Qt.AlignmentFlag.AlignRight if COLUMNS[column].is_number else Qt.AlignmentFlag.AlignLeft
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)

    def _status(self, painter: QPainter, box: QRect, row: TrafficRow) -> None:
        look = STATUS_LOOK[row.status]
        size = ICON - 2
        self._theme.icon(look.icon, look.color).paint(
            painter, QRect(box.left(), box.center().y() - size // 2, size, size)
        )
        font = self._fonts[0]
        painter.setFont(font)
        painter.setPen(self._theme.color(look.color))
        room = box.adjusted(size + XS + 2, 0, 0, 0)
        shown = QFontMetrics(font).elidedText(status_words(row), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    def _duration(self, painter: QPainter, box: QRect, row: TrafficRow, longest: float, faint: str) -> None:
        painter.setFont(self._fonts[1])
        painter.setPen(self._theme.color(faint if row.round else "text2"))
        figure = QRect(box.left(), box.top(), _FIGURE, box.height())
        painter.drawText(
            figure, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figures.seconds(row.seconds)
        )
        room = box.width() - _FIGURE - S
        if room < 2 * _SHORTEST or longest <= 0:
            return
        # by the square root: one call that waited for lunch must not make all the others look alike
        length = max(_SHORTEST, room * math.sqrt(min(1.0, row.seconds / longest)))
        bar = QRectF(box.left() + _FIGURE + S, box.center().y() - _BAR / 2 + 0.5, length, _BAR)
        self._bar(painter, bar, row)

    def _bar(self, painter: QPainter, bar: QRectF, row: TrafficRow) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        outline = QPainterPath()
        outline.addRoundedRect(bar, 2, 2)
        painter.setClipPath(outline)
        surface = self._theme.color("surface")
        painter.fillRect(bar, mix(self._theme.color("text3"), surface, 0.3))
        left = bar.left()
        scale = bar.width() / row.seconds if row.seconds > 0 else 0.0
        for name, _, _ in BARS:
            width = min(getattr(row.spent, name) * scale, bar.right() - left)
            painter.fillRect(QRectF(left, bar.top(), width, bar.height()), bar_color(self._theme, name))
            left += width


def bar_color(theme: Theme, part: str) -> QColor:
    color = next(color for name, color, _ in BARS if name == part)
    return mix(theme.color(color), theme.color("surface"), 0.75 if part == "provider" else 1.0)
