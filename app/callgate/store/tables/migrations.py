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


def _search(connection: sqlite3.Connection) -> None:
    for statement in (
        "CREATE VIRTUAL TABLE search USING fts5"
        " (title, text, tool, kind UNINDEXED, tokenize = 'unicode61 remove_diacritics 2')",
        """CREATE TABLE search_conversations (
            number INTEGER PRIMARY KEY,
            conversation_id TEXT NOT NULL UNIQUE,
            used INTEGER NOT NULL DEFAULT 0
        )""",
        # what was stored before there was an index: it is indexed in slices, from this event down
        "CREATE TABLE search_backlog (until INTEGER NOT NULL)",
        "INSERT INTO search_backlog SELECT coalesce(max(id), 0) FROM events",
    ):
        connection.execute(statement)


def _calls_by_tool(connection: sqlite3.Connection) -> None:
    # spelled out here, for a released step must not change with the code that reads by it (`past_calls`)
    tool, source, state = (
        f"CASE WHEN json_valid(body) THEN json_extract(body, '$.invocation.{key}') END"
        for key in ("tool", "source", "state")
    )
    connection.execute(
        f"CREATE INDEX calls_by_tool ON events (({tool}), ({source}), ({state}), at) WHERE kind = 'invocation'"
    )


def _statistics(connection: sqlite3.Connection) -> None:
    """Small tables to count in, filled with what the journal knows already."""
    for statement in (
        """CREATE TABLE statistics_rounds (
            exchange_id TEXT NOT NULL,
            round INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            at REAL NOT NULL,
            agent TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            model TEXT NOT NULL,
            outcome TEXT NOT NULL DEFAULT '',
            ended_at REAL,
            input INTEGER NOT NULL DEFAULT 0,
            output INTEGER NOT NULL DEFAULT 0,
            cached INTEGER NOT NULL DEFAULT 0,
            cache_written INTEGER NOT NULL DEFAULT 0,
            reasoning INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (exchange_id, round)
        ) WITHOUT ROWID""",
        """CREATE TABLE statistics_calls (
            invocation_id TEXT PRIMARY KEY,
            conversation_id TEXT NOT NULL,
            at REAL NOT NULL,
            agent TEXT NOT NULL,
            model TEXT NOT NULL,
            tool TEXT NOT NULL,
            source TEXT NOT NULL,
            denied INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            waited REAL,
            ran REAL
        ) WITHOUT ROWID""",
        *(
            f"CREATE INDEX {table}_by_{name} ON {table} ({column})"
            for table in ("statistics_rounds", "statistics_calls")
            for name, column in (("time", "at"), ("conversation", "conversation_id"))
        ),
        *_EARLIER_STATISTICS,
    ):
        connection.execute(statement)


_KNOWN = "json_valid(e.body) AND e.conversation_id NOT GLOB 'imported_*'"
_CALL = "$.invocation"
_EARLIER_STATISTICS = (
    f"""INSERT OR IGNORE INTO statistics_rounds (exchange_id, round, conversation_id, at, agent, endpoint, model)
        SELECT e.exchange_id, json_extract(e.body, '$.round'), e.conversation_id, e.at, coalesce(x.agent, ''),
            coalesce(json_extract(e.body, '$.endpoint'), ''), coalesce(json_extract(e.body, '$.model'), '')
        FROM events e LEFT JOIN exchanges x ON x.exchange_id = e.exchange_id
        WHERE e.kind = 'round_started' AND {_KNOWN} AND json_extract(e.body, '$.round') IS NOT NULL""",
    f"""UPDATE statistics_rounds SET outcome = 'completed', ended_at = f.at, input = f.input, output = f.output,
            cached = f.cached, cache_written = f.cache_written, reasoning = f.reasoning
        FROM (SELECT e.exchange_id, json_extract(e.body, '$.round') AS round, e.at,
                coalesce(json_extract(e.body, '$.usage.input'), 0) AS input,
                coalesce(json_extract(e.body, '$.usage.output'), 0) AS output,
                coalesce(json_extract(e.body, '$.usage.cached'), 0) AS cached,
                coalesce(json_extract(e.body, '$.usage.cache_written'), 0) AS cache_written,
                coalesce(json_extract(e.body, '$.usage.reasoning'), 0) AS reasoning
            FROM events e WHERE e.kind = 'round_ended' AND {_KNOWN}) AS f
        WHERE statistics_rounds.exchange_id = f.exchange_id AND statistics_rounds.round = f.round""",
    """UPDATE statistics_rounds SET outcome = coalesce((SELECT outcome FROM exchanges
            WHERE exchanges.exchange_id = statistics_rounds.exchange_id), '') WHERE outcome = ''""",
    f"""INSERT OR REPLACE INTO statistics_calls
            (invocation_id, conversation_id, at, agent, model, tool, source, denied, failed, cancelled, waited, ran)
        SELECT json_extract(e.body, '{_CALL}.id'), e.conversation_id,
            coalesce(json_extract(e.body, '{_CALL}.phases[0].since'), e.at),
            coalesce(json_extract(e.body, '{_CALL}.agent'), ''), coalesce(json_extract(e.body, '{_CALL}.model'), ''),
            json_extract(e.body, '{_CALL}.tool'), coalesce(json_extract(e.body, '{_CALL}.source'), ''),
            coalesce(json_extract(e.body, '{_CALL}.reason') IN ('Denied', 'Skipped', 'Timeout'), 0),
            coalesce(coalesce(json_extract(e.body, '{_CALL}.ran_result.is_error'),
                    json_extract(e.body, '{_CALL}.result.is_error')), 0)
                AND coalesce(json_extract(e.body, '{_CALL}.reason') NOT IN ('Denied', 'Skipped', 'Timeout'), 1)
                AND EXISTS (SELECT 1 FROM json_each(e.body, '{_CALL}.phases') AS p
                    WHERE json_extract(p.value, '$.state') = 'Executing'),
            json_extract(e.body, '{_CALL}.state') = 'Cancelled'
                AND coalesce(json_extract(e.body, '{_CALL}.reason') NOT IN ('Denied', 'Skipped', 'Timeout'), 1),
            (SELECT sum(coalesce((SELECT json_extract(n.value, '$.since') FROM json_each(e.body, '{_CALL}.phases') AS n
                    WHERE n.key = p.key + 1), e.at) - json_extract(p.value, '$.since'))
                FROM json_each(e.body, '{_CALL}.phases') AS p
                WHERE json_extract(p.value, '$.state') = 'WaitingForConfirmation'),
            (SELECT sum(coalesce((SELECT json_extract(n.value, '$.since') FROM json_each(e.body, '{_CALL}.phases') AS n
                    WHERE n.key = p.key + 1), e.at) - json_extract(p.value, '$.since'))
                FROM json_each(e.body, '{_CALL}.phases') AS p
                WHERE json_extract(p.value, '$.state') = 'Executing')
        FROM events e WHERE e.kind = 'invocation' AND {_KNOWN} AND json_extract(e.body, '{_CALL}.id') IS NOT NULL
            AND json_extract(e.body, '{_CALL}.tool') IS NOT NULL
            AND json_extract(e.body, '{_CALL}.state') IN ('Completed', 'Cancelled', 'Released')
        ORDER BY e.id""",
)
"""What was stored before there were such tables, counted in the same way as `statistics_rows` does."""


def _frames(connection: sqlite3.Connection) -> None:
    # the body stands last: who wants only the rest does not have to read past it
    for statement in (
        """CREATE TABLE frames (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            conversation_id TEXT NOT NULL,
            invocation_id TEXT NOT NULL,
            source TEXT NOT NULL,
            direction TEXT NOT NULL,
            role TEXT NOT NULL,
            method TEXT NOT NULL,
            rpc_id TEXT NOT NULL,
            joined TEXT NOT NULL,
            transport TEXT NOT NULL,
            at REAL NOT NULL,
            asked_at REAL,
            size INTEGER NOT NULL,
            packed INTEGER NOT NULL,
            data BLOB NOT NULL
        )""",
        "CREATE INDEX frames_of_call ON frames (invocation_id, seq) WHERE invocation_id <> ''",
        "CREATE INDEX frames_of_conversation ON frames (conversation_id, seq) WHERE conversation_id <> ''",
        "CREATE INDEX frames_of_source ON frames (source, seq)",
    ):
        connection.execute(statement)


def _estimated_tokens(connection: sqlite3.Connection) -> None:
    """Of the tokens of a round, those that nobody counted."""
    connection.execute("ALTER TABLE statistics_rounds ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0")


def _agent_proven(connection: sqlite3.Connection) -> None:
    """Whether a token proved the name of an exchange's agent; until now there were none."""
    connection.execute("ALTER TABLE exchanges ADD COLUMN agent_proven INTEGER NOT NULL DEFAULT 0")


MIGRATIONS: tuple[tuple[str, Migration], ...] = (
    ("conversations", _conversations),
    ("wire", _wire),
    ("replies", _replies),
    ("audit", _audit),
    ("definitions", _definitions),
    ("traffic", _traffic),
    ("search", _search),
    ("calls_by_tool", _calls_by_tool),
    ("statistics", _statistics),
    ("frames", _frames),
    ("estimated_tokens", _estimated_tokens),
    ("agent_proven", _agent_proven),
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
