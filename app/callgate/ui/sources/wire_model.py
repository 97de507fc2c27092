"""Messages between Callgate and a server as rows: when, which way, what, how large. Asks nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import orjson
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.messages import Json
from callgate.engine.sources.source_service import WireFrame
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import SMALL_SIZE, Theme

TITLES: Final = ("Time", "", "Message", "Id", "After", "Size")
_RIGHT_COLUMNS: Final = frozenset({3, 4, 5})
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROOT: Final = QModelIndex()
_MOST: Final = 1000

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class WireRow:
    frame: WireFrame
    what: str
    """The method, or whose answer it is."""
    id: str = ""
    after: float | None = None
    """Seconds between a request and this answer."""
    is_error: bool = False


class WireModel(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[WireRow] = []
        self._asked: dict[tuple[str, str], tuple[str, float]] = {}
        """Requests by who asked and their id: what was asked, and when."""

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in _RIGHT_COLUMNS else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, index.column())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if index.column() in _RIGHT_COLUMNS else None
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_ink(row, index.column()))
            case Qt.ItemDataRole.FontRole:
                return self._theme.mono(SMALL_SIZE) if index.column() in (2, 3) else self._theme.ui(SMALL_SIZE)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{_WAYS[row.frame.direction]}: {self._text(row, index.column())}"
            case Qt.ItemDataRole.ToolTipRole if index.column() == 1:
                return _WAYS[row.frame.direction]
            case _:
                return None

    def row_at(self, row: int) -> WireRow | None:
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def clear(self) -> None:
        self.beginResetModel()
        self._rows, self._asked = [], {}
        self.endResetModel()

    def add(self, frames: Sequence[WireFrame]) -> None:
        rows = [self._read(frame) for frame in frames]
        if not rows:
            return
        self.beginInsertRows(_ROOT, len(self._rows), len(self._rows) + len(rows) - 1)
        self._rows += rows
        self.endInsertRows()
        over = len(self._rows) - _MOST
        if over > 0:
            self.beginRemoveRows(_ROOT, 0, over - 1)
            del self._rows[:over]
            self.endRemoveRows()

    def _read(self, frame: WireFrame) -> WireRow:
        message = value_of(frame)
        if not isinstance(message, dict):
            return WireRow(frame, "not JSON")
        method, number = message.get("method"), message.get("id")
        name = "" if number is None else str(number)
        if isinstance(method, str):
            if name:
                self._asked[frame.direction, name] = (method, frame.at)
            return WireRow(frame, _with_tool(method, message.get("params")), name)
        asker = "in" if frame.direction == "out" else "out"
        asked, at = self._asked.pop((asker, name), ("", frame.at))
        failed = "error" in message
        what = f"{'error' if failed else 'answer'} to {asked}" if asked else "error" if failed else "answer"
        return WireRow(frame, what, name, frame.at - at if asked else None, failed)

    def _text(self, row: WireRow, column: int) -> str:
        frame = row.frame
        match column:
            case 0:
                return f"{figures.clock_seconds(frame.at)}.{int(frame.at % 1 * 1000):03d}"
            case 1:
                return "→" if frame.direction == "out" else "←"
            case 2:
                return reveal(row.what)
            case 3:
                return reveal(row.id)
            case 4:
                return "" if row.after is None else figures.seconds(row.after)
            case _:
                return figures.size(len(frame.text))


_WAYS: Final = {"in": "from the server", "out": "to the server"}


def value_of(frame: WireFrame) -> Json:
    """None = it is no JSON, or was cut."""
    try:
        return orjson.loads(frame.text)
    except orjson.JSONDecodeError:
        return None


def _with_tool(method: str, params: Json) -> str:
    name = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
    return f"{method} {name}" if isinstance(name, str) else method


def _ink(row: WireRow, column: int) -> str:
    if row.is_error and column in (2, 4):
        return "denied"
    if column == 1:
        return "accent" if row.frame.direction == "out" else "completed"
    return "text" if column == 2 else "text3"
