"""How a parameter is drawn: its name, type and whether it is needed; under it what it means and what limits it.

Texts are wrapped in full, or, where there are very many rows, cut to one line so that all rows are equally high.
"""

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme, mix
from callgate.ui.tools.schema_model import SchemaRole
from callgate.ui.tools.schema_rows import SchemaRow

Index = QModelIndex | QPersistentModelIndex
_WRAP: Final = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWrapAnywhere)
HEAD: Final = 20
_TALL: Final = 10_000
NARROWEST: Final = 80
_REQUIRED: Final = "required"


class SchemaDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.wrapped = True
        self.width = 240
        """What a row at the top may be wide; told by the view."""
        self.indentation = 16

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if not self.wrapped:
            return QSize(NARROWEST, XS + HEAD + HEAD - XS)
        row = index.data(SchemaRole.ROW)
        assert isinstance(row, SchemaRow)
        width = max(NARROWEST, self.width - row.depth * self.indentation - S)
        height = XS + HEAD
        for text in _below(row):
            height += self._height(text, width)
        return QSize(NARROWEST, height + XS)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(SchemaRole.ROW)
        assert isinstance(row, SchemaRow)
        painter.save()
        surface = self._theme.color("surface")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, mix(self._theme.color("accent"), surface, 0.18))
        line = QRect(option.rect.left() + 2, option.rect.top() + XS, option.rect.width() - S, HEAD)
        self._head(painter, row, line)
        place = line.translated(0, HEAD)
        for number, text in enumerate(_below(row)):
            color = "text2" if number == 0 and row.description else "text3"
            if not self.wrapped:
                self._write(painter, text, place, color)
                break
            place.setHeight(self._height(text, place.width()))
            painter.setFont(self._small())
            painter.setPen(self._theme.color(color))
            painter.drawText(place, _WRAP, text)
            place.translate(0, place.height())
        painter.restore()

    def _head(self, painter: QPainter, row: SchemaRow, line: QRect) -> None:
        """Name, type, and whether it is needed, close together: on a wide page an edge is too far to look for it."""
        font, small = self._theme.mono(SMALL_SIZE + 1), QFontMetrics(self._small())
        needed = small.horizontalAdvance(_REQUIRED) + S if row.required else 0
        room = line.width() - needed
        name = QFontMetrics(font).elidedText(reveal(row.name), Qt.TextElideMode.ElideMiddle, int(room * 0.75))
        taken = QFontMetrics(font).horizontalAdvance(name) + S
        kind = small.elidedText(row.type, Qt.TextElideMode.ElideRight, max(0, room - taken))
        self._write(painter, name, line, "text", font)
        self._write(painter, kind, line.adjusted(taken, 0, 0, 0), "accent")
        if row.required:
            self._write(
                painter, _REQUIRED, line.adjusted(taken + small.horizontalAdvance(kind) + S, 0, 0, 0), "waiting"
            )

    def _write(self, painter: QPainter, text: str, place: QRect, color: str, font: QFont | None = None) -> None:
        font = font or self._small()
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _height(self, text: str, width: int) -> int:
        return QFontMetrics(self._small()).boundingRect(QRect(0, 0, width, _TALL), _WRAP, text).height()

    def _small(self) -> QFont:
        return self._theme.ui(SMALL_SIZE)


def _below(row: SchemaRow) -> list[str]:
    """What stands under the name, a paragraph each."""
    texts = [reveal(row.description.strip())] if row.description.strip() else []
    return [*texts, reveal(" · ".join(row.notes))] if row.notes else texts
