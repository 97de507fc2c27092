"""The traffic table's model: rows of the fold that fit the filter, in the order asked for. Touches no widget.

Sorting and filtering are its own: a proxy would ask Python for every one of 50,000 rows through Qt. While rows are
live they keep their place; an exchange that ends takes the one its column gives it. Rounds stand under their exchange.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from callgate.core.events import Event
from callgate.core.match import Always, Expression, MatchTimeout
from callgate.core.prices import PriceTable
from callgate.ui.plain_text import plain_tip
from callgate.ui.traffic.columns import COLUMNS, DURATION, TIME, SortValue, spoken, tip
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_filter import fits, fitting

MOST_EXCHANGES: Final = 50_000
"""More than anyone scrolls through; the journal has the rest."""
_SLACK: Final = 1000
"""The oldest are dropped so many at a time: each time the whole table is built anew."""
_NO_PARENT: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

Rank = tuple[bool, float | str, float, str]


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """The whole `TrafficRow`, for the delegate."""
    LONGEST = Qt.ItemDataRole.UserRole + 2
    """Seconds of the longest row on show: what a full bar stands for."""


class TrafficModel(QAbstractTableModel):
    filter_failed = Signal(str)
    """A pattern takes too long; what it could not judge is not shown."""

    def __init__(self, prices: PriceTable | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.fold = ExchangeFold(prices)
        self._shown: list[TrafficRow] = []
        self._order: list[str] = []
        """Exchanges as they sort, all of them."""
        self._ranks: dict[str, Rank] = {}
        """Where each exchange sorts; taken anew when it ends, so that nothing jumps while it lives."""
        self._filter: Expression = Always()
        self._sorted = True
        """False: `_order` has exchanges at its end that belong elsewhere."""
        self._with_rounds = True
        self._column, self._descending = TIME, False
        self._longest = 0.0
        self._given_up = False
        """True: the filter takes too long to be asked again."""

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
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._rebuild()

    # ---- reading ---------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Sequence[TrafficRow]:
        return self._shown

    @property
    def shown_exchanges(self) -> int:
        """How many exchanges have a row on show, be it only that of a round."""
        return len({row.exchange_id for row in self._shown}) if self.filtered else len(self.fold)

    @property
    def filtered(self) -> bool:
        return not isinstance(self._filter, Always)

    def row_at(self, index: QModelIndex | QPersistentModelIndex) -> TrafficRow | None:
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    def place_of(self, row_id: str) -> int:
        """-1 = not on show."""
        exchange_id, _, number = row_id.rpartition("#")
        if exchange_id not in self._ranks:
            return -1
        place = self._position(exchange_id, int(number))
        return place if self._stands_at(place, exchange_id, int(number)) else -1

    # ---- changing --------------------------------------------------------------------------------------------------

    def load(self, events: Iterable[Event]) -> None:
        """Many events at once, of exchanges that may be older than those that are here."""
        self.fold.apply_all(events)
        self._drop_oldest()
        self._rebuild()

    def set_filter(self, expression: Expression) -> None:
        self._filter = expression
        self._given_up = False
        self._rebuild(keep_ranks=True)

    def set_with_rounds(self, with_rounds: bool) -> None:
        self._with_rounds = with_rounds
        self._rebuild(keep_ranks=True)

    def set_prices(self, prices: PriceTable) -> None:
        self.fold.set_prices(prices)
        self._rebuild()

    def apply(self, batch: Iterable[Event]) -> None:
        changed = dict.fromkeys(exchange_id for event in batch if (exchange_id := self.fold.apply(event)))
        self._show_changed(changed)
        if self._drop_oldest():
            self._rebuild()

    def tick(self, now: float) -> None:
        """Time has passed: what is live has grown longer."""
        self._show_changed(self.fold.tick(now))

    def forget_conversation(self, conversation_id: str) -> None:
        gone = [row.exchange_id for row in self.fold.exchanges() if row.conversation_id == conversation_id]
        if gone:
            self.fold.forget(gone)
            self._rebuild()

    def _drop_oldest(self) -> bool:
        if len(self.fold) <= MOST_EXCHANGES + _SLACK:
            return False
        oldest = sorted(self.fold.exchanges(), key=lambda row: row.at)[: len(self.fold) - MOST_EXCHANGES]
        self.fold.forget([row.exchange_id for row in oldest])
        return True

    def _rebuild(self, keep_ranks: bool = False) -> None:
        self.beginResetModel()
        if not keep_ranks:
            self._ranks = {row.exchange_id: self._rank(row) for row in self.fold.exchanges()}
            self._order = list(self._ranks)
            self._longest = max((row.seconds for row in self.fold.exchanges()), default=0.0)
            self._sorted = False
        if not self._sorted:
            self._order.sort(key=self._ranks.__getitem__, reverse=self._descending)
            self._sorted = True
        groups = self.fold.groups
        if self._with_rounds:
            rows = [row for exchange_id in self._order for row in groups[exchange_id]]
        else:
            rows = [groups[exchange_id][0] for exchange_id in self._order]
        self._shown = self._fitting(rows)
        self.endResetModel()

    def _fitting(self, rows: list[TrafficRow]) -> list[TrafficRow]:
        try:
            return [] if self._given_up else fitting(self._filter, rows)
        except MatchTimeout as slow:
            self._give_up(slow)
            return []

    def _group(self, exchange_id: str) -> tuple[TrafficRow, ...]:
        group = self.fold.groups.get(exchange_id, ())
        return group if self._with_rounds else group[:1]

    def _show_changed(self, changed: Iterable[str]) -> None:
        for exchange_id in changed:
            group = self._group(exchange_id)
            if not group:
                continue
            rank = self._rank(group[0])
            if exchange_id not in self._ranks:
                self._order.append(exchange_id)
                self._sorted = False
            known = self._ranks.setdefault(exchange_id, rank)
            if not group[0].is_live and rank != known:
                self._take_out(group)
                self._ranks[exchange_id] = rank
                self._sorted = False
            for row in group:
                self._show_row(row)

    def _show_row(self, row: TrafficRow) -> None:
        place = self._position(row.exchange_id, row.round)
        was_shown, is_wanted = self._stands_at(place, row.exchange_id, row.round), self._fits(row)
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
            place = self._position(row.exchange_id, row.round)
            if self._stands_at(place, row.exchange_id, row.round):
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

    # ---- order -----------------------------------------------------------------------------------------------------

    def _rank(self, row: TrafficRow) -> Rank:
        value: SortValue = COLUMNS[self._column].sort(row)
        missing = value is None
        return (missing != self._descending, "" if value is None else value, row.at, row.exchange_id)

    def _stands_at(self, place: int, exchange_id: str, number: int) -> bool:
        if not 0 <= place < len(self._shown):
            return False
        row = self._shown[place]
        return row.exchange_id == exchange_id and row.round == number

    def _position(self, exchange_id: str, number: int) -> int:
        """Where a row stands, or would stand, among those on show."""
        rank = self._ranks[exchange_id]
        low, high = 0, len(self._shown)
        while low < high:
            middle = (low + high) // 2
            other = self._shown[middle]
            other_rank = self._ranks[other.exchange_id]
            if other.exchange_id == exchange_id:
                before = other.round < number
            else:
                before = other_rank > rank if self._descending else other_rank < rank
            low, high = (middle + 1, high) if before else (low, middle)
        return low
