"""Traffic as a fold of events: which rows there are and what stands in them. Pure; knows nothing of Qt.

Ended exchanges look the same whether they were watched or read from the journal: what only a live stream tells (the
first token before the round's end) gives way to what is stored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from callgate.core.catalog.prices import PriceTable
from callgate.core.deltas import Failed, Finished, Started, UsageReported
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.ui.traffic.exchange_record import ExchangeRecord, Pool, RoundRecord
from callgate.ui.traffic.row import TrafficRow

_AT_ONCE: Final = 50
"""Exchanges between two looks at the clock."""


class ExchangeFold:
    def __init__(self, prices: PriceTable | None = None, is_mcp: Callable[[str], bool] = lambda _: False) -> None:
        self._prices = prices or PriceTable()
        self._is_mcp = is_mcp
        self._pool = Pool()
        self._records: dict[str, ExchangeRecord] = {}
        self._groups: dict[str, tuple[TrafficRow, ...]] = {}
        self._stale: dict[str, None] = {}
        """Exchanges whose rows are to be made anew before they are looked at."""
        self._live: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._records)

    @property
    def groups(self) -> Mapping[str, tuple[TrafficRow, ...]]:
        """By exchange: its row, then those of its rounds where there are several; one round alone tells nothing new."""
        self.freshen(lambda: False)
        return self._groups

    def freshen(self, enough: Callable[[], bool]) -> bool:
        """Makes rows anew that are stale, until somebody says that it is enough for now. True: all are fresh."""
        while self._stale:
            for exchange_id in list(islice(self._stale, _AT_ONCE)):
                rows = self._records[exchange_id].rows(self._prices, self._pool, self._is_mcp)
                self._groups[exchange_id] = rows if len(rows) > 2 else rows[:1]
                del self._stale[exchange_id]
            if enough():
                return not self._stale
        return True

    def exchanges(self) -> Iterator[TrafficRow]:
        return (rows[0] for rows in self.groups.values())

    def rounds(self, exchange_id: str) -> tuple[TrafficRow, ...]:
        """Every round of an exchange, also where there is only one."""
        record = self._records.get(exchange_id)
        rows = () if record is None else record.rows(self._prices, self._pool, self._is_mcp)
        return tuple(row for row in rows if row.round and not row.call)

    def apply_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> str:
        """The exchange whose rows an event has changed; empty = none."""
        exchange_id = self._fold(event)
        if exchange_id:
            self._records[exchange_id].watched(event.at)
            self._stale[exchange_id] = None
        return exchange_id

    def tick(self, now: float) -> tuple[str, ...]:
        """Time has passed for what is live."""
        for exchange_id in self._live:
            self._records[exchange_id].watched(now)
            self._stale[exchange_id] = None
        return tuple(self._live)

    def set_prices(self, prices: PriceTable) -> None:
        self._prices = prices
        self._stale = dict.fromkeys(self._records)

    def forget(self, exchange_ids: Iterable[str]) -> None:
        for exchange_id in exchange_ids:
            for held in (self._records, self._groups, self._stale, self._live):
                held.pop(exchange_id, None)

    def _fold(self, event: Event) -> str:
        match event:
            case ExchangeStarted():
                return self._start(event)
            case RoundStarted():
                return self._start_round(event)
            case DeltaArrived():
                return self._take_delta(event)
            case RoundEnded():
                return self._end_round(event)
            case InvocationChanged():
                return self._take_call(event)
            case ExchangeEnded():
                return self._end(event)
            case _:
                return ""

    def _start(self, event: ExchangeStarted) -> str:
        if event.exchange_id in self._records:
            return ""
        self._records[event.exchange_id] = ExchangeRecord.of(event)
        self._live[event.exchange_id] = None
        return event.exchange_id

    def _start_round(self, event: RoundStarted) -> str:
        record = self._records.get(event.exchange_id)
        if record is None or event.round in record.rounds:
            return ""
        record.rounds[event.round] = RoundRecord(replace(event, tools=(), left_out=()), len(event.tools), event.at)
        return event.exchange_id

    def _take_delta(self, event: DeltaArrived) -> str:
        step = self._round(event.exchange_id, event.round)
        if step is None or step.status != "running":
            return ""
        if isinstance(event.delta, Started | UsageReported | Finished | Failed):
            return ""
        step.status, step.first_token_at = "streaming", event.at
        return event.exchange_id

    def _end_round(self, event: RoundEnded) -> str:
        step = self._round(event.exchange_id, event.round)
        if step is None or step.is_over:
            return ""
        step.end(event)
        return event.exchange_id

    def _take_call(self, event: InvocationChanged) -> str:
        call = event.invocation
        record = self._records.get(call.exchange_id)
        if record is None:
            return ""
        # a program that calls a tool itself has no rounds
        holder = record.rounds.get(call.round, record)
        holder.calls.take(call)
        return call.exchange_id

    def _end(self, event: ExchangeEnded) -> str:
        record = self._records.get(event.exchange_id)
        if record is None or record.ended is not None:
            return ""
        for step in record.rounds.values():
            if not step.is_over:
                step.break_off(event)
        record.until = event.at
        record.ended = replace(event, answer=None, hidden=())
        self._live.pop(event.exchange_id, None)
        return event.exchange_id

    def _round(self, exchange_id: str, number: int) -> RoundRecord | None:
        record = self._records.get(exchange_id)
        return None if record is None else record.rounds.get(number)
