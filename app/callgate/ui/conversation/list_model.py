"""Conversations as rows: those that wait for a person first, then the newest. A fold of events; touches no widget."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, conversation_of
from callgate.ui import figures
from callgate.ui.reveal import reveal

UNTITLED: Final = "Untitled conversation"
_NO_PARENT: Final = QModelIndex()


class Role(IntEnum):
    ID = Qt.ItemDataRole.UserRole + 1
    SUMMARY = Qt.ItemDataRole.UserRole + 2
    """The whole `ConversationSummary`, for the delegate."""


class ConversationListModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._summaries: dict[str, ConversationSummary] = {}
        self._hidden: set[str] = set()
        self._order: list[str] = []

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._order):
            return None
        summary = self._summaries[self._order[index.row()]]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title_of(summary)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(summary)
            case Qt.ItemDataRole.ToolTipRole:
                return f"Started {figures.moment(summary.started_at)}, last active {figures.moment(summary.updated_at)}"
            case Role.ID:
                return summary.id
            case Role.SUMMARY:
                return summary
            case _:
                return None

    # ---- reading ---------------------------------------------------------------------------------------------------

    def summary(self, conversation_id: str) -> ConversationSummary | None:
        return self._summaries.get(conversation_id)

    def row_of(self, conversation_id: str) -> int:
        """-1 = not shown."""
        return self._order.index(conversation_id) if conversation_id in self._order else -1

    # ---- changing --------------------------------------------------------------------------------------------------

    def load(self, stored: Sequence[ConversationSummary], since: Iterable[Event]) -> None:
        """What was remembered, and what has happened while it was fetched; nothing is counted twice."""
        self.beginResetModel()
        self._summaries = {summary.id: summary for summary in stored}
        for event in since:
            known = self._summaries.get(conversation_of(event))
            if known is None or event.at > known.updated_at:
                self._fold(event)
        self._order = self._sorted()
        self.endResetModel()

    def apply(self, batch: Iterable[Event]) -> None:
        changed = {conversation for event in batch if (conversation := self._fold(event))}
        self._rearrange(changed - self._hidden)

    def hide(self, conversation_id: str) -> None:
        """Takes a row away, as if deleted; it can come back."""
        self._hidden.add(conversation_id)
        row = self.row_of(conversation_id)
        if row >= 0:
            self.beginRemoveRows(_NO_PARENT, row, row)
            del self._order[row]
            self.endRemoveRows()

    def unhide(self, conversation_id: str) -> None:
        self._hidden.discard(conversation_id)
        if conversation_id in self._summaries:
            self._rearrange({conversation_id})

    def forget(self, conversation_id: str) -> None:
        self.hide(conversation_id)
        self._hidden.discard(conversation_id)
        self._summaries.pop(conversation_id, None)

    def refresh_times(self) -> None:
        """ "2 min ago" grows old by itself."""
        if self._order:
            self.dataChanged.emit(self.index(0), self.index(len(self._order) - 1), [Role.SUMMARY])

    def _fold(self, event: Event) -> str:
        """The conversation whose summary an event has changed; empty = none."""
        conversation_id = conversation_of(event)
        if not conversation_id:
            return ""
        before = self._summaries.get(conversation_id)
        after = summarize(before, event)
        if after is None or after == before:
            return ""
        self._summaries[conversation_id] = after
        return conversation_id

    def _rearrange(self, changed: set[str]) -> None:
        for conversation_id in changed:
            row = self.row_of(conversation_id)
            rest = [known for known in self._order if known != conversation_id]
            target = self._place(conversation_id, rest)
            if row < 0:
                self.beginInsertRows(_NO_PARENT, target, target)
                self._order.insert(target, conversation_id)
                self.endInsertRows()
                continue
            if target != row:
                # Qt counts the place before which the row goes with the row still in its old place
                self.beginMoveRows(_NO_PARENT, row, row, _NO_PARENT, target + (target > row))
                self._order = [*rest[:target], conversation_id, *rest[target:]]
                self.endMoveRows()
            index = self.index(target)
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.DisplayRole, Role.SUMMARY])

    def _place(self, conversation_id: str, rest: list[str]) -> int:
        key = _rank(self._summaries[conversation_id])
        return next((row for row, known in enumerate(rest) if _rank(self._summaries[known]) > key), len(rest))

    def _sorted(self) -> list[str]:
        shown = [known for known in self._summaries if known not in self._hidden]
        return sorted(shown, key=lambda known: _rank(self._summaries[known]))


def _rank(summary: ConversationSummary) -> tuple[bool, float, str]:
    return (not summary.waiting, -summary.updated_at, summary.id)


def title_of(summary: ConversationSummary) -> str:
    return reveal(summary.title) or UNTITLED


def spoken(summary: ConversationSummary) -> str:
    """The row as a sentence."""
    state = "running" if summary.live else "failed" if summary.failed else ""
    waiting = f"{len(summary.waiting)} waiting" if summary.waiting else ""
    tokens = f"{figures.count(summary.usage.total)} tokens" if summary.usage.total else ""
    return ", ".join(filter(None, (title_of(summary), summary.agent, summary.model, waiting, state, tokens)))
