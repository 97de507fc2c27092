"""Events folded into a timeline: of one exchange, or of a whole conversation. Pure; stored and live come out the same.

A call's bars are joined by its ids: `part` of a round's reply while it forms, the invocation while it is decided and
run and for its messages at an MCP server, the call id when its client brings the result.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Failed,
    Finished,
    ReasoningDelta,
    RefusalDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FrameCaptured,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.timeline.bars import Lane, Link, Mark, Span, SpanKind, Timeline
from callgate.core.timeline.call import CallTrace, call_lane, call_marks, call_spans
from callgate.core.timeline.frames import frame_lane, frame_marks, frame_spans

_MOST_PROGRESS: Final = 200
"""Moments of progress kept of one call: a chatty tool reports thousands."""


@dataclass(slots=True)
class _Piece:
    """A part of a reply while it streams."""

    kind: SpanKind
    start: float
    end: float
    size: int = 0


@dataclass(slots=True)
class _Round:
    started: RoundStarted
    pieces: dict[int, _Piece] = field(default_factory=dict[int, _Piece])
    calls: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    """By part: when a call's arguments began and ended to form."""
    first_token: float | None = None
    ended: RoundEnded | None = None


@dataclass(slots=True)
class _Exchange:
    started: ExchangeStarted
    results: frozenset[str]
    """Call ids whose results the client brought along."""
    rounds: dict[int, _Round] = field(default_factory=dict[int, _Round])
    calls: dict[str, CallTrace] = field(default_factory=dict[str, CallTrace])
    ended: ExchangeEnded | None = None


class TimelineFold:
    def __init__(self) -> None:
        self._exchanges: dict[str, _Exchange] = {}
        self._by_call: dict[str, CallTrace] = {}
        self._last = 0.0

    def __len__(self) -> int:
        return len(self._exchanges)

    @property
    def is_live(self) -> bool:
        return any(exchange.ended is None for exchange in self._exchanges.values())

    def apply_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        self._last = max(self._last, event.at)
        match event:
            case ExchangeStarted():
                brought = frozenset(result.call_id for message in event.fresh for result in message.results)
                self._exchanges.setdefault(event.exchange_id, _Exchange(event, brought))
            case RoundStarted() if exchange := self._exchanges.get(event.exchange_id):
                exchange.rounds.setdefault(event.round, _Round(event))
            case DeltaArrived() if round_ := self._round(event.exchange_id, event.round):
                _take_delta(round_, event)
            case RoundEnded() if round_ := self._round(event.exchange_id, event.round):
                round_.ended, round_.first_token = event, event.first_token_at
            case InvocationChanged():
                self._take_call(event.invocation)
            case ToolOutput() if trace := self._by_call.get(event.invocation_id):
                if len(trace.progress) < _MOST_PROGRESS:
                    trace.progress.append((event.at, event.text, event.progress, event.total))
            case FrameCaptured() if trace := self._by_call.get(event.invocation_id):
                trace.frames.take(event)
            case ExchangeEnded() if exchange := self._exchanges.get(event.exchange_id):
                exchange.ended = event
            case _:
                pass

    def timeline(
        self, now: float | None = None, is_mcp: Callable[[str], bool] = lambda _: False, only: str = ""
    ) -> Timeline:
        """`now`: up to when what lives has lasted; `is_mcp`: if a source is an MCP server; `only`: one exchange."""
        at = self._last if now is None else max(now, self._last)
        build = _Building(at, is_mcp)
        for exchange in sorted(self._exchanges.values(), key=lambda one: one.started.at):
            if not only or exchange.started.exchange_id == only:
                build.exchange(exchange)
        build.bring_results(self._exchanges.values())
        return build.whole()

    def _round(self, exchange_id: str, number: int) -> _Round | None:
        exchange = self._exchanges.get(exchange_id)
        return exchange.rounds.get(number) if exchange is not None else None

    def _take_call(self, call: Invocation) -> None:
        exchange = self._exchanges.get(call.exchange_id)
        if exchange is None:
            return
        trace = exchange.calls.get(call.id)
        if trace is None:
            trace = exchange.calls[call.id] = self._by_call[call.id] = CallTrace(call)
        trace.call = call


def _take_delta(round_: _Round, event: DeltaArrived) -> None:
    delta, at = event.delta, event.at
    match delta:
        case Started() | UsageReported() | Finished() | Failed():
            return
        case TextDelta() | RefusalDelta():
            _grow(round_, delta.part, "text", at, len(delta.text))
        case ReasoningDelta():
            _grow(round_, delta.part, "reasoning", at, len(delta.text))
        case CallStarted():
            round_.calls[delta.part] = (at, at)
        case ArgumentsDelta() | CallEnded():
            since, _ = round_.calls.get(delta.part, (at, at))
            round_.calls[delta.part] = (since, at)
        case _:
            pass
    if round_.first_token is None:
        round_.first_token = at


def _grow(round_: _Round, part: int, kind: SpanKind, at: float, size: int) -> None:
    piece = round_.pieces.setdefault(part, _Piece(kind, at, at))
    piece.end, piece.size = at, piece.size + size


class _Building:
    """A timeline in the making."""

    def __init__(self, now: float, is_mcp: Callable[[str], bool]) -> None:
        self._now, self._is_mcp = now, is_mcp
        self._lanes: list[Lane] = []
        self._spans: list[Span] = []
        self._marks: list[Mark] = []
        self._links: list[Link] = []
        self._released: dict[str, tuple[int, float]] = {}
        """By call id: the lane of a call that a client runs, and since when."""
        self._tops: dict[str, int] = {}

    def whole(self) -> Timeline:
        return Timeline(tuple(self._lanes), tuple(self._spans), tuple(self._marks), tuple(self._links))

    def exchange(self, one: _Exchange) -> None:
        started, ended = one.started, one.ended
        until = ended.at if ended is not None else self._now
        outcome = ended.outcome if ended is not None else "live"
        what = "Call over MCP" if started.wire == "mcp" else "Exchange"
        state = "live" if ended is None else "failed" if outcome == "failed" else ""
        place = self._lane(Lane("exchange", started.agent, started.model, started.exchange_id, state=state))
        self._tops[started.exchange_id] = place
        fault = f": {ended.fault.message}" if ended is not None and ended.fault is not None else ""
        bad = outcome in ("failed", "cancelled")
        words = f"{what} of {started.agent}, {outcome}{fault}"
        self._spans.append(Span("exchange", place, started.at, until, words, ended is None, bad))
        previous = place
        for number in sorted(one.rounds):
            previous = self._round(one, number, one.rounds[number], until, previous)
        for trace in one.calls.values():
            if trace.call.round not in one.rounds:
                self._call(trace, place, None)

    def _round(self, one: _Exchange, number: int, round_: _Round, until: float, previous: int) -> int:
        begun, ended = round_.started, round_.ended
        live = ended is None and one.ended is None
        end = ended.at if ended is not None else until
        broken = ended is None and one.ended is not None
        lane = Lane("round", f"Round {number}", f"{begun.endpoint} · {begun.model}", begun.exchange_id, number)
        place = self._lane(lane)
        if number > 1:
            self._links.append(Link(begun.at, previous, begun.at, place))
        first = min(round_.first_token, end) if round_.first_token is not None else end
        waited = f"Round {number}: {begun.endpoint} had not answered yet"
        self._spans.append(
            Span("provider", place, begun.at, first, waited, live and round_.first_token is None, broken)
        )
        if round_.first_token is not None:
            self._marks.append(Mark("first_token", place, first, f"First token of round {number}"))
        for piece in round_.pieces.values():
            kind = "Reasoning" if piece.kind == "reasoning" else "Text"
            words = f"{kind} of round {number}, {piece.size:,} letters"
            self._spans.append(Span(piece.kind, place, piece.start, piece.end, words))
        if not round_.pieces and round_.first_token is not None and ended is not None and not round_.calls:
            # a reply that came whole, or whose deltas are not kept
            self._spans.append(Span("text", place, first, end, f"Reply of round {number}"))
        last = place
        for trace in sorted(one.calls.values(), key=lambda trace: (trace.call.started, trace.call.part)):
            if trace.call.round == number:
                last = self._call(trace, place, round_.calls.get(trace.call.part))
        return last if one.calls else place

    def _call(self, trace: CallTrace, above: int, formed: tuple[float, float] | None) -> int:
        call = trace.call
        place = self._lane(call_lane(call))
        self._links.append(Link(call.started, above, call.started, place))
        # a call with messages went to an MCP server, whether that is still known or not
        self._spans += call_spans(trace, place, formed, self._now, len(trace.frames) > 0 or self._is_mcp(call.source))
        self._marks += call_marks(trace, place)
        if trace.frames:
            below = self._lane(frame_lane(call, trace.frames))
            self._spans += frame_spans(call, trace.frames.frames, below, self._now)
            self._marks += frame_marks(trace.frames.frames, below)
        if call.state == "Released":
            self._released[call.call_id] = (place, call.phases[-1].since)
        return place

    def bring_results(self, exchanges: Iterable[_Exchange]) -> None:
        """A client that was given a call brings its result with a later request: between the two it ran the tool."""
        for one in sorted(exchanges, key=lambda one: one.started.at):
            for call_id in one.results & self._released.keys():
                place, since = self._released.pop(call_id)
                if one.started.at < since:
                    continue
                title = self._lanes[place].title
                words = f"{one.started.agent} ran {title} and brought its result"
                self._spans.append(Span("client", place, since, one.started.at, words))
                if (below := self._tops.get(one.started.exchange_id)) is not None:
                    self._links.append(Link(one.started.at, place, one.started.at, below))

    def _lane(self, lane: Lane) -> int:
        self._lanes.append(lane)
        return len(self._lanes) - 1
