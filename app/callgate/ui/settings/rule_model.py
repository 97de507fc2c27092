"""The rules as rows, the strictest first. Shows what it is given; judges nothing and asks nobody."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.match import ExpressionError
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import (
    RuleState,
    about_words,
    limit_words,
    origin_words,
    rule_words,
    state_of,
    when_words,
)
from callgate.core.tool import Tool
from callgate.ui.settings.two_line import Line
from callgate.ui.settings.verdict_look import VERDICT_LOOKS
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.time_format import ago

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class Use:
    """How often past calls were settled by a rule."""

    hits: int = 0
    last: float = 0.0


@dataclass(frozen=True, slots=True)
class RuleRow:
    rule: Rule
    state: RuleState
    limits: str
    """Uses and time left, in words."""
    use: Use = Use()
    used_ago: str = ""


SUSPENDED: Final = RuleState("suspended", "suspended: the tool's definition has changed since it was granted")


def rule_rows(
    rules: Iterable[Rule],
    tools: Sequence[Tool],
    uses: Mapping[str, Use],
    now: float,
    suspended: Collection[str] = (),
) -> list[RuleRow]:
    """Deny, ask, allow, as they beat each other; within, by what they are about. `suspended`: ids of those that are
    said to be, of agents' own tools too."""
    order = list(VERDICT_LOOKS)
    rows = [
        RuleRow(
            rule,
            SUSPENDED if rule.id in suspended else state_of(rule, tools, now),
            limit_words(rule, now),
            use,
            ago(use.last, now) if use.hits else "",
        )
        for rule in rules
        for use in (uses.get(rule.id, Use()),)
    ]
    return sorted(rows, key=lambda row: (order.index(row.rule.verdict), row.rule.tool, row.rule.when))


def uses_of(past: Iterable[Invocation]) -> dict[str, Use]:
    """By rule, from calls that are over."""
    found: dict[str, Use] = {}
    for call in past:
        if call.verdict is not None:
            for rule_id in call.verdict.rule_ids or filter(None, (call.verdict.rule_id,)):
                before = found.get(rule_id, Use())
                found[rule_id] = Use(before.hits + 1, max(before.last, call.started))
    return found


class RuleModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[RuleRow] = []

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Line.ITEM:
                return row
            case Line.LOOK:
                return VERDICT_LOOKS[row.rule.verdict]
            case Line.TITLE:
                return reveal(about_words(row.rule))
            case Line.DETAIL:
                return reveal(_when(row.rule))
            case Line.RIGHT:
                return _hits(row)
            case Line.FOOT:
                return reveal("  ·  ".join(filter(None, (origin_words(row.rule), row.limits, row.rule.note))))
            case Line.WARNING:
                return reveal(row.state.reason)
            case Line.FADED:
                return row.state.standing != "active"
            case Line.SEARCHED:
                return f"{row.rule} {rule_words(row.rule)} {origin_words(row.rule)} {row.rule.note} {row.state.reason}"
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return reveal(f"{rule_words(row.rule)}, {origin_words(row.rule)} {row.state.reason}".strip())
            case _:
                return None

    def set_rows(self, rows: Sequence[RuleRow]) -> None:
        """Takes the rules as they are now; rows that stay are not touched, so that a selection stays too."""
        wanted = {row.rule.id for row in rows}
        for at in range(len(self._rows) - 1, -1, -1):
            if self._rows[at].rule.id not in wanted:
                self.beginRemoveRows(_ROOT, at, at)
                del self._rows[at]
                self.endRemoveRows()
        for at, row in enumerate(rows):
            if at < len(self._rows) and self._rows[at].rule.id == row.rule.id:
                if self._rows[at] != row:
                    self._rows[at] = row
                    self.dataChanged.emit(self.index(at), self.index(at))
            else:
                self.beginInsertRows(_ROOT, at, at)
                self._rows.insert(at, row)
                self.endInsertRows()
        if len(self._rows) > len(rows):
            self.beginRemoveRows(_ROOT, len(rows), len(self._rows) - 1)
            del self._rows[len(rows) :]
            self.endRemoveRows()

    def row_of(self, rule_id: str) -> int:
        """-1 = there is none."""
        return next((at for at, row in enumerate(self._rows) if row.rule.id == rule_id), -1)


def _when(rule: Rule) -> str:
    try:
        words = when_words(rule.when)
    except ExpressionError:
        words = rule.when
    return f"when {words}" if words else "every call"


def _hits(row: RuleRow) -> str:
    if not row.use.hits:
        return ""
    times = "1 use" if row.use.hits == 1 else f"{row.use.hits:,} uses"
    return f"{times}, last {row.used_ago}"
