"""Whole conversations out of the tables, through any connection that can read; also those of older shapes."""

import sqlite3

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, FaultRaised
from callgate.export.record import ConversationRecord
from callgate.store.event_json import UnreadableEvent, read_event
from callgate.store.tables.frame_rows import frames_of_conversation
from callgate.store.tables.wire_rows import wire_of_conversation


def conversation_ids(connection: sqlite3.Connection, since: float = 0.0) -> list[str]:
    rows = connection.execute("SELECT id FROM conversations WHERE updated_at >= ? ORDER BY started_at, id", (since,))
    return [identifier for (identifier,) in rows]


def find_conversations(connection: sqlite3.Connection) -> list[tuple[str, str, str, float]]:
    """Id, agent, title and last time of each, the newest first."""
    rows = connection.execute("SELECT id, agent, title, updated_at FROM conversations ORDER BY updated_at DESC, id")
    return rows.fetchall()


def read_record(connection: sqlite3.Connection, conversation_id: str, wire: bool = True) -> ConversationRecord | None:
    """None = there is no such conversation."""
    rows = connection.execute(
        "SELECT id, kind, at, body FROM events WHERE conversation_id = ? ORDER BY id", (conversation_id,)
    )
    summary: ConversationSummary | None = None
    events: list[Event] = []
    for number, kind, at, body in rows:
        try:
            event = read_event(body)
        except UnreadableEvent as error:
            event = FaultRaised("journal", f"Stored event {number} ({kind}) cannot be read.", at, str(error))
        summary = summarize(summary, event)
        if not isinstance(event, FaultRaised):
            events.append(event)
    if summary is None:
        return None
    pieces = wire_of_conversation(connection, conversation_id) if wire else []
    frames = frames_of_conversation(connection, conversation_id) if _has_frames(connection) else []
    return ConversationRecord(summary, tuple(events), tuple(pieces), tuple(frames))


def _has_frames(connection: sqlite3.Connection) -> bool:
    """A file that an older program wrote and nobody has migrated knows none."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'frames'").fetchone() is not None
