"""The table `conversations`: a summary of each, kept up to date event by event, and its title in the index."""

import sqlite3

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event
from callgate.store.event_json import read_summary, write_summary
from callgate.store.tables.search_rows import index_title


def all_summaries(connection: sqlite3.Connection) -> list[ConversationSummary]:
    """The most recently touched first."""
    rows = connection.execute("SELECT summary FROM conversations ORDER BY updated_at DESC, started_at DESC, id")
    return [read_summary(text) for (text,) in rows]


def find_summary(connection: sqlite3.Connection, conversation_id: str) -> ConversationSummary | None:
    row = connection.execute("SELECT summary FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    return read_summary(row[0]) if row else None


def update_summary(connection: sqlite3.Connection, conversation_id: str, event: Event) -> None:
    before = find_summary(connection, conversation_id)
    after = summarize(before, event)
    if after is None or after is before:
        return
    write_row(connection, after)
    if _title_parts(after) != _title_parts(before):
        index_title(connection, after)


def write_row(connection: sqlite3.Connection, summary: ConversationSummary) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO conversations"
        " (id, agent, title, model, started_at, updated_at, exchanges, calls, running_calls, summary)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            summary.id,
            summary.agent,
            summary.title,
            summary.model,
            summary.started_at,
            summary.updated_at,
            summary.exchanges,
            summary.calls,
            len(summary.running_calls),
            write_summary(summary),
        ),
    )


def _title_parts(summary: ConversationSummary | None) -> tuple[object, ...]:
    if summary is None:
        return ()
    return summary.title, summary.agent, summary.model, summary.marks.name, summary.marks.tags
