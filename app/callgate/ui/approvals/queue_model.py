"""The waiting calls as rows. Shows what it is given; decides nothing and asks nobody."""

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.calls.invocation import Invocation
from callgate.ui.approvals.arrangement import QueueEntry, arranged, sibling_words
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.approvals.words import clock, is_urgent, time_left
from callgate.ui.text.hidden_characters import reveal, reveal_name
from callgate.ui.text.json_layout import summary
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.widgets.agent_name import has_sign, shown_name, spoken_name

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
    HEADING = Qt.ItemDataRole.UserRole + 9
    """Above the row; empty = it is not the first of a group."""
    MORE = Qt.ItemDataRole.UserRole + 10
    """Beside the tool: how many are the same, or which of a turn's calls it is."""
    LEFT = Qt.ItemDataRole.UserRole + 11
    """What time is left, in words."""
    URGENT = Qt.ItemDataRole.UserRole + 12
    """Whether it is little."""
    CHANGED = Qt.ItemDataRole.UserRole + 13
    """What became of its tool or file meanwhile, in a word; empty = nothing."""
    PROVEN = Qt.ItemDataRole.UserRole + 14
    """Whether the agent's name has the sign of a proven one."""


_CONTENT: Final = [
    Role.CALL,
    Role.TOOL,
    Role.AGENT,
    Role.SUMMARY,
    Role.REVIEW,
    Role.SNOOZED,
    Role.HEADING,
    Role.MORE,
    Role.CHANGED,
    Qt.ItemDataRole.DisplayRole,
]


class QueueModel(QAbstractListModel):
    def __init__(
        self,
        now: Callable[[], float] = time.time,
        parent: QObject | None = None,
        registered: Callable[[str], bool] = lambda name: False,
    ) -> None:
        """`registered`: whether an agent of a name has a token."""
        super().__init__(parent)
        self._now = now
        self._registered = registered
        self._entries: list[QueueEntry] = []
        self._seen: frozenset[str] = frozenset()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        call, invocation = entry.call, entry.call.invocation
        match role:
            case Role.CALL:
                return call
            case Role.TOOL:
                return reveal_name(invocation.tool)
            case Role.AGENT:
                return shown_name(invocation.agent, invocation.agent_proven, self._registered(invocation.agent))
            case Role.PROVEN:
                return has_sign(invocation.agent, invocation.agent_proven)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._spoken(invocation))
            case Role.SUMMARY:
                return summary(_text(call))
            case Role.AGE:
                return clock(self._now() - call.asked_at)
            case Role.LEFT:
                return time_left(invocation, self._now())
            case Role.URGENT:
                return is_urgent(invocation, self._now())
            case Role.REVIEW:
                return invocation.state == "WaitingForPostApproval"
            case Role.CHANGED:
                return "" if invocation.change is None else "removed" if invocation.is_gone else "changed"
            case Role.SNOOZED:
                return call.snoozed
            case Role.SEEN:
                return call.id in self._seen
            case Role.HEADING:
                return reveal(entry.heading)
            case Role.MORE:
                return f"× {len(entry.calls)}" if entry.twins else sibling_words(entry.sibling)
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return f"{reveal_name(invocation.tool)}, {self._spoken(invocation)}: {summary(_text(call))}"
            case _:
                return None

    def _spoken(self, invocation: Invocation) -> str:
        return spoken_name(invocation.agent, invocation.agent_proven, self._registered(invocation.agent))

    @property
    def entries(self) -> tuple[QueueEntry, ...]:
        return tuple(self._entries)

    def entry_at(self, row: int) -> QueueEntry | None:
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def call_at(self, row: int) -> WaitingCall | None:
        entry = self.entry_at(row)
        return None if entry is None else entry.call

    def row_of(self, invocation_id: str) -> int:
        """-1 = it does not wait."""
        return next((row for row, entry in enumerate(self._entries) if entry.id == invocation_id), -1)

    def set_calls(self, calls: Sequence[WaitingCall]) -> None:
        self.set_entries(arranged(calls))

    def set_entries(self, entries: Sequence[QueueEntry]) -> None:
        """Takes the list as it is now; rows that stay are not touched, so that a selection stays too."""
        wanted = {entry.id for entry in entries}
        known = {entry.id for entry in self._entries}
        stays = [entry.id for entry in self._entries if entry.id in wanted]
        if stays != [entry.id for entry in entries if entry.id in known]:
            self.beginResetModel()
            self._entries = list(entries)
            self.endResetModel()
            return
        self._drop([row for row, entry in enumerate(self._entries) if entry.id not in wanted])
        row = 0
        while row < len(entries):
            if row < len(self._entries) and self._entries[row].id == entries[row].id:
                if self._entries[row] != entries[row]:
                    self._entries[row] = entries[row]
                    self.dataChanged.emit(self.index(row), self.index(row), _CONTENT)
                row += 1
                continue
            end = row
            while end < len(entries) and entries[end].id not in known:
                end += 1
            self.beginInsertRows(_ROOT, row, end - 1)
            self._entries[row:row] = entries[row:end]
            self.endInsertRows()
            row = end

    def set_seen(self, seen: frozenset[str]) -> None:
        changed = seen ^ self._seen
        self._seen = seen
        for row, entry in enumerate(self._entries):
            if entry.id in changed:
                self.dataChanged.emit(self.index(row), self.index(row), [Role.SEEN])

    def tick(self) -> None:
        """Time has passed."""
        if self._entries:
            times = [Role.AGE, Role.LEFT, Role.URGENT]
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1), times)

    def _drop(self, rows: list[int]) -> None:
        """In ranges, from the end."""
        while rows:
            last = first = rows.pop()
            while rows and rows[-1] == first - 1:
                first = rows.pop()
            self.beginRemoveRows(_ROOT, first, last)
            del self._entries[first : last + 1]
            self.endRemoveRows()


def _text(call: WaitingCall) -> str:
    invocation = call.invocation
    if invocation.state == "WaitingForPostApproval" and invocation.ran_result is not None:
        return invocation.ran_result.text
    return invocation.effective_arguments
