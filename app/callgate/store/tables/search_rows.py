"""The full-text index, as the writer keeps it: the tables `search` and `search_conversations`.

A row's number holds its conversation in the upper bits, so that hits are counted by conversation without a join and
a conversation is taken out of the index as one range. Row 0 of each holds its title. Looking is `search`'s business.
"""

import contextlib
import sqlite3
import time
from typing import Final

from callgate.core.conversation import ConversationSummary
from callgate.core.events import Event, conversation_of
from callgate.core.search.passages import Passage, passages, spaced
from callgate.store.event_json import UnreadableEvent, read_event, read_summary

SHIFT: Final = 20
MOST_ROWS: Final = 1 << SHIFT
"""Passages of one conversation."""
SLICE_EVENTS: Final = 400
SLICE_SECONDS: Final = 0.02
"""How long other writes may wait for one slice of the backlog."""
SLICE_PAGES: Final = 200
"""Pages of the index that are rewritten in one go."""
_TO_REWRITE: Final = -1
_REWRITING: Final = -2
"""Rows of `search_backlog` beside the one that says which events are still to be indexed."""
_WORTH_READING: Final = ("exchange_started", "round_ended", "invocation", "exchange_ended")


def index_event(connection: sqlite3.Connection, event: Event) -> None:
    conversation_id = conversation_of(event)
    found = passages(event) if conversation_id else ()
    if found:
        _insert(connection, conversation_id, found)


def index_title(connection: sqlite3.Connection, summary: ConversationSummary) -> None:
    """What is known of a conversation as a whole takes the place of what was known before."""
    number, _ = _number(connection, summary.id)
    about = " ".join((summary.agent, summary.model, *summary.marks.tags))
    connection.execute("DELETE FROM search WHERE rowid = ?", (number << SHIFT,))
    connection.execute(
        "INSERT INTO search (rowid, title, text, tool, kind) VALUES (?, ?, ?, '', 'title')",
        (number << SHIFT, spaced(f"{summary.marks.name} {summary.title}".strip()), spaced(about)),
    )


def forget_passages(connection: sqlite3.Connection, conversation_id: str) -> None:
    row = connection.execute(
        "SELECT number FROM search_conversations WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()
    if row is None:
        return
    first = row[0] << SHIFT
    connection.execute("DELETE FROM search WHERE rowid BETWEEN ? AND ?", (first, first + MOST_ROWS - 1))
    connection.execute("DELETE FROM search_conversations WHERE number = ?", (row[0],))
    # SQLite keeps deleted words in the index until it is rewritten: noted, so that it is
    connection.execute("DELETE FROM search_backlog WHERE until < 0")
    connection.execute("INSERT INTO search_backlog VALUES (?)", (_TO_REWRITE,))


def index_backlog(connection: sqlite3.Connection, seconds: float = SLICE_SECONDS) -> bool:
    """Indexes some of what was stored before there was an index, the newest first. False: nothing is left."""
    until = time.monotonic() + seconds
    (left,) = connection.execute("SELECT max(until) FROM search_backlog").fetchone()
    rows = connection.execute(
        f"SELECT id, body FROM events WHERE id <= ? AND kind IN {_WORTH_READING} ORDER BY id DESC LIMIT ?",
        (left, SLICE_EVENTS),
    )
    fetched = rows.fetchall()
    for event_id, body in fetched:
        left = event_id - 1
        # an event that cannot be read has nothing to find in it; where its conversation is read, it shows as a fault
        with contextlib.suppress(UnreadableEvent):
            index_event(connection, read_event(body))
        if time.monotonic() > until:
            break
    else:
        left = left if len(fetched) == SLICE_EVENTS else 0
    connection.execute("UPDATE search_backlog SET until = ? WHERE until >= 0", (left,))
    return left > 0


def rewrite_index(connection: sqlite3.Connection, pages: int = SLICE_PAGES) -> bool:
    """Rewrites some of the index without what was forgotten. False: nothing was, or nothing is left of it."""
    row = connection.execute("SELECT until FROM search_backlog WHERE until < 0").fetchone()
    if row is None:
        return False
    before = connection.total_changes
    # a negative number begins to make one of all segments, a positive one goes on with it
    connection.execute(
        "INSERT INTO search (search, rank) VALUES ('merge', ?)", (-pages if row[0] == _TO_REWRITE else pages,)
    )
    if connection.total_changes - before > 1:
        connection.execute("UPDATE search_backlog SET until = ? WHERE until < 0", (_REWRITING,))
        return True
    connection.execute("DELETE FROM search_backlog WHERE until < 0")
    return False


def _insert(connection: sqlite3.Connection, conversation_id: str, found: tuple[Passage, ...]) -> None:
    number, used = _number(connection, conversation_id)
    room = found[: MOST_ROWS - used - 1]
    connection.executemany(
        "INSERT INTO search (rowid, title, text, tool, kind) VALUES (?, '', ?, ?, ?)",
        [
            ((number << SHIFT) + used + place, spaced(passage.text), passage.tool, passage.kind)
            for place, passage in enumerate(room, start=1)
        ],
    )
    connection.execute("UPDATE search_conversations SET used = ? WHERE number = ?", (used + len(room), number))


def _number(connection: sqlite3.Connection, conversation_id: str) -> tuple[int, int]:
    """The number of a conversation in the index and how many passages it has; a new one begins with its title."""
    row = connection.execute(
        "SELECT number, used FROM search_conversations WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()
    if row is not None:
        return row[0], row[1]
    added = connection.execute("INSERT INTO search_conversations (conversation_id) VALUES (?)", (conversation_id,))
    number = added.lastrowid or 0
    known = connection.execute("SELECT summary FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    if known is not None:
        index_title(connection, read_summary(known[0]))
    return number, 0
