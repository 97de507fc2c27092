"""Draws a source in two lines: its dot, name and tools; below, how it is doing. Asks nobody."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.engine.source_desk import SourceView
from callgate.ui.reveal import reveal
from callgate.ui.sources.list_model import SourceRole
from callgate.ui.sources.state_look import KIND_WORDS, STATE_LOOKS, TRANSPORT_WORDS, tool_words
from callgate.ui.theme import BODY_SIZE, ICON, SMALL_SIZE, M, S, Theme

_HEIGHT: Final = 52
_LINE: Final = 19
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)

Index = QModelIndex | QPersistentModelIndex


class SourceDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = index.data(SourceRole.VIEW)
        if not isinstance(view, SourceView):
            return
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        look = STATE_LOOKS[view.state]
        box = option.rect.adjusted(M, 6, -M, -6)
        icon = self._theme.icon(look.icon, look.color)
        icon.paint(painter, QRect(box.left(), box.top() + 2, ICON, ICON))
        text = box.adjusted(ICON + S, 0, 0, 0)
        first = QRect(text.left(), text.top(), text.width(), _LINE)
        small = self._theme.ui(SMALL_SIZE)
        count = tool_words(view.tools) if view.state == "ready" or view.tools else ""
        taken = QFontMetrics(small).horizontalAdvance(count) + S if count else 0
        faded = view.state in ("off", "stopped")
        name_box = first.adjusted(0, 0, -taken, 0)
        self._write(painter, name_box, view.name, self._theme.ui(BODY_SIZE, bold=True), "text2" if faded else "text")
        self._write(painter, first, count, small, "text3", _RIGHT)
        second = QRect(text.left(), text.top() + _LINE + 2, text.width(), _LINE)
        self._write(painter, second, look.word, small, look.color)
        used = QFontMetrics(small).horizontalAdvance(look.word) + S
        about = view.reason if view.state == "failed" else _about(view)
        self._write(painter, second.adjusted(used, 0, 0, 0), about, small, "text3")
        painter.restore()

    def _write(self, painter: QPainter, box: QRect, text: str, font: QFont, color: str, flags: int = _LEFT) -> None:
        if box.width() > S and text:
            shown = QFontMetrics(font).elidedText(reveal(text), Qt.TextElideMode.ElideRight, box.width())
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, flags, shown)


def _about(view: SourceView) -> str:
    said = (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])
    return " · ".join(filter(None, said))
