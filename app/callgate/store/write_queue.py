"""Between the bus and the writer: events go straight through while the disk keeps up, and are joined while it doesn't.

A loop that publishes must never wait for a disk, so the queue can't push back. Instead, once too much is queued, what
still comes is held here, and pieces of one text or one stream of bytes become one event. So what waits grows with what
happens (rounds, calls), not with tokens; folded, it is the same. Nothing is dropped.

While the file cannot be written, what the writer gives back is kept by the `Outage`, within bounds.
"""

import sqlite3
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from callgate.core.deltas import ArgumentsDelta, ReasoningDelta, RefusalDelta, TextDelta
from callgate.core.events import DeltaArrived, Event, FrameCaptured, ToolOutput, WireCaptured, conversation_of
from callgate.core.rules.audit import gap
from callgate.store.database import Database
from callgate.store.outage import Outage, is_decision
from callgate.store.tables.audit_rows import insert_entry

FULL: Final = 5000
"""Queued writes from which on events are held: some seconds of a fast model, a few megabytes."""

Store = Callable[[Event, sqlite3.Connection], None]


@dataclass(slots=True)
class _Held:
    event: Event
    """The latest piece."""
    pieces: list[str | bytes] = field(default_factory=list[str | bytes])


class WriteQueue:
    def __init__(self, database: Database, store: Store, full: int = FULL) -> None:
        self._database, self._store, self._full = database, store, full
        self._lock = threading.Lock()
        self._held: list[_Held] = []
        self._open: dict[str, dict[Hashable, _Held]] = {}
        """By conversation: pieces that the next one of the same place is joined to."""
        self.outage = Outage(store)
        database.survive_with(self.outage)
        database.before_waiting(self.flush)

    @property
    def held(self) -> int:
        return len(self._held)

    def offer(self, event: Event) -> None:
        """Takes an event; returns at once."""
        with self._lock:
            if not self._held and self._database.backlog < self._full:
                self._post(event)
                return
            if not self._held:
                # when the writer comes to this, everything before it is done
                self._database.post(lambda _: self.flush())
            self._hold(event)

    def flush(self) -> None:
        """Hands everything that is held to the writer, in order."""
        with self._lock:
            held, self._held, self._open = self._held, [], {}
            for each in held:
                self._post(_whole(each))

    def _post(self, event: Event) -> None:
        self._database.post(partial(self._store, event), partial(self._lost, event))

    def _lost(self, event: Event, error: Exception) -> None:
        """On the writer thread, in the order of the events."""
        if self._database.failing is not None:
            self.outage.keep(event)
            return
        self._database.report(error)  # this one event could not be stored, whatever becomes of others
        if is_decision(event):
            self._database.post(partial(insert_entry, entry=gap(event.at, event.at, 1)))

    def _hold(self, event: Event) -> None:
        conversation = self._open.setdefault(conversation_of(event), {})
        place = _place(event)
        known = conversation.get(place) if place is not None else None
        if known is not None and not (isinstance(event, WireCaptured) and event.head):
            known.event = _with_head(event, known.event)
            known.pieces.append(_piece(event))
            return
        held = _Held(event, [] if place is None else [_piece(event)])
        self._held.append(held)
        if place is not None:
            conversation[place] = held
        elif not isinstance(event, FrameCaptured):
            _close(conversation)


def _with_head(event: Event, before: Event) -> Event:
    """The header lines stand on the first piece of a leg, and so on what it is joined to."""
    if isinstance(event, WireCaptured) and isinstance(before, WireCaptured):
        return replace(event, head=before.head, at=before.at)
    return event


def _close(conversation: dict[Hashable, _Held]) -> None:
    """What begins or ends here must stay behind what was said before; bytes lie apart, in an order of their own.

    So do messages of MCP servers: they close nothing.
    """
    for place in [place for place, held in conversation.items() if not isinstance(held.event, WireCaptured)]:
        del conversation[place]


def _place(event: Event) -> Hashable | None:
    """Where a piece belongs; None = it is no piece of anything."""
    match event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ArgumentsDelta() as delta):
            return event.exchange_id, event.round, delta.choice, delta.part, delta.kind
        case DeltaArrived(delta=ReasoningDelta() as delta):
            return event.exchange_id, event.round, delta.choice, delta.part, delta.kind, delta.id
        case ToolOutput():
            return "output", event.invocation_id
        case WireCaptured():
            return "wire", event.exchange_id, event.round, event.leg
        case _:
            return None


def _piece(event: Event) -> str | bytes:
    match event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ArgumentsDelta() | ReasoningDelta() as delta):
            return delta.text
        case ToolOutput():
            return event.text
        case WireCaptured():
            return event.data
        case _:
            raise AssertionError("only pieces are joined")


def _whole(held: _Held) -> Event:
    if len(held.pieces) < 2:
        return held.event
    match held.event:
        case DeltaArrived(delta=TextDelta() | RefusalDelta() | ArgumentsDelta() | ReasoningDelta() as delta) as event:
            return replace(event, delta=replace(delta, text="".join(map(str, held.pieces))))
        case ToolOutput() as event:
            return replace(event, text="".join(map(str, held.pieces)))
        case WireCaptured() as event:
            return replace(event, data=b"".join(piece for piece in held.pieces if isinstance(piece, bytes)))
        case _:
            raise AssertionError("only pieces are joined")
