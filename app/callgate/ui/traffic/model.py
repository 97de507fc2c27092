"""The traffic table's model: rows of the fold that fit the filter, in the order asked for. Touches no widget.

Sorting and filtering are its own: a proxy would ask Python for every one of 50,000 rows through Qt. Both are done in
slices when there is much, so that the window never waits; what changes meanwhile is put in afterwards. While rows are
live they keep their place; an exchange that ends takes the one its column gives it. Rounds stand under their exchange.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from callgate.core.catalog.prices import PriceTable
from callgate.core.events import Event, ExchangeStarted
from callgate.core.rules.match import Always, Expression, MatchTimeout
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.traffic.columns import COLUMNS, DURATION, spoken, tip
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_columns import RowColumns
from callgate.ui.traffic.row_filter import FilterJob, fits
from callgate.ui.traffic.row_order import RowOrder, SortJob

MOST_EXCHANGES: Final = 50_000
"""More than anyone scrolls through; the journal has the rest."""
_SLACK: Final = 1000
"""The oldest are dropped so many at a time: each time the whole table is built anew."""
_NO_PARENT: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AT_ONCE: Final = 0.012
"""Seconds that filtering and sorting may take before the window gets its turn: most keystrokes need no more."""
_SLICE: Final = 0.008
_SMALL: Final = 500
"""Exchanges that are never worth slicing."""
_GATHERED: Final = 4000
"""Exchanges between two looks at the clock."""
_MOST_AMENDED: Final = 300
"""Exchanges that may have changed before columns are taken out of the rows anew."""


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """The whole `TrafficRow`, for the delegate."""
    LONGEST = Qt.ItemDataRole.UserRole + 2
    """Seconds of the longest row on show: what a full bar stands for."""


class TrafficModel(QAbstractTableModel):
    filter_failed = Signal(str)
    """A pattern takes too long; what it could not judge is not shown."""

    def __init__(
        self,
        prices: PriceTable | None = None,
        parent: QObject | None = None,
        is_mcp: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`is_mcp`: whether calls of a source go to an MCP server; such calls have rows of their own."""
        super().__init__(parent)
        self.fold = ExchangeFold(prices, is_mcp)
        self._shown: list[TrafficRow] = []
        self._order = RowOrder()
        self._exchanges: list[str] = []
        """As they sort; those that came since the last sorting are among `_amended`."""
        self._unseen: set[str] = set()
        """Exchanges that have just begun: they stand nowhere yet."""
        self._columns = RowColumns()
        self._columns_hold = False
        """False: rows must be put in order and their columns taken out anew."""
        self._sorted = False
        self._amended: dict[str, None] = {}
        """Exchanges that changed since the columns were taken."""
        self._waiting: dict[str, None] = {}
        """Exchanges that changed while work was going on."""
        self._filter: Expression = Always()
        self._with_rounds = True
        self._longest = 0.0
        self._given_up = False
        """True: the filter takes too long to be asked again."""
        self._work: Iterator[None] | None = None
        self._until = 0.0
        self._warming: list[str] = []
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._go_on)

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._shown):
            return None
        row = self._shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return COLUMNS[index.column()].text(row)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if COLUMNS[index.column()].is_number else _LEFT
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(tip(row, index.column()))
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row)
            case Role.ROW:
                return row
            case Role.LONGEST:
                return self._longest
            case _:
                return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section].title
            case Qt.ItemDataRole.ToolTipRole:
                return COLUMNS[section].about or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if COLUMNS[section].is_number and section != DURATION else _LEFT
            case _:
                return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(COLUMNS):
            return
        self._order.column, self._order.descending = column, order == Qt.SortOrder.DescendingOrder
        self._rebuild(resort=True)

    # ---- reading ---------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Sequence[TrafficRow]:
        return self._shown

    @property
    def is_working(self) -> bool:
        """Whether filtering or sorting goes on; what is shown is what was asked for before."""
        return self._work is not None

    @property
    def shown_exchanges(self) -> int:
        """How many exchanges have a row on show, be it only that of a round."""
        return len(set(map(attrgetter("exchange_id"), self._shown))) if self.filtered else len(self.fold)

    @property
    def filtered(self) -> bool:
        return not isinstance(self._filter, Always)

    def row_at(self, index: QModelIndex | QPersistentModelIndex) -> TrafficRow | None:
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    def place_of(self, row_id: str) -> int:
        """-1 = not on show."""
        group = self._group(row_id.rpartition("#")[0])
        row = next((row for row in group if row.id == row_id), None)
        if row is None:
            return -1
        place = self._position(row)
        return place if self._stands_at(place, row) else -1

    def values(self, field: str) -> set[object]:
        """All different values of a field that is not a number, for completion."""
        since = (value for one in self._amended for row in self._group(one)[:1] for value in row.values(field))
        return self._columns.values(field).union(since)

    # ---- changing --------------------------------------------------------------------------------------------------

    def load(self, events: Iterable[Event]) -> None:
        """Many events at once, of exchanges that may be older than those that are here."""
        self.fold.apply_all(events)
        self._drop_oldest()
        self._rebuild(resort=True)

    def set_filter(self, expression: Expression) -> None:
        self._filter = expression
        self._given_up = False
        self._rebuild()

    def set_with_rounds(self, with_rounds: bool) -> None:
        self._with_rounds = with_rounds
        self._columns_hold = False
        self._rebuild()

    def set_prices(self, prices: PriceTable) -> None:
        self.fold.set_prices(prices)
        self._rebuild(resort=True)

    def warm(self, field: str) -> None:
        """A field is about to be asked for: takes it out of the rows in idle turns."""
        if self._columns.filled(field) < len(self._columns) and field not in self._warming:
            self._warming.append(field)
            self._turn.start(0)

    def apply(self, batch: Iterable[Event]) -> None:
        changed: dict[str, None] = {}
        for event in batch:
            if exchange_id := self.fold.apply(event):
                changed[exchange_id] = None
                if isinstance(event, ExchangeStarted):
                    self._unseen.add(exchange_id)
        self._show_changed(changed)
        if self._drop_oldest():
            self._rebuild(resort=True)

    def tick(self, now: float) -> None:
        """Time has passed: what is live has grown longer."""
        self._show_changed(self.fold.tick(now))

    def forget_conversation(self, conversation_id: str) -> None:
        gone = [row.exchange_id for row in self.fold.exchanges() if row.conversation_id == conversation_id]
        if gone:
            self.fold.forget(gone)
            self._rebuild(resort=True)

    def _drop_oldest(self) -> bool:
        if len(self.fold) <= MOST_EXCHANGES + _SLACK:
            return False
        oldest = sorted(self.fold.exchanges(), key=lambda row: row.at)[: len(self.fold) - MOST_EXCHANGES]
        self.fold.forget([row.exchange_id for row in oldest])
        return True

    # ---- working in slices -----------------------------------------------------------------------------------------

    def _rebuild(self, *, resort: bool = False) -> None:
        self._sorted = self._sorted and not resort
        self._work = self._rebuilding()
        self._drive(_AT_ONCE if len(self.fold) > _SMALL else float("inf"))

    def _drive(self, seconds: float) -> None:
        if self._work is None:
            return
        self._until = time.thread_time() + seconds
        for _ in self._work:
            if self._enough():
                self._turn.start(0)
                return
        self._work = None
        waiting, self._waiting = self._waiting, {}
        self._show_changed({**self._amended, **waiting})

    def _go_on(self) -> None:
        if self._work is not None:
            self._drive(_SLICE)
        elif self._warming:
            self._warm_up()

    def _enough(self) -> bool:
        return time.thread_time() >= self._until

    def _rebuilding(self) -> Iterator[None]:
        """Yields where the window may have its turn."""
        while not self.fold.freshen(self._enough):
            yield
        if not self._sorted or len(self._amended) > _MOST_AMENDED:
            sorting = SortJob(self._order, self.fold.groups)
            while not sorting.run(self._enough):
                yield
            yield
            self._exchanges, self._longest = sorting.exchanges, sorting.longest
            self._sorted, self._columns_hold, self._amended = True, False, {}
            yield
        if not self._columns_hold:
            rows: list[TrafficRow] = []
            groups, ordered = self.fold.groups, self._exchanges
            for start in range(0, len(ordered), _GATHERED):
                found = list(map(groups.__getitem__, ordered[start : start + _GATHERED]))
                rows += chain.from_iterable(found) if self._with_rounds else [group[0] for group in found]
                if self._enough():
                    yield
            self._columns, self._columns_hold = RowColumns(rows), True
            yield
        job = FilterJob(self._filter, self._columns)
        while not self._filtered(job):
            yield
        self.beginResetModel()
        self._shown = [] if self._given_up else job.found
        self.endResetModel()

    def _filtered(self, job: FilterJob) -> bool:
        try:
            return self._given_up or job.run(max(0.0, self._until - time.thread_time()))
        except MatchTimeout as slow:
            self._give_up(slow)
            return True

    def _warm_up(self) -> None:
        field, until = self._warming[0], time.thread_time() + _SLICE
        while (filled := self._columns.filled(field)) < len(self._columns) and time.thread_time() < until:
            self._columns.fill(field, min(filled + 2000, len(self._columns)))
        if filled >= len(self._columns):
            self._warming.pop(0)
        if self._warming:
            self._turn.start(0)

    # ---- row by row ------------------------------------------------------------------------------------------------

    def _group(self, exchange_id: str) -> tuple[TrafficRow, ...]:
        group = self.fold.groups.get(exchange_id, ())
        return group if self._with_rounds else group[:1]

    def _show_changed(self, changed: Iterable[str]) -> None:
        if self._work is not None:
            self._waiting.update(dict.fromkeys(changed))
            return
        for exchange_id in changed:
            group = self._group(exchange_id)
            if not group:
                continue
            self._amended[exchange_id] = None
            self._settle(group)
            self._unseen.discard(exchange_id)
            for row in group:
                self._show_row(row)

    def _settle(self, group: tuple[TrafficRow, ...]) -> None:
        """A live exchange keeps its place; one that has ended takes the one that is its own."""
        top, live = group[0], self._order.live
        stood = live.get(top.exchange_id)
        if top.is_live:
            live.setdefault(top.exchange_id, self._order.rank(top))
        elif stood is not None and stood != self._order.rank(top):
            self._take_out(group)
            self._sorted = False
            del live[top.exchange_id]
        elif stood is not None:
            del live[top.exchange_id]
        elif top.exchange_id not in self._unseen and not self._stands_at(self._position(top), top):
            # it changed after its end, which is rare: then it may stand anywhere
            self._sorted = False
            for place in [at for at, row in enumerate(self._shown) if row.exchange_id == top.exchange_id][::-1]:
                self._remove(place)

    def _show_row(self, row: TrafficRow) -> None:
        place = self._position(row)
        was_shown, is_wanted = self._stands_at(place, row), self._fits(row)
        if was_shown and not is_wanted:
            self._remove(place)
        elif is_wanted and not was_shown:
            self.beginInsertRows(_NO_PARENT, place, place)
            self._shown.insert(place, row)
            self.endInsertRows()
        elif is_wanted and self._shown[place] is not row:
            self._shown[place] = row
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(COLUMNS) - 1))
        if is_wanted:
            self._longest = max(self._longest, row.seconds)

    def _take_out(self, group: Iterable[TrafficRow]) -> None:
        for row in group:
            place = self._position(row)
            if self._stands_at(place, row):
                self._remove(place)

    def _remove(self, place: int) -> None:
        self.beginRemoveRows(_NO_PARENT, place, place)
        del self._shown[place]
        self.endRemoveRows()

    def _fits(self, row: TrafficRow) -> bool:
        try:
            return not self._given_up and fits(self._filter, row)
        except MatchTimeout as slow:
            self._give_up(slow)
            return False

    def _give_up(self, slow: MatchTimeout) -> None:
        """Said once: every other row would take as long."""
        self._given_up = True
        self.filter_failed.emit(str(slow))

    def _stands_at(self, place: int, row: TrafficRow) -> bool:
        if not 0 <= place < len(self._shown):
            return False
        other = self._shown[place]
        return other.exchange_id == row.exchange_id and other.step == row.step

    def _position(self, row: TrafficRow) -> int:
        """Where a row stands, or would stand, among those on show."""
        groups = self.fold.groups
        return self._order.position(self._shown, groups[row.exchange_id][0], row.step, lambda other: groups[other][0])
