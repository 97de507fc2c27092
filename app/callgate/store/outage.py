"""A time in which the journal cannot be written: what is kept in memory meanwhile, and what is lost of it.

Decisions are kept longest. Pieces of streams (deltas, output, bytes, messages of MCP servers) are not kept: what they
add up to comes in later events. Once the file can be written again, everything kept is stored in its order, and the
audit gets an entry for the decisions that were too many. Touched on the writer thread only, but for `state`.
"""

import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from callgate.core.events import (
    DeltaArrived,
    Event,
    FrameCaptured,
    InvocationChanged,
    ToolOutput,
    WireCaptured,
    conversation_of,
)
from callgate.core.rules.audit import AuditEntry, entry_of, gap
from callgate.store.database import attempted
from callgate.store.event_json import write_event
from callgate.store.tables.audit_rows import insert_entry

log = logging.getLogger(__name__)

MOST_BYTES = 32_000_000
"""Of events that are kept; from then on only the audit entries of decisions are."""
MOST_DECISIONS = 20_000

Store = Callable[[Event, sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class JournalState:
    """How the journal is doing."""

    failing_since: float | None = None
    why: str = ""
    missing: int = 0
    """Decisions that are lost, of this outage or the one that has just ended."""


Changed = Callable[[JournalState], None]
"""Called on the writer thread."""


class Outage:
    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._kept: list[Event | AuditEntry] = []
        self._bytes = 0
        self._decisions = 0
        self._lost: list[AuditEntry] = []
        """The first and the last decision that could not be kept."""
        self._missing = 0
        self.state = JournalState()
        self.changed: Changed = _unheard

    def keep(self, event: Event) -> None:
        if isinstance(event, DeltaArrived | ToolOutput | WireCaptured | FrameCaptured):
            return
        entry = entry_of(event) if isinstance(event, InvocationChanged) else None
        size = len(write_event(event)) if self._bytes < MOST_BYTES else 0
        if self._bytes + size < MOST_BYTES and size:
            self._bytes += size
            self._decisions += entry is not None
            self._kept.append(event)
        elif entry is not None and self._decisions < MOST_DECISIONS:
            self._decisions += 1
            self._kept.append(entry)
        elif entry is not None:
            self._missing += 1
            self._lost = [*self._lost[:1], entry]

    def kept_of(self, conversation_id: str) -> list[Event]:
        """What is kept of a conversation: its latest events, which are not stored yet."""
        events = (kept for kept in self._kept if not isinstance(kept, AuditEntry))
        return [event for event in events if conversation_of(event) == conversation_id]

    # ---- told by the database ----------------------------------------------------------------------------------------

    def failed(self, error: Exception) -> None:
        self.state = JournalState(self._clock(), str(error))
        self.changed(self.state)

    def store(self, connection: sqlite3.Connection) -> None:
        for kept in self._kept:
            if isinstance(kept, AuditEntry):
                insert_entry(connection, kept)
            else:
                self._store_one(kept, connection)
        if self._missing:
            insert_entry(connection, gap(self._lost[0].at, self._lost[-1].at, self._missing))

    def recovered(self) -> None:
        self.state = JournalState(missing=self._missing)
        self._kept, self._lost = [], []
        self._bytes = self._decisions = self._missing = 0
        self.changed(self.state)

    def _store_one(self, event: Event, connection: sqlite3.Connection) -> None:
        """One that cannot be stored for a reason of its own must not keep all others from it."""
        _, error = attempted(connection, partial(self._store, event))
        if error is not None:
            log.error("an event of the outage could not be stored: %s", event.kind, exc_info=error)
            if is_decision(event):
                insert_entry(connection, gap(event.at, event.at, 1))


def is_decision(event: Event) -> bool:
    return isinstance(event, InvocationChanged) and entry_of(event) is not None


def _unheard(state: JournalState) -> None:
    """Nothing listens yet."""
