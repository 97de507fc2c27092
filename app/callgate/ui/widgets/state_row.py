"""A row of two lines for things that have a state: sign, name and a mark at its end; below, how it is doing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import BODY_SIZE, ICON, SMALL_SIZE, M, S, Theme

_HEIGHT: Final = 52
_LINE: Final = 19
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class StateRow:
    name: str
    icon: str
    color: str
    """Of the icon and of the word."""
    word: str
    detail: str = ""
    mark: str = ""
    faded: bool = False


RowOf = Callable[[Index], StateRow | None]
"""What an index shows; None = nothing."""


class StateRowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, row_of: RowOf, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._row_of = theme, row_of

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._row_of(index)
        if row is None:
            return
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        box = option.rect.adjusted(M, 6, -M, -6)
        self._theme.icon(row.icon, row.color).paint(painter, QRect(box.left(), box.top() + 2, ICON, ICON))
        text = box.adjusted(ICON + S, 0, 0, 0)
        first = QRect(text.left(), text.top(), text.width(), _LINE)
        small = self._theme.ui(SMALL_SIZE)
        taken = QFontMetrics(small).horizontalAdvance(row.mark) + S if row.mark else 0
        bold = self._theme.ui(BODY_SIZE, bold=True)
        self._write(painter, first.adjusted(0, 0, -taken, 0), row.name, bold, "text2" if row.faded else "text")
        self._write(painter, first, row.mark, small, "text3", _RIGHT)
        second = QRect(text.left(), text.top() + _LINE + 2, text.width(), _LINE)
        self._write(painter, second, row.word, small, row.color)
        used = QFontMetrics(small).horizontalAdvance(row.word) + S
        self._write(painter, second.adjusted(used, 0, 0, 0), row.detail, small, "text3")
        painter.restore()

    def _write(self, painter: QPainter, box: QRect, text: str, font: QFont, color: str, flags: int = _LEFT) -> None:
        if box.width() > S and text:
            shown = QFontMetrics(font).elidedText(reveal(text), Qt.TextElideMode.ElideRight, box.width())
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, flags, shown)
