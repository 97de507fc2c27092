"""Decisions of the past as rows, the newest first. Shows entries of the audit; verifies nothing."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.match import Expression, FieldValue, MatchTimeout
from callgate.ui.settings.two_line import Line
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.time_format import ago
from callgate.ui.theme.state_look import ANSWERED, CANCELLED, DENIED, DONE, REVIEW, SKIPPED, TIMED_OUT, StateLook

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_ALLOWED: Final = StateLook("allowed", DONE.color, DONE.icon)
_GAP: Final = StateLook("gap", DENIED.color, DENIED.icon)
_SCOPES: Final = {
    "turn": "for this turn",
    "conversation": "for this conversation",
    "session": "for this session",
    "workspace": "for this workspace",
    "always": "for good",
}
_PLACES: Final = {"dialog": "in the dialog", "card": "in the conversation", "queue": "in the queue"}
_DECIDERS: Final = {
    "person": "by you",
    "rule": "by a rule",
    "setting": "by a setting",
    "deadline": "by the deadline",
    "client": "by the client",
    "provider": "by the provider",
    "shutdown": "by the end of the program",
    "leaving": "by quitting Callgate",
}


class AuditModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[AuditEntry] = []
        self._shown: list[AuditEntry] = []
        self._filter: Expression | None = None
        self._now = 0.0

    @property
    def total(self) -> int:
        """How many there are, shown or not."""
        return len(self._entries)

    @property
    def oldest(self) -> int | None:
        """The sequence of the last entry; None = there is none."""
        return self._entries[-1].sequence if self._entries else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        entry = self._shown[index.row()]
        match role:
            case Line.ITEM:
                return entry
            case Line.LOOK:
                return look_of_entry(entry)
            case Line.TITLE:
                return reveal(_title(entry))
            case Line.DETAIL:
                return reveal(entry.agent)
            case Line.RIGHT:
                return ago(entry.at, self._now)
            case Line.FOOT:
                return reveal(words_of(entry))
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return reveal(f"{_title(entry)}, {entry.agent}: {look_of_entry(entry).word} {words_of(entry)}")
            case _:
                return None

    def set_entries(self, entries: Sequence[AuditEntry], now: float) -> None:
        """The newest first."""
        self._entries, self._now = list(entries), now
        self._show()

    def set_filter(self, expression: Expression | None) -> None:
        self._filter = expression
        self._show()

    def _show(self) -> None:
        self.beginResetModel()
        self._shown = [entry for entry in self._entries if self._fits(entry)]
        self.endResetModel()

    def _fits(self, entry: AuditEntry) -> bool:
        if self._filter is None:
            return True
        try:
            return self._filter.holds(EntrySubject(entry))
        except MatchTimeout:
            return True  # what can't be told in time is shown rather than hidden


class EntrySubject:
    """An entry as expressions see it."""

    def __init__(self, entry: AuditEntry) -> None:
        self._entry = entry

    def values(self, field: str) -> tuple[FieldValue, ...]:
        entry = self._entry
        match field:
            case "tool" | "source" | "agent" | "model" | "state":
                return (str(getattr(entry, field)),)
            case "decision":
                return (look_of_entry(entry).word, entry.decided_by, entry.reason, entry.verdict)
            case "dur":
                return (entry.waited_seconds,)
            case _:
                return ()

    def text(self) -> str:
        entry = self._entry
        return " ".join((entry.tool, entry.source, entry.agent, entry.model, entry.rule, entry.explanation))


def look_of_entry(entry: AuditEntry) -> StateLook:
    """How the decision ended, in word, colour and icon."""
    if entry.is_gap:
        return _GAP
    if entry.reason == "Timeout":
        return TIMED_OUT
    if entry.state == "Cancelled":
        return CANCELLED
    if entry.stage == "result":
        return REVIEW
    match entry.reason:
        case "Denied":
            return DENIED
        case "Skipped":
            return SKIPPED
        case _:
            return ANSWERED if entry.state == "Completed" else _ALLOWED


def _title(entry: AuditEntry) -> str:
    return "Decisions not recorded" if entry.is_gap else entry.tool


def words_of(entry: AuditEntry) -> str:
    """Who decided, where, by which rule, why, and how long it had waited."""
    who = " ".join(filter(None, (_DECIDERS.get(entry.decided_by, entry.decided_by), _PLACES.get(entry.initiator, ""))))
    changed = "arguments edited" if entry.edited else "result changed" if entry.result_changed else ""
    scope = _SCOPES.get(entry.scope, "")
    waited = f"waited {entry.waited_seconds:.0f} s" if entry.waited_seconds >= 1 else ""
    return "  ·  ".join(filter(None, (who, scope, entry.rule, entry.explanation, changed, waited, entry.wall)))
