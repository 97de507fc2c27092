"""What is known of one exchange while events come in, and the rows that it makes. Pure; mutable, for the fold alone."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.prices import PriceTable
from callgate.core.errors import Fault
from callgate.core.events import ExchangeEnded, ExchangeStarted, RoundEnded, RoundStarted
from callgate.core.json.dotted_path import loaded
from callgate.core.messages import Json, Text, Usage
from callgate.ui.traffic.row import HTTP_OK, LIVE, UNKNOWN, Facts, Spent, Status, TrafficRow

_SEARCHED: Final = 240
"""Letters of a message or of arguments that bare words search: enough to find a turn again, small enough for 50,000."""
_KEPT_RESULT: Final = 20_000
"""Letters of a result that `result.…` can look into."""

Values = tuple[str | int, ...]


class Pool:
    """The same tuple for the same values: thousands of rows have the same few agents, models and tools."""

    def __init__(self) -> None:
        self._held: dict[Values, Values] = {}

    def one(self, values: Values) -> Values:
        return self._held.setdefault(values, values)


@dataclass(slots=True, eq=False)
class CallRecord:
    """The calls of a round, or those that a program made itself."""

    held: dict[str, Invocation] = field(default_factory=dict[str, Invocation])
    read: dict[str, tuple[Json, Json]] = field(default_factory=dict[str, tuple[Json, Json]])
    """The arguments and result of each, read."""
    is_error: dict[str, bool] = field(default_factory=dict[str, bool])

    def take(self, invocation: Invocation) -> None:
        light, result = _light(invocation)
        self.held[light.id] = light
        kept = invocation.ran_result or invocation.result
        self.is_error[light.id] = kept is not None and kept.is_error
        self.read[light.id] = (loaded(light.effective_arguments), result)

    def time(self, now: float) -> Spent:
        """Of calls side by side the longest counts."""
        calls = self.held.values()
        return Spent(
            person=max((_held(call, now) for call in calls), default=0.0),
            tools=max((call.seconds_in("Executing", now) for call in calls), default=0.0),
        )


@dataclass(slots=True, eq=False)
class RoundRecord:
    started: RoundStarted
    offered: int
    until: float
    status: Status = "running"
    first_token_at: float | None = None
    usage: Usage | None = None
    repairs: tuple[str, ...] = ()
    answer: str = ""
    fault: Fault | None = None
    calls: CallRecord = field(default_factory=CallRecord)

    @property
    def is_over(self) -> bool:
        return self.status not in LIVE

    def end(self, event: RoundEnded) -> None:
        self.status, self.until, self.first_token_at = "completed", event.at, event.first_token_at
        self.usage, self.repairs, self.answer = event.usage, event.repairs, event.message.text[:_SEARCHED]

    def break_off(self, event: ExchangeEnded) -> None:
        """The provider failed, or somebody hung up; the journal does not keep when the first token came."""
        self.status, self.fault, self.until, self.first_token_at = event.outcome, event.fault, event.at, None

    @property
    def model_time(self) -> Spent:
        if self.status != "completed":
            return Spent()
        first = self.until if self.first_token_at is None else self.first_token_at
        return Spent(max(0.0, first - self.started.at), max(0.0, self.until - first))


@dataclass(slots=True, eq=False)
class ExchangeRecord:
    started: ExchangeStarted
    offered: int
    said: str
    until: float
    rounds: dict[int, RoundRecord] = field(default_factory=dict[int, RoundRecord])
    calls: CallRecord = field(default_factory=CallRecord)
    """Those of no round."""
    ended: ExchangeEnded | None = None

    @classmethod
    def of(cls, event: ExchangeStarted) -> "ExchangeRecord":
        said = [message.text for message in event.fresh if message.role == "user" and message.text]
        # what was said and offered is counted, not kept: it may be megabytes, thousands of times
        light = replace(event, fresh=(), tools=())
        return cls(light, len(event.tools), said[-1][:_SEARCHED] if said else "", event.at)

    def watched(self, at: float) -> None:
        if self.ended is None:
            self.until = max(self.until, at)

    @property
    def is_live(self) -> bool:
        return self.ended is None

    def rows(self, prices: PriceTable, pool: Pool, is_mcp: Callable[[str], bool]) -> tuple[TrafficRow, ...]:
        """The exchange, then its rounds, each with its calls to MCP servers."""
        rounds = [self._round_row(number, self.rounds[number], prices, pool) for number in sorted(self.rounds)]
        below: list[TrafficRow] = []
        for row in rounds:
            below += (row, *self._call_rows(row, self.rounds[row.round].calls, pool, is_mcp))
        whole = self._whole(rounds, pool)
        return (whole, *below, *self._call_rows(whole, self.calls, pool, is_mcp))

    def _call_rows(
        self, above: TrafficRow, made: CallRecord, pool: Pool, is_mcp: Callable[[str], bool]
    ) -> list[TrafficRow]:
        served = [call for call in made.held.values() if is_mcp(call.source)]
        return [self._call_row(above, call, turn, made, pool) for turn, call in enumerate(served, start=1)]

    def _call_row(self, above: TrafficRow, call: Invocation, turn: int, made: CallRecord, pool: Pool) -> TrafficRow:
        since, until = call.started, self.until if call.is_live else call.phases[-1].since
        status = _call_status(call, made.is_error.get(call.id, False))
        facts = _facts(
            _RowParts(above.agent, call.source, (above.model, above.asked_model), status, None),
            (call,),
            (made.read[call.id],),
            (until - since, None, None),
            "",
            pool,
        )
        spent = Spent(person=_held(call, until), tools=call.seconds_in("Executing", until))
        return TrafficRow(
            above.exchange_id, above.conversation_id, above.round, since, until, above.agent, above.wire, None,
            call.source, above.model, above.asked_model, False, status, None, 0, 0, (call,), None, None, None, spent,
            False, (), facts, (), call.id, turn, agent_proven=above.agent_proven,
        )  # fmt: skip

    def _round_row(self, number: int, record: RoundRecord, prices: PriceTable, pool: Pool) -> TrafficRow:
        started, begun = self.started, record.started
        calls = tuple(record.calls.held.values())
        until = max(record.until, begun.at) if record.is_over else self.until
        cost = prices.cost(begun.model, record.usage)
        facts = _facts(
            _RowParts(started.agent, begun.endpoint, (begun.model, started.model), record.status, record.fault),
            calls,
            tuple(record.calls.read.values()),
            (until - begun.at, record.usage, cost),
            record.answer,
            pool,
        )
        return TrafficRow(
            started.exchange_id, started.conversation_id, number, begun.at, until, started.agent, started.wire,
            begun.wire, begun.endpoint, begun.model, started.model, started.stream, record.status, record.fault,
            0, record.offered, calls, record.usage, cost, record.first_token_at, record.model_time, begun.untouched,
            record.repairs, facts, begun.warnings, urls=self._urls(pool), agent_proven=started.agent_proven,
        )  # fmt: skip

    def _whole(self, rounds: list[TrafficRow], pool: Pool) -> TrafficRow:
        started, ended = self.started, self.ended
        last = rounds[-1] if rounds else None
        made = (self.calls, *(record.calls for record in self.rounds.values()))
        calls = tuple(call for one in made for call in one.held.values())
        status = self._status(last, calls) if ended is None else ended.outcome
        fault = ended.fault if ended is not None else None
        unheard = ended.unheard if ended is not None else ()
        usage = _total(row.usage for row in rounds)
        costs = [row.cost for row in rounds if row.cost is not None]
        cost = sum(costs) if costs else None
        model = last.model if last is not None else started.model
        endpoint = last.endpoint if last is not None else ""
        facts = _facts(
            _RowParts(started.agent, endpoint, (model, started.model), status, fault),
            calls,
            tuple(read for one in made for read in one.read.values()),
            (self.until - started.at, usage, cost),
            self.said,
            pool,
        )
        return TrafficRow(
            started.exchange_id, started.conversation_id, 0, started.at, self.until, started.agent, started.wire,
            last.upstream_wire if last is not None else None, endpoint, model, started.model, started.stream,
            status, fault, len(rounds), last.offered if last is not None else self.offered, calls, usage, cost,
            next((row.first_token_at for row in rounds if row.first_token_at is not None), None),
            sum((*(row.spent for row in rounds), *(one.time(self.until) for one in made)), Spent()),
            bool(rounds) and all(row.untouched for row in rounds),
            tuple(dict.fromkeys(repair for row in rounds for repair in row.repairs)), facts,
            tuple(dict.fromkeys((*(warning for row in rounds for warning in row.warnings), *unheard))),
            urls=self._urls(pool), agent_proven=started.agent_proven,
        )  # fmt: skip

    def _urls(self, pool: Pool) -> tuple[str, ...]:
        urls = tuple(self.rounds[number].started.url for number in sorted(self.rounds))
        return pool.one(urls)  # type: ignore[return-value]  # texts go in, so texts come out

    def _status(self, last: TrafficRow | None, calls: tuple[Invocation, ...]) -> Status:
        if any(call.is_waiting for call in calls):
            return "waiting"
        return "streaming" if last is not None and last.status == "streaming" else "running"


@dataclass(frozen=True, slots=True)
class _RowParts:
    agent: str
    endpoint: str
    models: tuple[str, ...]
    status: Status
    fault: Fault | None


def _facts(
    row: _RowParts,
    calls: tuple[Invocation, ...],
    read: tuple[tuple[Json, Json], ...],
    numbers: tuple[float, Usage | None, float | None],
    said: str,
    pool: Pool,
) -> Facts:
    seconds, usage, cost = numbers
    fault = row.fault.message[:_SEARCHED] if row.fault is not None else ""
    called = " ".join([f"{call.tool} {call.arguments[:_SEARCHED]}" for call in calls])
    one = pool.one
    return Facts(
        one((row.agent,)),
        one(tuple(dict.fromkeys(row.models))),
        one((row.endpoint,)),
        one(_status_values(row.status, row.fault)),
        one(tuple([call.tool for call in calls])),
        one(tuple([call.source for call in calls])),
        one(tuple([call.state for call in calls])),
        one(_decisions(calls)),
        max(0.0, seconds),
        UNKNOWN if usage is None else usage.total,
        UNKNOWN if cost is None else cost,
        tuple([arguments for arguments, _ in read]),
        tuple([result for _, result in read if result is not None]),
        f"{row.agent} {row.endpoint} {row.models[0]} {row.status} {said} {called} {fault}".casefold(),
    )


def _status_values(status: Status, fault: Fault | None) -> tuple[str | int, ...]:
    if status == "completed":
        return (HTTP_OK, status)
    return (fault.http_status, status, fault.kind) if fault is not None and status not in LIVE else (status,)


def _decisions(calls: tuple[Invocation, ...]) -> tuple[str, ...]:
    said: dict[str, None] = {}
    for call in calls:
        if call.decided_by is not None:
            said["deny" if call.refused else "allow"] = None
            said[call.decided_by] = None
        if call.reason is not None:
            said[call.reason] = None
        if call.verdict is not None:
            said[call.verdict.kind] = None
    return tuple(said)


def _light(invocation: Invocation) -> tuple[Invocation, Json]:
    """The call without its results, which the table does not show, and what expressions see of the result."""
    result: Json = None
    if invocation.result is not None:
        text = "\n".join(part.text for part in invocation.result.parts if isinstance(part, Text))[:_KEPT_RESULT]
        value = loaded(text) if text[:1] in ("{", "[") else None
        result = value if isinstance(value, dict | list) else {"text": text}
    return replace(invocation, result=None, ran_result=None), result


def _call_status(call: Invocation, is_error: bool) -> Status:
    if call.is_live:
        return "waiting" if call.is_waiting else "running"
    if call.state == "Cancelled":
        return "cancelled"
    return "failed" if is_error else "completed"


def _held(call: Invocation, now: float) -> float:
    return call.seconds_in("WaitingForConfirmation", now) + call.seconds_in("WaitingForPostApproval", now)


def _total(usages: Iterable[Usage | None]) -> Usage | None:
    told = [usage for usage in usages if usage is not None]
    return sum(told, Usage()) if told else None
