"""A row of two lines with an icon and a leading word: how rules and refused calls look in their lists.

Draws roles; fetches nothing and knows neither rules nor calls.
"""

from enum import IntEnum
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.ui.theme.state_look import StateLook
from callgate.ui.theme.theme import ICON, SMALL_SIZE, M, S, Theme, mix

Index = QModelIndex | QPersistentModelIndex


class Line(IntEnum):
    LOOK = Qt.ItemDataRole.UserRole + 1
    """A `StateLook`: icon, word and colour in front."""
    TITLE = Qt.ItemDataRole.UserRole + 2
    DETAIL = Qt.ItemDataRole.UserRole + 3
    """After the title, in fixed width."""
    RIGHT = Qt.ItemDataRole.UserRole + 4
    FOOT = Qt.ItemDataRole.UserRole + 5
    """The second line."""
    WARNING = Qt.ItemDataRole.UserRole + 6
    """In front of the second line: why the row does not count as it stands."""
    FADED = Qt.ItemDataRole.UserRole + 7
    ITEM = Qt.ItemDataRole.UserRole + 8
    """The value behind the row."""
    SEARCHED = Qt.ItemDataRole.UserRole + 9
    """All its words, for a filter."""


_ROW: Final = 46
_LINE: Final = 18
_WORD: Final = 46
"""Room of the leading word, so that titles stand under each other."""
_SHARE: Final = 0.5
"""What a title may take of its line while there is detail to show."""
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


class TwoLineDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None, *, word_width: int = _WORD) -> None:
        super().__init__(parent)
        self._theme = theme
        self._word = word_width

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        self._ground(painter, option)
        box = option.rect.adjusted(M, (_ROW - 2 * _LINE) // 2, -M, 0)
        upper = QRect(box.left(), box.top(), box.width(), _LINE)
        faded = bool(index.data(Line.FADED))
        look = index.data(Line.LOOK)
        if isinstance(look, StateLook):
            self._look(painter, upper, look, faded)
        indent = ICON + S + self._word + S
        self._upper(painter, upper.adjusted(indent, 0, 0, 0), index, faded)
        self._lower(painter, upper.translated(0, _LINE).adjusted(indent, 0, 0, 0), index)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        surface = self._theme.color("surface")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, mix(self._theme.color("accent"), surface, 0.18))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, mix(self._theme.color("text"), surface, 0.05))
        painter.fillRect(option.rect.adjusted(0, option.rect.height() - 1, 0, 0), self._theme.color("border"))

    def _look(self, painter: QPainter, box: QRect, look: StateLook, faded: bool) -> None:
        color = "text3" if faded else look.color
        self._theme.icon(look.icon, color).paint(painter, QRect(box.left(), box.top() + 1, ICON, ICON))
        place = box.adjusted(ICON + S, 0, 0, 0)
        place.setWidth(self._word)
        self._write(painter, place, look.word, self._theme.ui(bold=True), color)

    def _upper(self, painter: QPainter, box: QRect, index: Index, faded: bool) -> None:
        small = self._theme.ui(SMALL_SIZE)
        right = str(index.data(Line.RIGHT) or "")
        if right:
            room = QFontMetrics(small).horizontalAdvance(right) + 1
            self._write(painter, box.adjusted(box.width() - room, 0, 0, 0), right, small, "text3", _RIGHT)
            box = box.adjusted(0, 0, -room - S, 0)
        title, detail = str(index.data(Line.TITLE) or ""), str(index.data(Line.DETAIL) or "")
        bold, mono = self._theme.ui(bold=True), self._theme.mono(SMALL_SIZE)
        wanted = QFontMetrics(bold).horizontalAdvance(title) + 1
        beside = QFontMetrics(mono).horizontalAdvance(detail) + M + 2 if detail else 0
        if wanted + beside > box.width():
            wanted = min(wanted, max(int(box.width() * _SHARE), box.width() - beside))
        place = QRect(box.left(), box.top(), min(wanted, box.width()), box.height())
        self._write(painter, place, title, bold, "text2" if faded else "text")
        self._write(painter, box.adjusted(place.width() + M, 0, 0, 0), detail, mono, "text3" if faded else "text2")

    def _lower(self, painter: QPainter, box: QRect, index: Index) -> None:
        small = self._theme.ui(SMALL_SIZE)
        warning = str(index.data(Line.WARNING) or "")
        if warning:
            self._theme.icon("warning", "waiting").paint(painter, QRect(box.left(), box.top() + 1, ICON, ICON))
            box = box.adjusted(ICON + S // 2, 0, 0, 0)
            self._write(painter, box, warning, small, "waiting")
            box = box.adjusted(QFontMetrics(small).horizontalAdvance(warning) + M, 0, 0, 0)
        self._write(painter, box, str(index.data(Line.FOOT) or ""), small, "text3")

    def _write(self, painter: QPainter, box: QRect, text: str, font: QFont, color: str, flags: int = _LEFT) -> None:
        if box.width() > S and text:
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, flags, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width()))
