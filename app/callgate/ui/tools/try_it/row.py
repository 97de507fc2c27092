"""A row of two lines with an icon, as tries and examples look in their lists. Draws roles; knows neither."""

from enum import IntEnum
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.ui.theme.theme import BODY_SIZE, ICON, SMALL_SIZE, S, Theme

Index = QModelIndex | QPersistentModelIndex

_ROW: Final = 46
_LINE: Final = 18
_PLACE: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


class Row(IntEnum):
    ITEM = Qt.ItemDataRole.UserRole + 1
    """The value behind the row."""
    HEAD = Qt.ItemDataRole.UserRole + 2
    FOOT = Qt.ItemDataRole.UserRole + 3
    CODE = Qt.ItemDataRole.UserRole + 4
    """Which line is code: `head` or `foot`."""
    FIXED = Qt.ItemDataRole.UserRole + 5
    """True: it is not the person's own, and can't be deleted."""


class RowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        top = option.rect.top() + (_ROW - 2 * _LINE) // 2
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(icon, QIcon):
            icon.paint(painter, QRect(option.rect.left() + S, top + (_LINE - ICON) // 2, ICON, ICON))
        left = option.rect.left() + S + ICON + S
        width = option.rect.right() - S - left
        is_code = str(index.data(Row.CODE))
        upper = QRect(left, top, width, _LINE)
        self._line(painter, upper, str(index.data(Row.HEAD)), is_code == "head", "text")
        self._line(painter, upper.translated(0, _LINE), str(index.data(Row.FOOT)), is_code == "foot", "text3")
        painter.restore()

    def _line(self, painter: QPainter, box: QRect, text: str, code: bool, ink: str) -> None:
        font: QFont = self._theme.mono() if code else self._theme.ui(SMALL_SIZE if ink == "text3" else BODY_SIZE)
        painter.setFont(font)
        painter.setPen(self._theme.color(ink))
        painter.drawText(box, _PLACE, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width()))
