"""How a row of the palette looks: icon, title with the typed letters marked, detail, shortcut."""

from typing import Final

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.core.text.fuzzy import Span
from callgate.ui.palette.entry import Kind
from callgate.ui.palette.model import HIT, Index
from callgate.ui.palette.ranking import Hit
from callgate.ui.theme.theme import ICON, SMALL_SIZE, M, S, Theme, mix

ROW: Final = 34
_ICONS: Final[dict[Kind, str]] = {
    "action": "next",
    "setting": "settings",
    "tool": "tool",
    "conversation": "conversation",
}
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


class PaletteDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit = index.data(HIT)
        if not isinstance(hit, Hit):
            return
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, mix(self._theme.color("accent"), self._theme.color("raised"), 0.18))
        box = option.rect.adjusted(M, 0, -M, 0)
        entry = hit.entry
        icon = "approve" if entry.checked else entry.icon or _ICONS[entry.kind]
        faint = "text2" if chosen else "text3"
        color = "accent" if entry.checked else faint
        place = QRect(box.left(), box.center().y() - ICON // 2 + 1, ICON, ICON)
        self._theme.icon(icon, color).paint(painter, place)
        box.setLeft(box.left() + ICON + S)
        box = self._right(painter, box, entry.keys or entry.kind, faint)
        used = self._title(painter, box, entry.title, hit.spans)
        self._write(painter, box.adjusted(used + M, 0, 0, 0), entry.detail, self._theme.ui(SMALL_SIZE), faint)
        painter.restore()

    def _right(self, painter: QPainter, box: QRect, text: str, color: str) -> QRect:
        font = self._theme.ui(SMALL_SIZE)
        room = QFontMetrics(font).horizontalAdvance(text) + 1
        self._write(painter, box.adjusted(box.width() - room, 0, 0, 0), text, font, color, _RIGHT)
        return box.adjusted(0, 0, -room - M, 0)

    def _title(self, painter: QPainter, box: QRect, title: str, spans: tuple[Span, ...]) -> int:
        """Piece by piece, those that fit in bold; returns the room that it took."""
        plain, bold = self._theme.ui(), self._theme.ui(bold=True)
        shown = QFontMetrics(bold).elidedText(title, Qt.TextElideMode.ElideRight, box.width())
        at, left = 0, box.left()
        for start, length in (*spans, (len(shown), 0)):
            if start < at:
                continue
            for text, font, color in (
                (shown[at:start], plain, "text"),
                (shown[start : start + length], bold, "accent"),
            ):
                self._write(painter, QRect(left, box.top(), box.right() - left, box.height()), text, font, color)
                left += QFontMetrics(font).horizontalAdvance(text)
            at = start + length
        return left - box.left()

    def _write(self, painter: QPainter, box: QRect, text: str, font: QFont, color: str, flags: int = _LEFT) -> None:
        if box.width() > S and text:
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, flags, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width()))
