"""Numbers about traffic and calls over a stretch of time: counted by the store, put together here. Pure."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from callgate.core.catalog.prices import PriceTable
from callgate.core.messages import Usage

WAIT_EDGES: Final = (2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Seconds at which one bar of approval latency ends and the next begins."""


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A stretch of time in slices of the same length."""

    since: float
    until: float
    slices: int

    @property
    def width(self) -> float:
        return max(1e-9, (self.until - self.since) / max(1, self.slices))

    def start_of(self, number: int) -> float:
        return self.since + number * self.width


@dataclass(frozen=True, slots=True)
class RoundCount:
    """Rounds of one slice, agent and model."""

    slice: int
    agent: str
    model: str
    endpoint: str
    rounds: int
    failed: int = 0
    cancelled: int = 0
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class CallCount:
    """Calls of one slice, agent, model and tool."""

    slice: int
    agent: str
    model: str
    tool: str
    source: str
    calls: int
    denied: int = 0
    failed: int = 0
    cancelled: int = 0

    @property
    def went_well(self) -> int:
        """Ran, or went to the client."""
        return max(0, self.calls - self.denied - self.failed - self.cancelled)


@dataclass(frozen=True, slots=True)
class Wait:
    """How long a call waited for a person."""

    slice: int
    agent: str
    model: str
    tool: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Statistics:
    range: TimeRange
    rounds: tuple[RoundCount, ...] = ()
    calls: tuple[CallCount, ...] = ()
    waits: tuple[Wait, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.rounds or self.calls)

    def only(self, agent: str = "", model: str = "") -> "Statistics":
        """What belongs to one agent, one model; empty = all."""

        def fits(row: RoundCount | CallCount | Wait) -> bool:
            return (not agent or row.agent == agent) and (not model or row.model == model)

        return replace(
            self,
            rounds=tuple(filter(fits, self.rounds)),
            calls=tuple(filter(fits, self.calls)),
            waits=tuple(filter(fits, self.waits)),
        )

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(sorted({row.agent for row in (*self.rounds, *self.calls)}))

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(sorted({row.model for row in (*self.rounds, *self.calls) if row.model}))

    def spread(self, rows: Iterable[tuple[int, float]]) -> tuple[float, ...]:
        """Numbers by slice."""
        values = [0.0] * self.range.slices
        for number, value in rows:
            if 0 <= number < len(values):
                values[number] += value
        return tuple(values)


@dataclass(frozen=True, slots=True)
class ToolCount:
    tool: str
    source: str
    calls: int
    denied: int
    failed: int
    cancelled: int

    @property
    def went_well(self) -> int:
        return max(0, self.calls - self.denied - self.failed - self.cancelled)


@dataclass(frozen=True, slots=True)
class PartyCount:
    """What one agent or one model did and cost."""

    name: str
    rounds: int
    failed: int
    calls: int
    usage: Usage
    cost: float | None
    """Dollars; None = no price is known."""


def calls_per_tool(statistics: Statistics) -> tuple[ToolCount, ...]:
    """The most called first."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in statistics.calls:
        counts = found.setdefault((row.tool, row.source), [0, 0, 0, 0])
        for place, value in enumerate((row.calls, row.denied, row.failed, row.cancelled)):
            counts[place] += value
    told = (ToolCount(tool, source, *counts) for (tool, source), counts in found.items())
    return tuple(sorted(told, key=lambda one: (-one.calls, one.tool)))


def by_agent(statistics: Statistics, prices: PriceTable) -> tuple[PartyCount, ...]:
    return _parties(statistics, prices, lambda row: row.agent)


def by_model(statistics: Statistics, prices: PriceTable) -> tuple[PartyCount, ...]:
    return tuple(party for party in _parties(statistics, prices, lambda row: row.model) if party.name)


def cost_of(rows: Iterable[RoundCount], prices: PriceTable) -> float | None:
    """Dollars of all whose price is known; None = of none it is."""
    known = [cost for row in rows if (cost := prices.cost(row.model, row.usage)) is not None]
    return math.fsum(known) if known else None


def cost_over_time(statistics: Statistics, prices: PriceTable) -> dict[str, tuple[float, ...]]:
    """Dollars by slice, for each model that has cost anything; the dearest first."""
    models: dict[str, list[tuple[int, float]]] = {}
    for row in statistics.rounds:
        cost = prices.cost(row.model, row.usage)
        if cost:
            models.setdefault(row.model, []).append((row.slice, cost))
    dearest = sorted(models, key=lambda model: -sum(cost for _, cost in models[model]))
    return {model: statistics.spread(models[model]) for model in dearest}


def wait_histogram(waits: Sequence[Wait]) -> tuple[int, ...]:
    """How many waits fell between the edges; one more than there are edges."""
    counts = [0] * (len(WAIT_EDGES) + 1)
    for wait in waits:
        counts[sum(wait.seconds >= edge for edge in WAIT_EDGES)] += 1
    return tuple(counts)


def share_below(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of all does not exceed; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def _parties(
    statistics: Statistics, prices: PriceTable, name_of: Callable[[RoundCount | CallCount], str]
) -> tuple[PartyCount, ...]:
    rounds: dict[str, list[RoundCount]] = {}
    calls: dict[str, int] = {}
    for row in statistics.rounds:
        rounds.setdefault(name_of(row), []).append(row)
    for call in statistics.calls:
        calls[name_of(call)] = calls.get(name_of(call), 0) + call.calls
    told = [
        PartyCount(
            name,
            sum(row.rounds for row in held),
            sum(row.failed for row in held),
            calls.get(name, 0),
            sum((row.usage for row in held), Usage()),
            cost_of(held, prices),
        )
        for name in {**rounds, **dict.fromkeys(calls)}
        for held in (rounds.get(name, []),)
    ]
    return tuple(sorted(told, key=lambda one: (-one.usage.total, -one.rounds, -one.calls, one.name)))
