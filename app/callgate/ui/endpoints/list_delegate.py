"""Draws an endpoint in two lines: its sign, name and whether it is the default; below, how it is doing. Asks nobody."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.endpoints.list_model import EndpointRole
from callgate.ui.endpoints.look import look_of, models_words
from callgate.ui.reveal import reveal
from callgate.ui.theme import BODY_SIZE, ICON, SMALL_SIZE, M, S, Theme

_HEIGHT: Final = 52
_LINE: Final = 19
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)

Index = QModelIndex | QPersistentModelIndex


class EndpointDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = index.data(EndpointRole.VIEW)
        if not isinstance(view, EndpointView):
            return
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        look = look_of(view)
        box = option.rect.adjusted(M, 6, -M, -6)
        self._theme.icon(look.icon, look.color).paint(painter, QRect(box.left(), box.top() + 2, ICON, ICON))
        text = box.adjusted(ICON + S, 0, 0, 0)
        first = QRect(text.left(), text.top(), text.width(), _LINE)
        small = self._theme.ui(SMALL_SIZE)
        mark = "default" if view.is_default else ""
        taken = QFontMetrics(small).horizontalAdvance(mark) + S if mark else 0
        self._write(painter, first.adjusted(0, 0, -taken, 0), view.name, self._theme.ui(BODY_SIZE, bold=True), "text")
        self._write(painter, first, mark, small, "text3", _RIGHT)
        second = QRect(text.left(), text.top() + _LINE + 2, text.width(), _LINE)
        self._write(painter, second, look.word, small, look.color)
        used = QFontMetrics(small).horizontalAdvance(look.word) + S
        self._write(painter, second.adjusted(used, 0, 0, 0), models_words(view), small, "text3")
        painter.restore()

    def _write(self, painter: QPainter, box: QRect, text: str, font: QFont, color: str, flags: int = _LEFT) -> None:
        if box.width() > S and text:
            shown = QFontMetrics(font).elidedText(reveal(text), Qt.TextElideMode.ElideRight, box.width())
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, flags, shown)
