"""A conversation from a file made one of ours: new ids, nothing live, nothing that a request could continue. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Final, TypeVar, cast

from callgate.core.calls.invocation import Cancel, Invocation, advance
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import ConversationMarked, Event, ExchangeEnded, ExchangeStarted, InvocationChanged, ReplyKept
from callgate.export.record import ConversationRecord

T = TypeVar("T")
PREFIX: Final = "imported"
"""Of the new id: it shows wherever the id does that this did not happen here."""
_NAMES: Final = frozenset({"id", "conversation_id", "exchange_id", "parent_id", "invocation_id"})
_UNFINISHED: Final = "This call was still running when the conversation was exported."


def is_imported(conversation_id: str) -> bool:
    return conversation_id.startswith(f"{PREFIX}_")


def as_imported(
    record: ConversationRecord, origin: str, now: float, new_id: Callable[[str], str]
) -> ConversationRecord:
    """`origin` = the name of the file; `new_id` makes an id from a prefix."""
    kept: list[Event] = [event for event in record.events if not isinstance(event, ReplyKept)]
    names = _new_names(record, kept, new_id)
    events = [_unlinked(_renamed(event, names)) for event in kept]
    events += _endings(events)
    summary = _summary(events)
    marks = replace(summary.marks, pinned=False, origin=origin or "a file")
    marked = ConversationMarked(summary.id, marks, now)
    wire = tuple(_renamed(piece, names) for piece in record.wire)
    frames = tuple(_renamed(frame, names) for frame in record.frames)
    return ConversationRecord(_summary([*events, marked]), (*events, marked), wire, frames)


def _new_names(record: ConversationRecord, events: list[Event], new_id: Callable[[str], str]) -> dict[str, str]:
    names = {record.summary.id: new_id(PREFIX)}
    for event in events:
        if isinstance(event, ExchangeStarted | ExchangeEnded):
            names[event.exchange_id] = names.get(event.exchange_id) or new_id("exch")
        if isinstance(event, InvocationChanged):
            names[event.invocation.id] = names.get(event.invocation.id) or new_id("inv")
    return names


def _unlinked(event: Event) -> Event:
    """A request may continue what it has itself seen, and that did not happen here."""
    match event:
        case ExchangeEnded():
            return replace(event, lineage="")
        case ExchangeStarted():
            return replace(event, agent_proven=False)  # nothing here proves what a file says
        case InvocationChanged():
            return replace(event, invocation=replace(event.invocation, agent_proven=False))
        case _:
            return event


def _endings(events: list[Event]) -> list[Event]:
    """What was running when the file was written is over now."""
    live: dict[str, Invocation] = {}
    running: dict[str, ExchangeStarted] = {}
    last = 0.0
    for event in events:
        last = max(last, event.at)
        match event:
            case InvocationChanged():
                live[event.invocation.id] = event.invocation
            case ExchangeStarted():
                running[event.exchange_id] = event
            case ExchangeEnded():
                running.pop(event.exchange_id, None)
            case _:
                pass
    cancel = Cancel(by="shutdown", explanation=_UNFINISHED)
    ended: list[Event] = [
        InvocationChanged(advance(invocation, cancel, last), last) for invocation in live.values() if invocation.is_live
    ]
    ended += [ExchangeEnded(key, event.conversation_id, "cancelled", last) for key, event in running.items()]
    return ended


def _summary(events: list[Event]) -> ConversationSummary:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None, "a record that was read has at least one event"
    return summary


def _renamed(value: T, names: Mapping[str, str]) -> T:
    """The value with the old ids in its fields of ids replaced; the same object where there are none."""
    if isinstance(value, tuple):
        items = cast(tuple[object, ...], value)
        changed = tuple(_renamed(item, names) for item in items)
        return cast(T, value if all(a is b for a, b in zip(items, changed, strict=True)) else changed)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, object] = {}
    for field in fields(value):
        before: object = getattr(value, field.name)
        after = (
            names.get(before, before) if field.name in _NAMES and isinstance(before, str) else _renamed(before, names)
        )
        if after is not before:
            changes[field.name] = after
    return replace(value, **changes) if changes else value  # type: ignore[type-var]
