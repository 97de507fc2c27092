"""The database's shape, as numbered steps: each runs once, in a transaction of its own, and is recorded.

A step that has been released is never edited; a change of shape is a new step at the end. The steps know tables, not
events: what the columns mean is the business of the journal.
"""

import sqlite3
import time
from collections.abc import Callable

Migration = Callable[[sqlite3.Connection], None]


def _conversations(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            conversation_id TEXT NOT NULL,
            exchange_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            at REAL NOT NULL,
            body TEXT NOT NULL
        )""",
        "CREATE INDEX events_of_conversation ON events (conversation_id, id)",
        """CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            agent TEXT NOT NULL,
            title TEXT NOT NULL,
            model TEXT NOT NULL,
            started_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            exchanges INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            running_calls INTEGER NOT NULL,
            summary TEXT NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX conversations_by_time ON conversations (updated_at)",
        """CREATE TABLE exchanges (
            exchange_id TEXT PRIMARY KEY,
            conversation_id TEXT NOT NULL,
            agent TEXT NOT NULL,
            started_at REAL NOT NULL,
            ended_at REAL,
            outcome TEXT,
            lineage TEXT NOT NULL DEFAULT '',
            hidden TEXT,
            answer TEXT
        ) WITHOUT ROWID""",
        "CREATE INDEX exchanges_by_lineage ON exchanges (lineage, ended_at) WHERE lineage <> ''",
        "CREATE INDEX exchanges_of_conversation ON exchanges (conversation_id)",
        "CREATE INDEX exchanges_unended ON exchanges (exchange_id) WHERE ended_at IS NULL",
    ):
        connection.execute(statement)


def _wire(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE wire (
            seq INTEGER PRIMARY KEY,
            exchange_id TEXT NOT NULL,
            conversation_id TEXT NOT NULL,
            round INTEGER NOT NULL,
            leg TEXT NOT NULL,
            at REAL NOT NULL,
            head TEXT,
            packed INTEGER NOT NULL,
            data BLOB NOT NULL
        )""",
        "CREATE INDEX wire_of_exchange ON wire (exchange_id, seq)",
        "CREATE INDEX wire_of_conversation ON wire (conversation_id)",
    ):
        connection.execute(statement)


def _replies(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE replies (
            reply_id TEXT PRIMARY KEY,
            conversation_id TEXT NOT NULL,
            body TEXT NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX replies_of_conversation ON replies (conversation_id)",
        "CREATE TABLE reply_items (item_id TEXT PRIMARY KEY, reply_id TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX items_of_reply ON reply_items (reply_id)",
    ):
        connection.execute(statement)


def _audit(connection: sqlite3.Connection) -> None:
    # AUTOINCREMENT: a number is never given twice, so that a cut-off end shows as a gap
    connection.execute(
        """CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            invocation_id TEXT NOT NULL,
            stage TEXT NOT NULL,
            at REAL NOT NULL,
            hash TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (invocation_id, stage)
        )"""
    )


def _definitions(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE definitions (
            source TEXT NOT NULL,
            name TEXT NOT NULL,
            agent TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            definition TEXT NOT NULL,
            first_seen REAL NOT NULL,
            last_seen REAL NOT NULL,
            PRIMARY KEY (source, name, agent, fingerprint)
        ) WITHOUT ROWID""",
        "CREATE INDEX definitions_by_fingerprint ON definitions (fingerprint, last_seen)",
    ):
        connection.execute(statement)


def _traffic(connection: sqlite3.Connection) -> None:
    # deltas are by far the most events: an index of the others stays small
    for statement in (
        "CREATE INDEX exchanges_by_start ON exchanges (started_at)",
        "CREATE INDEX traffic_of_exchange ON events (exchange_id, id) WHERE kind IN"
        " ('exchange_started', 'round_started', 'round_ended', 'exchange_ended', 'invocation')",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[tuple[str, Migration], ...] = (
    ("conversations", _conversations),
    ("wire", _wire),
    ("replies", _replies),
    ("audit", _audit),
    ("definitions", _definitions),
    ("traffic", _traffic),
)
"""In order; the number of a step is its place, from 1."""

LATEST = len(MIGRATIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last step that the file has been through; 0 = a new file."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(connection: sqlite3.Connection, until: int = LATEST) -> None:
    """Takes the file through every step that it lacks. What a failing step did is undone; those before it stay."""
    for number, (name, step) in enumerate(MIGRATIONS[:until], start=1):
        if version_of(connection) >= number:
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            # asked again now that nobody else can write: a second program may have begun at the same moment
            if version_of(connection) < number:
                _take(connection, number, name, step)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _take(connection: sqlite3.Connection, number: int, name: str, step: Migration) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at REAL NOT NULL)"
    )
    step(connection)
    connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, name, time.time()))
    connection.execute(f"PRAGMA user_version = {number}")
