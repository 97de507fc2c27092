"""A whole conversation as a value: what an export is made of. Also without its secrets."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Final, TypeVar, cast

from callgate.core.conversation import ConversationSummary
from callgate.core.deltas import ArgumentsDelta, ReasoningDelta, RefusalDelta, TextDelta
from callgate.core.events import DeltaArrived, Event, FrameCaptured, RoundEnded, ToolOutput, WireCaptured
from callgate.core.messages import Json
from callgate.core.secrets.redaction import Redactor
from callgate.core.text.sse_capture import looks_like_stream

T = TypeVar("T")
Growing = TextDelta | RefusalDelta | ReasoningDelta | ArgumentsDelta
SPREAD: Final = b": [redacted: a secret was spread over the events of this stream]\n\n"
SPREAD_FRAMES: Final = "[redacted: a secret was spread over several messages]"
_OUTPUT: Final = -1
"""Instead of a round, behind the id of a call: what it said while it ran."""
_KEPT: Final = frozenset({"id", "kind", "state", "exchange_id", "conversation_id", "call_id", "fingerprint", "lineage"})
"""Fields that tie things together: they hold no words of anybody."""
_BLOBS: Final = frozenset({"data", "signature"})


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    summary: ConversationSummary
    events: tuple[Event, ...]
    """Without the captured bytes."""
    wire: tuple[WireCaptured, ...] = ()
    frames: tuple[FrameCaptured, ...] = ()
    """Messages that its calls caused at MCP servers."""


def redacted(record: ConversationRecord, redactor: Redactor) -> ConversationRecord:
    """The same conversation without what the redactor takes out; it folds to the same shape."""
    if redactor.is_idle:
        return record
    tainted: set[tuple[str, int]] = set()
    events = _redacted_events(record.events, redactor, tainted)
    return ConversationRecord(
        _walk(record.summary, redactor),
        tuple(events),
        tuple(_redacted_wire(record.wire, redactor, tainted)),
        tuple(_redacted_frame(frame, redactor, tainted) for frame in record.frames),
    )


def _redacted_frame(frame: FrameCaptured, redactor: Redactor, tainted: set[tuple[str, int]]) -> FrameCaptured:
    if frame.role == "notification" and (frame.invocation_id, _OUTPUT) in tainted:
        return replace(frame, text=SPREAD_FRAMES)
    return _walk(frame, redactor)


def _redacted_events(events: Iterable[Event], redactor: Redactor, tainted: set[tuple[str, int]]) -> list[Event]:
    kept: list[Event] = []
    streams: dict[Hashable, list[int]] = defaultdict(list)
    for event in events:
        place = _stream_of(event)
        if place is not None:
            streams[place].append(len(kept))
            kept.append(event)
            continue
        after = _walk(event, redactor)
        if isinstance(event, RoundEnded) and after != event:
            tainted.add((event.exchange_id, event.round))
        kept.append(after)
    dropped: set[int] = set()
    for places in streams.values():
        _redact_stream(kept, places, redactor, tainted, dropped)
    return [event for number, event in enumerate(kept) if number not in dropped]


def _stream_of(event: Event) -> Hashable | None:
    """What an event is a piece of: a secret may be cut in two by the border between two pieces."""
    match event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ReasoningDelta() | ArgumentsDelta() as delta):
            return event.exchange_id, event.round, delta.choice, delta.part
        case ToolOutput():
            return event.invocation_id
        case _:
            return None


def _redact_stream(
    kept: list[Event], places: list[int], redactor: Redactor, tainted: set[tuple[str, int]], dropped: set[int]
) -> None:
    whole = "".join(_text(kept[place]) for place in places)
    clean = redactor.text(whole)
    if clean == whole:
        return
    first = kept[places[0]]
    kept[places[0]] = _with_text(first, clean)
    dropped.update(places[1:])
    if isinstance(first, DeltaArrived):
        tainted.add((first.exchange_id, first.round))
    elif isinstance(first, ToolOutput) and len(places) > 1:
        tainted.add((first.invocation_id, _OUTPUT))


def _text(event: Event) -> str:
    match event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ReasoningDelta() | ArgumentsDelta() as delta):
            return delta.text
        case ToolOutput():
            return event.text
        case _:
            return ""


def _with_text(event: Event, text: str) -> Event:
    match event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ReasoningDelta() | ArgumentsDelta() as delta):
            return replace(event, delta=replace(delta, text=text))
        case ToolOutput():
            return replace(event, text=text)
        case _:
            return event


def _redacted_wire(
    wire: Iterable[WireCaptured], redactor: Redactor, tainted: set[tuple[str, int]]
) -> list[WireCaptured]:
    legs: dict[tuple[str, int, str], list[WireCaptured]] = defaultdict(list)
    for piece in wire:
        legs[piece.exchange_id, piece.round, piece.leg].append(piece)
    exchanges = {exchange_id for exchange_id, _ in tainted}
    kept: list[WireCaptured] = []
    for (exchange_id, number, leg), pieces in legs.items():
        answer = leg in ("upstream_response", "client_response")
        spread = answer and ((exchange_id, number) in tainted or (number == 0 and exchange_id in exchanges))
        kept += _redacted_leg(pieces, redactor, spread)
    return sorted(kept, key=lambda piece: piece.at)


def _redacted_leg(pieces: list[WireCaptured], redactor: Redactor, spread: bool) -> list[WireCaptured]:
    first = replace(pieces[0], head=redactor.head(pieces[0].head))
    whole = b"".join(piece.data for piece in pieces)
    if spread and looks_like_stream(whole):
        return [replace(first, data=SPREAD)]
    # bytes that are no UTF-8 come back as they were
    text = whole.decode("utf-8", "surrogateescape")
    clean = redactor.text(text)
    if clean == text:
        return [first, *pieces[1:]]
    return [replace(first, data=clean.encode("utf-8", "surrogateescape"))]


def _walk(value: T, redactor: Redactor) -> T:
    """A value of ours with every text in it cleaned; the same object where nothing was found."""
    match value:
        case str():
            return cast(T, redactor.text(value))
        case tuple():
            items = cast(tuple[object, ...], value)
            cleaned = tuple(_walk(item, redactor) for item in items)
            return cast(T, value if all(a is b for a, b in zip(items, cleaned, strict=True)) else cleaned)
        case Mapping():
            return cast(T, redactor.mapping(cast(Mapping[str, Json], value)))
        case list():
            return cast(T, redactor.json(cast(list[Json], value)))
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _walk_fields(value, redactor)
        case _:
            return value


def _walk_fields(value: T, redactor: Redactor) -> T:
    changes: dict[str, object] = {}
    for field in fields(value):  # type: ignore[arg-type]  # a dataclass, as the caller has seen
        if field.name in _KEPT or field.name in _BLOBS or not field.init:
            continue
        before: object = getattr(value, field.name)
        after = _walk(before, redactor)
        if after is not before and after != before:
            changes[field.name] = after
    return replace(value, **changes) if changes else value  # type: ignore[type-var]
