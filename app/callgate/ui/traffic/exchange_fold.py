"""Traffic as a fold of events: which rows there are and what stands in them. Pure; knows nothing of Qt.

Ended exchanges look the same whether they were watched or read from the journal: what only a live stream tells (the
first token before the round's end) gives way to what is stored.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

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
from callgate.core.invocation import Invocation
from callgate.core.messages import Message, Usage
from callgate.core.prices import PriceTable
from callgate.ui.traffic.row import Spent, Status, TrafficRow

_SEARCHED: Final = 240
"""Letters of a message or of arguments that bare words search: enough to find a turn again, small enough for 50,000."""


class ExchangeFold:
    """Rows by id, in the order in which their exchanges came."""

    def __init__(self, prices: PriceTable | None = None) -> None:
        self._prices = prices or PriceTable()
        self._rows: dict[str, dict[int, TrafficRow]] = {}
        """Exchange → round → row; round 0 is the exchange itself."""
        self._said: dict[str, str] = {}
        """What the client said with each exchange, for search."""

    def __len__(self) -> int:
        return len(self._rows)

    def exchanges(self) -> Iterator[TrafficRow]:
        return (rows[0] for rows in self._rows.values())

    def exchange(self, exchange_id: str) -> TrafficRow | None:
        rows = self._rows.get(exchange_id)
        return None if rows is None else rows[0]

    def rounds(self, exchange_id: str) -> tuple[TrafficRow, ...]:
        rows = self._rows.get(exchange_id, {})
        return tuple(row for number, row in sorted(rows.items()) if number)

    def group(self, exchange_id: str) -> tuple[TrafficRow, ...]:
        """The exchange, and its rounds where there are several: one alone tells nothing that the exchange does not."""
        rows = self._rows.get(exchange_id)
        if rows is None:
            return ()
        return (rows[0], *self.rounds(exchange_id)) if len(rows) > 2 else (rows[0],)

    def live(self) -> tuple[str, ...]:
        return tuple(exchange_id for exchange_id, rows in self._rows.items() if rows[0].is_live)

    # ---- changing --------------------------------------------------------------------------------------------------

    def apply_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> str:
        """The exchange whose rows an event has changed; empty = none."""
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
                return self._take_call(event.invocation, event.at)
            case ExchangeEnded():
                return self._end(event)
            case _:
                return ""

    def tick(self, now: float) -> tuple[str, ...]:
        """Time has passed for what is live."""
        live = self.live()
        for exchange_id in live:
            rows = self._rows[exchange_id]
            for number, row in rows.items():
                if row.is_live:
                    rows[number] = replace(row, until=max(row.until, now))
            self._sum_up(exchange_id)
        return live

    def set_prices(self, prices: PriceTable) -> None:
        self._prices = prices
        for exchange_id, rows in self._rows.items():
            for number, row in rows.items():
                if number:
                    rows[number] = replace(row, cost=prices.cost(row.model, row.usage))
            self._sum_up(exchange_id)

    def forget(self, exchange_ids: Iterable[str]) -> None:
        for exchange_id in exchange_ids:
            self._rows.pop(exchange_id, None)
            self._said.pop(exchange_id, None)

    def _start(self, event: ExchangeStarted) -> str:
        if event.exchange_id in self._rows:
            return ""
        row = TrafficRow(
            event.exchange_id,
            event.conversation_id,
            0,
            event.at,
            event.at,
            event.agent,
            event.wire,
            model=event.model,
            asked_model=event.model,
            stream=event.stream,
            offered=len(event.tools),
        )
        self._rows[event.exchange_id] = {0: row}
        self._said[event.exchange_id] = _last_words(event.fresh)
        self._sum_up(event.exchange_id)
        return event.exchange_id

    def _start_round(self, event: RoundStarted) -> str:
        rows = self._rows.get(event.exchange_id)
        if rows is None or event.round in rows:
            return ""
        whole = rows[0]
        rows[event.round] = replace(
            whole,
            round=event.round,
            at=event.at,
            until=event.at,
            upstream_wire=event.wire,
            endpoint=event.endpoint,
            model=event.model,
            offered=len(event.tools),
            untouched=event.untouched,
            status="running",
            calls=(),
            usage=None,
            cost=None,
            first_token_at=None,
            spent=Spent(),
            repairs=(),
            rounds=0,
            folded=_searchable(whole, event.endpoint, event.model),
        )
        return self._watched(event.exchange_id, event.at)

    def _take_delta(self, event: DeltaArrived) -> str:
        rows = self._rows.get(event.exchange_id, {})
        row = rows.get(event.round)
        if row is None or row.status != "running" or row.first_token_at is not None:
            return ""
        if isinstance(event.delta, Started | UsageReported | Finished | Failed):
            return ""
        rows[event.round] = replace(row, status="streaming", first_token_at=event.at, until=max(row.until, event.at))
        return self._watched(event.exchange_id, event.at)

    def _end_round(self, event: RoundEnded) -> str:
        rows = self._rows.get(event.exchange_id, {})
        row = rows.get(event.round)
        if row is None:
            return ""
        rows[event.round] = replace(
            row,
            status="completed",
            until=event.at,
            usage=event.usage,
            cost=self._prices.cost(row.model, event.usage),
            first_token_at=event.first_token_at,
            spent=replace(row.spent, **_model_time(row.at, event.first_token_at, event.at)),
            repairs=event.repairs,
            folded=f"{row.folded} {event.message.text[:_SEARCHED].casefold()}",
        )
        return self._watched(event.exchange_id, event.at)

    def _take_call(self, invocation: Invocation, at: float) -> str:
        rows = self._rows.get(invocation.exchange_id, {})
        row = rows.get(invocation.round)
        if row is None:
            return ""
        calls = tuple(invocation if call.id == invocation.id else call for call in row.calls)
        if invocation not in calls:
            calls = (*calls, invocation)
        person, tools = _call_time(calls, at)
        rows[invocation.round] = replace(row, calls=calls, spent=replace(row.spent, person=person, tools=tools))
        return self._watched(invocation.exchange_id, at)

    def _end(self, event: ExchangeEnded) -> str:
        rows = self._rows.get(event.exchange_id)
        if rows is None:
            return ""
        for number, row in rows.items():
            if number and row.is_live:  # it broke off: the provider failed, or somebody hung up
                rows[number] = replace(
                    row, status=event.outcome, fault=event.fault, until=event.at, first_token_at=None
                )
        rows[0] = replace(rows[0], status=event.outcome, fault=event.fault, until=event.at)
        self._sum_up(event.exchange_id)
        return event.exchange_id

    # ---- the exchange as the sum of its rounds ---------------------------------------------------------------------

    def _watched(self, exchange_id: str, at: float) -> str:
        rows = self._rows[exchange_id]
        if rows[0].is_live:
            rows[0] = replace(rows[0], until=max(rows[0].until, at))
        self._sum_up(exchange_id)
        return exchange_id

    def _sum_up(self, exchange_id: str) -> None:
        rows = self._rows[exchange_id]
        whole, rounds = rows[0], [row for number, row in sorted(rows.items()) if number]
        last = rounds[-1] if rounds else whole
        calls = tuple(call for row in rounds for call in row.calls)
        costs = [row.cost for row in rounds if row.cost is not None]
        rows[0] = replace(
            whole,
            status=_status(whole, last, calls),
            endpoint=last.endpoint,
            model=last.model,
            upstream_wire=last.upstream_wire,
            untouched=bool(rounds) and all(row.untouched for row in rounds),
            rounds=len(rounds),
            offered=last.offered,
            calls=calls,
            usage=_total([row.usage for row in rounds]),
            cost=sum(costs) if costs else None,
            first_token_at=next((row.first_token_at for row in rounds if row.first_token_at is not None), None),
            spent=sum((row.spent for row in rounds), Spent()),
            repairs=tuple(dict.fromkeys(repair for row in rounds for repair in row.repairs)),
            folded=_searchable(whole, last.endpoint, last.model, self._said.get(exchange_id, ""), calls),
        )


def _status(whole: TrafficRow, last: TrafficRow, calls: tuple[Invocation, ...]) -> Status:
    if not whole.is_live:
        return whole.status
    if any(call.is_waiting for call in calls):
        return "waiting"
    return "streaming" if last.status == "streaming" else "running"


def _model_time(started: float, first_token: float | None, ended: float) -> dict[str, float]:
    if first_token is None:
        return {"provider": max(0.0, ended - started), "streaming": 0.0}
    return {"provider": max(0.0, first_token - started), "streaming": max(0.0, ended - first_token)}


def _call_time(calls: tuple[Invocation, ...], now: float) -> tuple[float, float]:
    """Seconds of a person and of tools; of calls side by side the longest counts."""
    person = max(
        (
            call.seconds_in("WaitingForConfirmation", now) + call.seconds_in("WaitingForPostApproval", now)
            for call in calls
        ),
        default=0.0,
    )
    return person, max((call.seconds_in("Executing", now) for call in calls), default=0.0)


def _total(usages: list[Usage | None]) -> Usage | None:
    told = [usage for usage in usages if usage is not None]
    return sum(told, Usage()) if told else None


def _last_words(messages: tuple[Message, ...]) -> str:
    said = [message.text for message in messages if message.role == "user" and message.text]
    return said[-1][:_SEARCHED] if said else ""


def _searchable(
    row: TrafficRow, endpoint: str, model: str, said: str = "", calls: tuple[Invocation, ...] = ()
) -> str:
    fault = row.fault.message[:_SEARCHED] if row.fault is not None else ""
    called = " ".join(f"{call.tool} {call.arguments[:_SEARCHED]}" for call in calls)
    return f"{row.agent} {endpoint} {model} {row.status} {said} {called} {fault}".casefold()
