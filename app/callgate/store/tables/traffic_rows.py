"""The latest exchanges with everything that happened in them but their deltas: what a table of traffic is made of."""

import sqlite3

_PAGE = "SELECT exchange_id FROM exchanges WHERE started_at < ? ORDER BY started_at DESC LIMIT ?"
_EVENTS = (
    "SELECT id, kind, at, body FROM events WHERE exchange_id = ? AND kind IN"
    # word for word as in the index, else SQLite does not see that it may use it
    " ('exchange_started', 'round_started', 'round_ended', 'exchange_ended', 'invocation') ORDER BY id"
)
_ANY_TIME = 1e18


def exchange_traffic(connection: sqlite3.Connection, exchange_id: str) -> list[tuple[int, str, float, str]]:
    """Stored events of one exchange, in order, deltas left out."""
    return connection.execute(_EVENTS, (exchange_id,)).fetchall()


def recent_traffic(
    connection: sqlite3.Connection, limit: int, before: float | None
) -> list[tuple[int, str, float, str]]:
    """Stored events (number, kind, time, body) of the exchanges that started last, oldest first."""
    page = connection.execute(_PAGE, (_ANY_TIME if before is None else before, limit)).fetchall()
    rows: list[tuple[int, str, float, str]] = []
    for (exchange_id,) in reversed(page):
        rows += connection.execute(_EVENTS, (exchange_id,)).fetchall()
    return rows
