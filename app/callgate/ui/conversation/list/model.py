"""Conversations as rows under the headers of their groups, or as the hits of a search. A fold of events; touches no
widget. Rows are moved, not made anew, so that what is selected stays selected.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum, IntFlag
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from callgate.core.catalog.prices import PriceTable
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, ExchangeStarted, conversation_of
from callgate.core.search.hit import SearchHit
from callgate.ui.conversation.list.groups import Grouping, Header, Row, arranged, day_words, starts
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.widgets.agent_name import has_sign, name_tip, shown_name, spoken_name

UNTITLED: Final = "Untitled conversation"
_DEEPEST: Final = 4
"""Steps by which a sub-agent's conversation is indented at most."""
_NO_PARENT: Final = QModelIndex()
_MOST_STEPS: Final = 30
"""So many single moves are as good as a new order of everything."""
Index = QModelIndex | QPersistentModelIndex


class Role(IntEnum):
    ID = Qt.ItemDataRole.UserRole + 1
    """Empty for a header."""
    SUMMARY = Qt.ItemDataRole.UserRole + 2
    """The whole `ConversationSummary`, for the delegate."""
    HEADER = Qt.ItemDataRole.UserRole + 3
    """A `Header`; None for a conversation."""
    HIT = Qt.ItemDataRole.UserRole + 4
    """The `SearchHit`, while there is a search."""
    COST = Qt.ItemDataRole.UserRole + 5
    """US dollars; None = not known."""
    UNDER_AGENT = Qt.ItemDataRole.UserRole + 6
    """True: the header above names the agent already."""
    WHO = Qt.ItemDataRole.UserRole + 7
    """The agent's name as it is shown, or what is not in the header above."""
    DEPTH = Qt.ItemDataRole.UserRole + 8
    """Of a sub-agent's conversation: under how many others it stands."""


class Shape(IntFlag):
    """What decides how high a row is."""

    HEADER = 1
    TAGS = 2
    SNIPPET = 4


class ConversationListModel(QAbstractListModel):
    renamed = Signal(str, str)
    """A row was edited: conversation, new name."""

    def __init__(
        self,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.time,
        registered: Callable[[str], bool] = lambda name: False,
    ) -> None:
        """`registered`: whether an agent of a name has a token."""
        super().__init__(parent)
        self._clock = clock
        self._registered = registered
        self._summaries: dict[str, ConversationSummary] = {}
        self._hidden: set[str] = set()
        self._rows: list[Row] = []
        self._grouping: Grouping = "day"
        self._folded: set[str] = set()
        self._hits: dict[str, SearchHit] | None = None
        self._prices = PriceTable()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if isinstance(self._rows[index.row()], Header):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        return _of_header(row, role) if isinstance(row, Header) else self._of_conversation(self._summaries[row], role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        conversation_id = index.data(Role.ID)
        if role != Qt.ItemDataRole.EditRole or not conversation_id:
            return False
        self.renamed.emit(conversation_id, str(value))
        return True

    def _of_conversation(self, summary: ConversationSummary, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title_of(summary)
            case Qt.ItemDataRole.EditRole:
                return summary.shown_title
            case Qt.ItemDataRole.AccessibleTextRole:
                when = day_words(summary.updated_at, time.time()) if summary.updated_at else ""
                return ", ".join(filter(None, (spoken(summary, summary.cost(self._prices), self._who(summary)), when)))
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(summary)
            case Role.ID:
                return summary.id
            case Role.SUMMARY:
                return summary
            case Role.HIT:
                return self._hits.get(summary.id) if self._hits is not None else None
            case Role.UNDER_AGENT:
                return self._grouping == "agent" and not self.searching and not summary.marks.pinned
            case Role.WHO:
                name = shown_name(summary.agent, summary.agent_proven, self._registered(summary.agent))
                if not self._of_conversation(summary, Role.UNDER_AGENT):
                    return name
                return reveal(f"{summary.model} (claimed)" if name.endswith("(claimed)") else summary.model)
            case Role.DEPTH:
                return self._depth(summary)
            case Role.COST:
                return summary.cost(self._prices)
            case _:
                return None

    def _depth(self, summary: ConversationSummary) -> int:
        """Parents stand above, in the same group."""
        depth, place = 0, self.row_of(summary.id)
        while summary.parent_agent and place > 0 and depth < _DEEPEST:
            place -= 1
            row = self._rows[place]
            if isinstance(row, Header):
                break
            if starts(self._summaries[row], summary):
                depth, summary = depth + 1, self._summaries[row]
        return depth

    def _who(self, summary: ConversationSummary) -> str:
        """The agent for assistive technology; that a name is claimed is said where it could be proven."""
        name, registered = summary.agent, self._registered(summary.agent)
        telling = registered or has_sign(name, summary.agent_proven)
        return spoken_name(name, summary.agent_proven, registered) if telling else name

    def _tip(self, summary: ConversationSummary) -> str:
        cost = summary.cost(self._prices)
        lines = (
            f"Started {figures.moment(summary.started_at)}, last active {figures.moment(summary.updated_at)}",
            f"{summary.exchanges} exchanges, {summary.calls} tool calls" if summary.exchanges else "",
            f"{summary.usage.input:,} tokens in, {summary.usage.output:,} out" if summary.usage.total else "",
            f"about {figures.dollars(cost)}" if cost is not None else "",
            f"Imported from {summary.marks.origin}" if summary.imported else "",
            name_tip(summary.agent, summary.agent_proven, self._registered(summary.agent), summary.agent_process)
            if summary.agent
            else "",
        )
        return plain_tip("\n".join((title_of(summary), *filter(None, lines))))

    # ---- reading ---------------------------------------------------------------------------------------------------

    @property
    def grouping(self) -> Grouping:
        return self._grouping

    @property
    def folded(self) -> frozenset[str]:
        return frozenset(self._folded)

    @property
    def count(self) -> int:
        """Conversations that can be seen or unfolded; headers are not counted."""
        return len(self._shown())

    @property
    def searching(self) -> bool:
        return self._hits is not None

    @property
    def tags(self) -> list[str]:
        """All tags there are, the most used first."""
        counted: dict[str, int] = {}
        for summary in self._summaries.values():
            for tag in summary.marks.tags:
                counted[tag] = counted.get(tag, 0) + 1
        return sorted(counted, key=lambda tag: (-counted[tag], tag))

    def summary(self, conversation_id: str) -> ConversationSummary | None:
        return self._summaries.get(conversation_id)

    def row_of(self, conversation_id: str) -> int:
        """-1 = not shown."""
        return self._rows.index(conversation_id) if conversation_id in self._rows else -1

    def shape(self, row: int) -> Shape:
        known = self._rows[row]
        if isinstance(known, Header):
            return _HEADER
        hit = self._hits.get(known) if self._hits is not None else None
        snippet = hit is not None and hit.kind != "title" and hit.snippet.text
        return _SHAPES[2 * bool(self._summaries[known].marks.tags) + 4 * bool(snippet)]

    def title_at(self, row: int) -> str:
        """Empty for a header."""
        known = self._rows[row]
        return title_of(self._summaries[known]) if isinstance(known, str) else ""

    def signs_at(self, row: int) -> int:
        """How many signs stand before the title."""
        known = self._rows[row]
        if not isinstance(known, str):
            return 0
        marks = self._summaries[known].marks
        return bool(marks.pinned) + bool(marks.origin)

    def shown_ids(self) -> list[str]:
        return [row for row in self._rows if isinstance(row, str)]

    # ---- changing --------------------------------------------------------------------------------------------------

    def load(self, stored: Sequence[ConversationSummary], since: Iterable[Event]) -> None:
        """What was remembered, and what has happened while it was fetched; nothing is counted twice."""
        self.beginResetModel()
        self._summaries = {summary.id: summary for summary in stored}
        for event in since:
            known = self._summaries.get(conversation_of(event))
            if known is None or event.at > known.updated_at:
                self._fold(event)
        self._rows = self._arranged()
        self.endResetModel()

    def add(self, summaries: Iterable[ConversationSummary]) -> None:
        """Conversations that came otherwise than by events: from a file."""
        fresh = {summary.id: summary for summary in summaries}
        self._summaries |= fresh
        self._rearrange(set(fresh))

    def apply(self, batch: Iterable[Event]) -> None:
        changed = {conversation for event in batch if (conversation := self._fold(event))}
        if changed - self._hidden:
            self._rearrange(changed)

    def set_grouping(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._reorder()

    def set_folded(self, keys: Iterable[str]) -> None:
        self._folded = set(keys)
        self._rearrange(set())

    def fold(self, key: str) -> None:
        """Folds a group, or unfolds it."""
        self._folded ^= {key}
        self._rearrange(set())
        self._touch([row for row in self._rows if isinstance(row, Header) and row.key == key])

    def set_hits(self, hits: Sequence[SearchHit] | None) -> None:
        """Shows only what was found, the best first; None = everything again."""
        self._hits = None if hits is None else {hit.conversation_id: hit for hit in hits}
        self._reorder()

    def set_prices(self, prices: PriceTable) -> None:
        self._prices = prices
        self.refresh_times()

    def hide(self, conversation_id: str) -> None:
        """Takes a row away, as if deleted; it can come back."""
        self._hidden.add(conversation_id)
        self._rearrange(set())

    def unhide(self, conversation_id: str) -> None:
        self._hidden.discard(conversation_id)
        if conversation_id in self._summaries:
            self._rearrange({conversation_id})

    def forget(self, conversation_id: str) -> None:
        self.hide(conversation_id)
        self._hidden.discard(conversation_id)
        self._summaries.pop(conversation_id, None)

    def refresh_times(self) -> None:
        """ "2 min ago" grows old by itself, and today becomes yesterday."""
        self._rearrange(set())
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1), [Role.SUMMARY, Role.COST])

    def _fold(self, event: Event) -> str:
        """The conversation whose summary an event has changed; empty = none."""
        conversation_id = conversation_of(event)
        if not conversation_id:
            return ""
        before = self._summaries.get(conversation_id)
        if before is None and not isinstance(event, ExchangeStarted):
            return ""  # what still happens in a conversation that was deleted does not bring it back
        after = summarize(before, event)
        if after is None or after == before:
            return ""
        self._summaries[conversation_id] = after
        return conversation_id

    # ---- rows ------------------------------------------------------------------------------------------------------

    def _shown(self) -> list[ConversationSummary]:
        return [summary for known, summary in self._summaries.items() if known not in self._hidden]

    def _arranged(self) -> list[Row]:
        if self._hits is None:
            return arranged(self._shown(), self._grouping, self._clock(), self._folded)
        found = [known for known in self._hits if known in self._summaries and known not in self._hidden]
        return [Header("hits", "Best matches", len(found)), *found] if found else []

    def _rearrange(self, changed: set[str]) -> None:
        """From the rows as they are to the rows as they should be, in as few steps as that takes."""
        target = self._arranged()
        wanted = {_key(row) for row in target}
        for place in range(len(self._rows) - 1, -1, -1):
            if _key(self._rows[place]) not in wanted:
                self.beginRemoveRows(_NO_PARENT, place, place)
                del self._rows[place]
                self.endRemoveRows()
        if not self._move_one_by_one(target):
            self._reorder()
            return
        renewed: list[Row] = [row for row, old in zip(target, self._rows, strict=True) if row != old]
        self._rows = target
        self._touch([*renewed, *(known for known in changed if known in wanted)])

    def _move_one_by_one(self, target: list[Row]) -> bool:
        """False: it would take too many steps."""
        steps = 0
        for place, row in enumerate(target):
            key = _key(row)
            if place < len(self._rows) and _key(self._rows[place]) == key:
                continue
            steps += 1
            if steps > _MOST_STEPS:
                return False
            here = next((at for at in range(place, len(self._rows)) if _key(self._rows[at]) == key), -1)
            if here < 0:
                self.beginInsertRows(_NO_PARENT, place, place)
                self._rows.insert(place, row)
                self.endInsertRows()
            elif here == place + 1:
                self._move_down(place, target)
            else:
                self._move(here, place)
        return True

    def _move_down(self, place: int, target: list[Row]) -> None:
        """One that stands in the way of all behind it goes to where it belongs, in one step."""
        key = _key(self._rows[place])
        goal = next(at for at, row in enumerate(target) if _key(row) == key)
        self._move(place, min(goal, len(self._rows) - 1))

    def _move(self, here: int, place: int) -> None:
        # Qt counts the place before which the row goes with the row still in its old place
        self.beginMoveRows(_NO_PARENT, here, here, _NO_PARENT, place + (place > here))
        self._rows.insert(place, self._rows.pop(here))
        self.endMoveRows()

    def _reorder(self) -> None:
        """Another order of everything; whoever shows it selects again what was selected."""
        self.beginResetModel()
        self._rows = self._arranged()
        self.endResetModel()

    def _touch(self, rows: Iterable[Row]) -> None:
        for row in rows:
            index = self.index(self._rows.index(row))
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.DisplayRole, Role.SUMMARY, Role.HEADER, Role.COST])


_HEADER: Final = Shape.HEADER
_SHAPES: Final = [Shape(number) for number in range(8)]


def _key(row: Row) -> str:
    return f"header:{row.key}" if isinstance(row, Header) else row


def _of_header(header: Header, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return header.label
        case Qt.ItemDataRole.AccessibleTextRole:
            return f"{header.label}, {header.count} conversations" + (", folded" if header.folded else "")
        case Role.ID:
            return ""
        case Role.HEADER:
            return header
        case _:
            return None


def title_of(summary: ConversationSummary) -> str:
    return _titled(summary.shown_title)


@lru_cache(maxsize=8192)
def _titled(title: str) -> str:
    return reveal(title) or UNTITLED


def spoken(summary: ConversationSummary, cost: float | None = None, who: str = "") -> str:
    """The row as a sentence; `who` = the agent, in other words than its bare name."""
    state = "running" if summary.live else "failed" if summary.failed else ""
    waiting = f"{len(summary.waiting)} waiting" if summary.waiting else ""
    about = "about " if summary.usage.estimated else ""
    tokens = f"{about}{figures.count(summary.usage.total)} tokens" if summary.usage.total else ""
    price = figures.dollars(cost) if cost else ""
    pinned = "pinned" if summary.marks.pinned else ""
    imported = "imported" if summary.imported else ""
    tags = "tags " + " ".join(summary.marks.tags) if summary.marks.tags else ""
    words = (
        title_of(summary),
        who or summary.agent,
        summary.model,
        waiting,
        state,
        tokens,
        price,
        pinned,
        imported,
        tags,
    )
    return ", ".join(filter(None, words))
