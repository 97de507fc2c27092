"""Differences as a list: a model that grows as one scrolls, and how each is drawn. Compares nothing itself."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.core.json.diff import Change, ChangeKind
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_tree import one_line
from callgate.ui.theme.theme import SMALL_SIZE, S, Theme, mix
from callgate.ui.traffic.inspector.translation_words import Meaning

SIGNS: Final[dict[ChangeKind, tuple[str, str]]] = {
    "added": ("+", "completed"),
    "removed": ("−", "denied"),
    "changed": ("~", "waiting"),
}
PAGE: Final = 500
"""Differences listed at a time: two large bodies may have fifty thousand."""
CHANGE_ROLE: Final = Qt.ItemDataRole.UserRole + 1
MEANING_ROLE: Final = Qt.ItemDataRole.UserRole + 2
_KEPT: Final = 12
"""Letters that both values share which are shown before the first that differs."""
_HEIGHT: Final = 42
_EDGE: Final = 26
_NO_PARENT: Final = QModelIndex()
_END: Final = Qt.TextElideMode.ElideRight
_LINE: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)

Index = QModelIndex | QPersistentModelIndex


class ChangeModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.changes: tuple[Change, ...] = ()
        self.meanings: Sequence[Meaning | None] = ()
        self._listed = 0

    def set_changes(self, changes: tuple[Change, ...], meanings: Sequence[Meaning | None] = ()) -> None:
        self.beginResetModel()
        self.changes, self._listed = changes, min(PAGE, len(changes))
        self.meanings = meanings or (None,) * len(changes)
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._listed

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._listed < len(self.changes)

    def fetchMore(self, parent: Index) -> None:
        end = min(self._listed + PAGE, len(self.changes))
        if parent.isValid() or end == self._listed:
            return
        self.beginInsertRows(_NO_PARENT, self._listed, end - 1)
        self._listed = end
        self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < self._listed:
            return None
        change, meaning = self.changes[index.row()], self.meanings[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                told = f"{meaning}, " if meaning is not None else ""
                return f"{told}{change.kind} {place_of(change)}: {in_words(change)}"
            case _ if role == CHANGE_ROLE:
                return change
            case _ if role == MEANING_ROLE:
                return meaning
            case _:
                return None


def place_of(change: Change) -> str:
    return reveal(change.where) or "the whole body"


def in_words(change: Change) -> str:
    """Both values in one line."""
    match change.kind:
        case "added":
            return _short(one_line(change.after))
        case "removed":
            return _short(one_line(change.before))
        case _:
            before, after = one_line(change.before), one_line(change.after)
            skipped = _alike(before, after)
            return f"{_short(before, skipped)}  →  {_short(after, skipped)}"


def _alike(before: str, after: str) -> int:
    """Letters at the start of two long lines that are the same, but for the last few: what differs is what counts."""
    differing = (place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    shared = next(differing, 0)
    return shared - _KEPT if shared > 2 * _KEPT else 0


def _short(line: str, skipped: int = 0) -> str:
    line = f"…{line[skipped:]}" if skipped else line
    return line if len(line) <= 120 else line[:119] + "…"


class ChangeDelegate(QStyledItemDelegate):
    """Two lines: sign, what it means and its place; then the values."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        change = index.data(CHANGE_ROLE)
        if not isinstance(change, Change):
            return
        sign, color = SIGNS[change.kind]
        ink, surface = self._theme.color(color), self._theme.color("surface")
        strength = 0.2 if option.state & QStyle.StateFlag.State_Selected else 0.08
        painter.save()
        painter.fillRect(option.rect.adjusted(0, 0, 0, -1), mix(ink, surface, strength))
        mono = self._theme.mono(SMALL_SIZE)
        painter.setFont(mono)
        box = option.rect.adjusted(S, 4, -S, -5)
        half = box.height() // 2
        painter.setPen(ink)
        painter.drawText(QRect(box.left(), box.top(), _EDGE - S, half), int(Qt.AlignmentFlag.AlignCenter), sign)
        self._head(painter, QRect(box.left() + _EDGE, box.top(), box.width() - _EDGE, half), index, change)
        painter.setFont(mono)
        painter.setPen(self._theme.color("text2"))
        below = QRect(box.left() + _EDGE, box.top() + half, box.width() - _EDGE, half)
        painter.drawText(below, _LINE, QFontMetrics(mono).elidedText(in_words(change), _END, below.width()))
        painter.restore()

    def _head(self, painter: QPainter, line: QRect, index: Index, change: Change) -> None:
        meaning = index.data(MEANING_ROLE)
        if isinstance(meaning, Meaning):
            font = self._theme.ui(SMALL_SIZE, bold=True)
            words = meaning.what[0].upper() + meaning.what[1:]
            painter.setFont(font)
            painter.setPen(self._theme.color("text"))
            painter.drawText(line, _LINE, words)
            line = line.adjusted(QFontMetrics(font).horizontalAdvance(words) + S, 0, 0, 0)
        mono = self._theme.mono(SMALL_SIZE)
        painter.setFont(mono)
        painter.setPen(self._theme.color("text3" if isinstance(meaning, Meaning) else "text"))
        shown = QFontMetrics(mono).elidedText(place_of(change), Qt.TextElideMode.ElideMiddle, max(0, line.width()))
        painter.drawText(line, _LINE, shown)
