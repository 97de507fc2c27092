"""In which order exchanges stand in the table, and where a row belongs. Pure.

The order of a column is that of its values; equal ones stand by time, and what has no value comes last. While an
exchange lives it keeps the place that it had when it was first seen: nothing jumps.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, islice
from operator import attrgetter, eq, sub
from typing import Final

from callgate.ui.traffic.columns import COLUMNS, TIME, SortValue
from callgate.ui.traffic.row import LIVE, Step, TrafficRow

SLICE: Final = 2000
"""Exchanges between two looks at the clock."""

_AT: Final = attrgetter("at")
_UNTIL: Final = attrgetter("until")
_STATUS: Final = attrgetter("status")

Rank = tuple[bool, float | str, float, str]
Groups = Mapping[str, tuple[TrafficRow, ...]]


class RowOrder:
    def __init__(self) -> None:
        self.column, self.descending = TIME, False
        self.live: dict[str, Rank] = {}
        """Where exchanges stand that have not ended."""

    def rank(self, row: TrafficRow) -> Rank:
        value: SortValue = COLUMNS[self.column].sort(row)
        missing = value is None
        return (missing != self.descending, "" if value is None else value, row.at, row.exchange_id)

    def standing(self, row: TrafficRow) -> Rank:
        """Where an exchange stands now, which for a live one is where it stood at first."""
        return self.live.get(row.exchange_id) or self.rank(row)

    def position(
        self, shown: Sequence[TrafficRow], top: TrafficRow, step: Step, top_of: Callable[[str], TrafficRow]
    ) -> int:
        """Where a row of an exchange stands, or would stand, among those on show."""
        rank = self.standing(top)
        low, high = 0, len(shown)
        while low < high:
            middle = (low + high) // 2
            other = shown[middle]
            if other.exchange_id == top.exchange_id:
                before = other.step < step
            else:
                other_rank = self.standing(top_of(other.exchange_id))
                before = other_rank > rank if self.descending else other_rank < rank
            low, high = (middle + 1, high) if before else (low, middle)
        return low


class SortJob:
    """Sorting that can be done in slices; `run` goes on where it left off.

    What is done with every row is done by C where it can be: a click on a heading is answered for 50,000 exchanges.
    """

    def __init__(self, order: RowOrder, groups: Groups) -> None:
        self._order = order
        self._groups = list(groups.values())
        self._tops: list[TrafficRow] = []
        self._values: list[SortValue] = []
        self._places: Sequence[int] | None = None
        self.exchanges: list[str] = []
        self.longest = 0.0
        order.live = {}

    def run(self, enough: Callable[[], bool]) -> bool:
        """Works until it is done (True), or until somebody says that it is enough for now."""
        while not self._is_done:
            self._step()
            if enough():
                break
        return self._is_done

    @property
    def _is_done(self) -> bool:
        return len(self.exchanges) == len(self._groups)

    def _step(self) -> None:
        if not self._tops:
            self._tops = self._by_time()
        elif len(self._values) < len(self._tops):
            self._take_values()
        elif self._places is None:
            self._places = self._sorted()
        else:
            start = len(self.exchanges)
            places = self._places[start : start + SLICE]
            self.exchanges += [self._tops[place].exchange_id for place in places]

    def _by_time(self) -> list[TrafficRow]:
        """Before all else: what is equal later then stays so, as sorting keeps the order of equals."""
        tops = [group[0] for group in self._groups]
        tops.sort(key=_AT, reverse=self._order.descending)
        times = list(map(_AT, tops))
        if any(map(eq, times, islice(times, 1, None))):  # at the very same moment, which is rare
            tops.sort(key=lambda row: (row.at, row.exchange_id), reverse=self._order.descending)
        return tops

    def _take_values(self) -> None:
        sort, start = COLUMNS[self._order.column].sort, len(self._values)
        part = self._tops[start : start + SLICE]
        self._values += map(_AT, part) if self._order.column == TIME else map(sort, part)
        self.longest = max(self.longest, *map(sub, map(_UNTIL, part), map(_AT, part)))
        for row in compress(part, map(LIVE.__contains__, map(_STATUS, part))):
            self._order.live[row.exchange_id] = self._order.rank(row)

    def _sorted(self) -> Sequence[int]:
        values = self._values
        if self._order.column == TIME:
            return range(len(values))
        known = [place for place, value in enumerate(values) if value is not None]
        known.sort(key=values.__getitem__, reverse=self._order.descending)  # type: ignore[arg-type]
        if len(known) == len(values):
            return known
        missing = [place for place, value in enumerate(values) if value is None]
        return [*known, *missing]
