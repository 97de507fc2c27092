"""What is needed to show a conversation again: everything but the deltas that its whole messages make superfluous."""

import sqlite3
from collections.abc import Iterable

_NEEDED = """
    SELECT id, kind, at, body FROM events
    WHERE conversation_id = :conversation AND id >= :first AND (
        kind NOT IN ('delta', 'tool_output')
        OR exchange_id NOT IN (
            SELECT exchange_id FROM exchanges WHERE conversation_id = :conversation AND outcome = 'completed'
        )
        OR (kind = 'delta' AND body LIKE '%"choice":%' AND body NOT LIKE '%"choice":0%')
    )
    ORDER BY id
"""
"""Of several choices only the first is told whole, so the deltas of the others are needed."""


Row = tuple[int, str, float, str]


def replay_rows(connection: sqlite3.Connection, conversation_id: str, first: int) -> Iterable[Row]:
    """From an event on, in order: number, kind, time, body."""
    return connection.execute(_NEEDED, {"conversation": conversation_id, "first": first})


def first_of_last(connection: sqlite3.Connection, conversation_id: str, exchanges: int) -> int:
    """The number of the event with which the last so many exchanges begin; 0 = there are no more than that."""
    found = connection.execute(
        "SELECT exchange_id FROM exchanges WHERE conversation_id = ? ORDER BY started_at DESC LIMIT 1 OFFSET ?",
        (conversation_id, exchanges - 1),
    ).fetchone()
    if found is None:
        return 0
    started = connection.execute(
        "SELECT min(id) FROM events WHERE exchange_id = ? AND kind = 'exchange_started'", found
    ).fetchone()
    earlier = connection.execute(
        "SELECT 1 FROM events WHERE conversation_id = ? AND id < ? LIMIT 1", (conversation_id, started[0] or 0)
    ).fetchone()
    return int(started[0]) if started[0] is not None and earlier is not None else 0
