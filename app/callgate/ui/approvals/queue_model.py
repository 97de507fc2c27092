"""The waiting calls as rows. Shows what it is given; decides nothing and asks nobody."""

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.approvals.words import clock
from callgate.ui.json_layout import summary
from callgate.ui.reveal import reveal

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class Role(IntEnum):
    CALL = Qt.ItemDataRole.UserRole + 1
    TOOL = Qt.ItemDataRole.UserRole + 2
    AGENT = Qt.ItemDataRole.UserRole + 3
    SUMMARY = Qt.ItemDataRole.UserRole + 4
    AGE = Qt.ItemDataRole.UserRole + 5
    REVIEW = Qt.ItemDataRole.UserRole + 6
    SNOOZED = Qt.ItemDataRole.UserRole + 7
    SEEN = Qt.ItemDataRole.UserRole + 8


_CONTENT: Final = [Role.CALL, Role.TOOL, Role.AGENT, Role.SUMMARY, Role.REVIEW, Qt.ItemDataRole.DisplayRole]


class QueueModel(QAbstractListModel):
    def __init__(self, now: Callable[[], float] = time.time, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._calls: list[WaitingCall] = []
        self._seen: frozenset[str] = frozenset()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._calls):
            return None
        call = self._calls[index.row()]
        invocation = call.invocation
        match role:
            case Role.CALL:
                return call
            case Role.TOOL:
                return reveal(invocation.tool)
            case Role.AGENT:
                return reveal(invocation.agent)
            case Role.SUMMARY:
                return summary(self._text(call))
            case Role.AGE:
                return clock(self._now() - call.asked_at)
            case Role.REVIEW:
                return invocation.state == "WaitingForPostApproval"
            case Role.SNOOZED:
                return call.snoozed
            case Role.SEEN:
                return call.id in self._seen
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return f"{reveal(invocation.tool)}, {reveal(invocation.agent)}: {summary(self._text(call))}"
            case _:
                return None

    def call_at(self, row: int) -> WaitingCall | None:
        return self._calls[row] if 0 <= row < len(self._calls) else None

    def row_of(self, invocation_id: str) -> int:
        """-1 = it does not wait."""
        return next((row for row, call in enumerate(self._calls) if call.id == invocation_id), -1)

    def set_calls(self, calls: Sequence[WaitingCall]) -> None:
        """Takes the list as it is now; rows that stay are not touched, so that a selection stays too."""
        wanted = {call.id: call for call in calls}
        for row in range(len(self._calls) - 1, -1, -1):
            kept = wanted.get(self._calls[row].id)
            if kept is None or _place(kept) != _place(self._calls[row]):
                self.beginRemoveRows(_ROOT, row, row)
                del self._calls[row]
                self.endRemoveRows()
        for row, call in enumerate(calls):
            if row < len(self._calls) and self._calls[row].id == call.id:
                if self._calls[row] != call:
                    self._calls[row] = call
                    self.dataChanged.emit(self.index(row), self.index(row), _CONTENT)
            else:
                self.beginInsertRows(_ROOT, row, row)
                self._calls.insert(row, call)
                self.endInsertRows()

    def set_seen(self, seen: frozenset[str]) -> None:
        changed = seen ^ self._seen
        self._seen = seen
        for row, call in enumerate(self._calls):
            if call.id in changed:
                self.dataChanged.emit(self.index(row), self.index(row), [Role.SEEN])

    def tick(self) -> None:
        """Time has passed."""
        if self._calls:
            self.dataChanged.emit(self.index(0), self.index(len(self._calls) - 1), [Role.AGE])

    def _text(self, call: WaitingCall) -> str:
        invocation = call.invocation
        if invocation.state == "WaitingForPostApproval" and invocation.ran_result is not None:
            return invocation.ran_result.text
        return invocation.effective_arguments


def _place(call: WaitingCall) -> tuple[bool, float]:
    return call.snoozed, call.asked_at
