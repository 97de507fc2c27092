"""Messages between Callgate and an MCP server as rows: when, which way, what, whose answer, how large. Asks nobody."""

from collections.abc import Iterable
from typing import Final

import orjson
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from callgate.core.events import FrameCaptured
from callgate.core.messages import Json
from callgate.core.timeline.frames import frame_words
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, Theme
from callgate.ui.traffic.inspector.event_digest import digest
from callgate.ui.traffic.inspector.event_list import arrival

TITLES: Final = ("At", "", "Message", "Id", "After request", "Size", "Says")
WIDTHS: Final = (74, 24, 232, 44, 104, 60, 60)
_RIGHT_COLUMNS: Final = frozenset({0, 3, 4, 5})
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_ROOT: Final = QModelIndex()
_WAYS: Final = {"in": "from the server", "out": "to the server"}
_LINE: Final = 300
_DIGESTED: Final = 8000
"""Letters of a message that is read again whenever it is drawn."""
_ENVELOPE: Final = frozenset({"jsonrpc", "id", "method"})
"""What the other columns tell."""

Index = QModelIndex | QPersistentModelIndex


class FrameModel(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._since = 0.0
        self._frames: list[FrameCaptured] = []
        self._known: set[str] = set()
        self._font: QFont = theme.mono(SMALL_SIZE)

    def set_frames(self, frames: Iterable[FrameCaptured], since: float) -> None:
        """`since`: when the call began to run."""
        self.beginResetModel()
        self._frames, self._since = list(frames), since
        self._known = {frame.id for frame in self._frames}
        self.endResetModel()

    def add(self, frames: Iterable[FrameCaptured]) -> None:
        """What has come since; what is here already is not added again."""
        fresh = [frame for frame in frames if frame.id not in self._known]
        if not fresh:
            return
        self.beginInsertRows(_ROOT, len(self._frames), len(self._frames) + len(fresh) - 1)
        self._frames += fresh
        self._known.update(frame.id for frame in fresh)
        self.endInsertRows()

    def frame_at(self, row: int) -> FrameCaptured | None:
        return self._frames[row] if 0 <= row < len(self._frames) else None

    def row_of(self, frame_id: str) -> int:
        """-1 = it is not here."""
        return next((row for row, frame in enumerate(self._frames) if frame.id == frame_id), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._frames)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(TITLES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in _RIGHT_COLUMNS else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        frame = self.frame_at(index.row()) if index.isValid() else None
        if frame is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(frame, index.column())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if index.column() in _RIGHT_COLUMNS else None
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_ink(frame, index.column()))
            case Qt.ItemDataRole.FontRole:
                return self._font if index.column() in (2, 3, 6) else self._theme.ui(SMALL_SIZE)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{_WAYS[frame.direction]}: {self._text(frame, index.column())}"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(f"{frame_words(frame)}\n{figures.moment(frame.at)}")
            case _:
                return None

    def _text(self, frame: FrameCaptured, column: int) -> str:
        match column:
            case 0:
                return arrival(frame.at - self._since)
            case 1:
                return "→" if frame.direction == "out" else "←"
            case 2:
                return reveal(message_title(frame))
            case 3:
                return reveal(frame.rpc_id)
            case 4:
                return "" if frame.seconds_after is None else f"+{arrival(frame.seconds_after)}"
            case 5:
                return figures.size(frame.size)
            case _:
                return reveal(_told(frame)[:_LINE].replace("\n", " "))


def message_title(frame: FrameCaptured) -> str:
    match frame.role:
        case "request" | "notification":
            return frame.method
        case "response":
            return f"answer to {frame.method}" if frame.method else "answer"
        case "error":
            return f"error to {frame.method}" if frame.method else "error"


def value_of(frame: FrameCaptured) -> Json:
    """None = it is no JSON, was cut, or was not kept."""
    try:
        return orjson.loads(frame.text)
    except orjson.JSONDecodeError:
        return None


def _told(frame: FrameCaptured) -> str:
    """What is in it, beside what the columns tell."""
    value = value_of(frame) if len(frame.text) <= _DIGESTED else None
    if not isinstance(value, dict):
        return frame.text
    rest: Json = {key: item for key, item in value.items() if key not in _ENVELOPE}
    return digest(rest, None) if rest else ""


def _ink(frame: FrameCaptured, column: int) -> str:
    if frame.role == "error" and column == 2:
        return "denied"
    if column == 1:
        return "accent" if frame.direction == "out" else "completed"
    return "text" if column == 2 else "text2" if column == 6 else "text3"
