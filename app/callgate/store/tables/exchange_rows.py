"""The table `exchanges`: which exchange belongs to which conversation, and how later requests find it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from callgate.core.events import ExchangeEnded, ExchangeStarted
from callgate.core.lineage import START
from callgate.core.messages import Message
from callgate.store.event_json import read_messages, write_messages

_LINEAGE = "SELECT lineage, conversation_id, exchange_id, agent, hidden, answer, agent_proven FROM exchanges"


@dataclass(frozen=True, slots=True)
class LineageRow:
    """An ended exchange that a later request may extend."""

    lineage: str
    conversation_id: str
    exchange_id: str
    agent: str
    hidden: tuple[Message, ...] = ()
    answer: Message | None = None
    agent_proven: bool = False


def begin_exchange(connection: sqlite3.Connection, event: ExchangeStarted) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO exchanges (exchange_id, conversation_id, agent, started_at, agent_proven)"
        " VALUES (?, ?, ?, ?, ?)",
        (event.exchange_id, event.conversation_id, event.agent, event.at, event.agent_proven),
    )


def end_exchange(connection: sqlite3.Connection, event: ExchangeEnded) -> None:
    hidden = write_messages(event.hidden) if event.hidden else None
    answer = write_messages((event.answer,)) if event.answer is not None else None
    connection.execute(
        "INSERT INTO exchanges"
        " (exchange_id, conversation_id, agent, started_at, ended_at, outcome, lineage, hidden, answer)"
        " VALUES (?, ?, '', ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (exchange_id) DO UPDATE SET ended_at = excluded.ended_at, outcome = excluded.outcome,"
        " lineage = excluded.lineage, hidden = excluded.hidden, answer = excluded.answer",
        (
            event.exchange_id,
            event.conversation_id,
            event.at,
            event.at,
            event.outcome,
            event.lineage,
            hidden,
            answer,
        ),
    )


def unended_exchanges(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Exchange and conversation of everything that began and never ended, oldest first."""
    rows = connection.execute(
        "SELECT exchange_id, conversation_id FROM exchanges WHERE ended_at IS NULL ORDER BY started_at"
    )
    return [(exchange_id, conversation_id) for exchange_id, conversation_id in rows]


def all_lineages(connection: sqlite3.Connection, limit: int | None = None) -> list[LineageRow]:
    """The latest exchanges that can be extended, oldest first, so that a map filled from it keeps the newest."""
    rows = connection.execute(
        f"{_LINEAGE} WHERE lineage <> '' AND lineage <> ? ORDER BY ended_at DESC LIMIT ?",
        (START, -1 if limit is None else limit),
    )
    return [_lineage_row(row) for row in rows][::-1]


def find_lineage(connection: sqlite3.Connection, hashes: Sequence[str], agent: str) -> LineageRow | None:
    """The newest exchange with the first hash that any has; an empty agent means any."""
    for lineage in hashes:
        # the hash of nothing said is shared by everybody: it tells nothing
        if lineage in ("", START):
            continue
        row = connection.execute(
            f"{_LINEAGE} WHERE lineage = ? AND lineage <> '' AND ? IN ('', agent) ORDER BY ended_at DESC LIMIT 1",
            (lineage, agent),
        ).fetchone()
        if row is not None:
            return _lineage_row(row)
    return None


def find_owner(conversation_id: str, connection: sqlite3.Connection) -> tuple[str, bool] | None:
    """The agent of a conversation, and whether its name was proven: of several, a proven one."""
    row = connection.execute(
        "SELECT agent, agent_proven FROM exchanges WHERE conversation_id = ? AND agent <> ''"
        " ORDER BY agent_proven DESC, started_at LIMIT 1",
        (conversation_id,),
    ).fetchone()
    return None if row is None else (row[0], bool(row[1]))


def _lineage_row(row: tuple[str, str, str, str, str | None, str | None, int]) -> LineageRow:
    lineage, conversation_id, exchange_id, agent, hidden, answer, proven = row
    return LineageRow(
        lineage,
        conversation_id,
        exchange_id,
        agent,
        read_messages(hidden) if hidden else (),
        read_messages(answer)[0] if answer else None,
        bool(proven),
    )
