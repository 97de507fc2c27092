"""Calls that were refused lately, as rows, newest first. Shows what it is given."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.calls.invocation import Invocation
from callgate.ui.settings.two_line import Line
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import summary
from callgate.ui.text.time_format import ago
from callgate.ui.theme.state_look import look_of

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
MOST: Final = 200
"""Further back nobody looks for a call to allow."""


class DeniedModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calls: list[Invocation] = []
        self._now = 0.0

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._calls):
            return None
        call = self._calls[index.row()]
        match role:
            case Line.ITEM:
                return call
            case Line.LOOK:
                return look_of(call)
            case Line.TITLE:
                return reveal(call.tool)
            case Line.DETAIL:
                return summary(call.arguments)
            case Line.RIGHT:
                return ago(call.started, self._now)
            case Line.FOOT:
                return reveal(f"{call.agent}  ·  {who_refused(call)}")
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return reveal(f"{call.tool}, {call.agent}, {who_refused(call)}: {summary(call.arguments)}")
            case _:
                return None

    def set_calls(self, past: Iterable[Invocation], now: float) -> None:
        """Of calls that are over, keeps those that were refused."""
        calls = [call for call in past if call.refused][:MOST]
        self._now = now
        if [call.id for call in calls] == [call.id for call in self._calls]:
            self._calls = calls
            if calls:
                self.dataChanged.emit(self.index(0), self.index(len(calls) - 1))
            return
        self.beginResetModel()
        self._calls = calls
        self.endResetModel()

    def row_of(self, invocation_id: str) -> int:
        """-1 = it is not among them."""
        return next((at for at, call in enumerate(self._calls) if call.id == invocation_id), -1)


def who_refused(call: Invocation) -> str:
    """In words: by whom, and why if it was said."""
    because = f": {call.explanation}" if call.explanation else ""
    match call.reason, call.decided_by:
        case "Timeout", _:
            return "nobody decided in time"
        case "Skipped", _:
            return "skipped by you"
        case _, "person":
            return f"denied by you{because}"
        case _, "rule":
            return f"denied by a rule{because}"
        case _:
            return f"denied{because}"
