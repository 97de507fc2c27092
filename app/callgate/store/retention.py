"""What becomes of old things: captured bytes go first, by age; whole conversations only where the person said so.

Pinned conversations and those from files stay whole. Deleting happens in slices, by whoever asks for the next one.
"""

import sqlite3
from dataclasses import dataclass
from typing import Final, Literal

Captured = Literal["wire", "frames"]
"""What is thinned by age: bytes of exchanges, and messages of MCP servers."""
SLICE_ROWS: Final = 500
"""Rows looked at in one go: a few milliseconds of the writer's time."""
DAY: Final = 86_400
_KEPT: Final = (
    "SELECT id FROM conversations WHERE json_extract(summary, '$.marks.pinned') OR id GLOB 'imported_*'"
    " OR running_calls > 0"
)


@dataclass(frozen=True, slots=True)
class Thinned:
    deleted: int
    after: int
    """Where the next slice begins."""
    more: bool


def thin(connection: sqlite3.Connection, captured: Captured, before: float, after: int = 0) -> Thinned:
    """Deletes what was captured before a time, the oldest first."""
    rows = connection.execute(
        f"SELECT seq, at, conversation_id FROM {captured} WHERE seq > ? ORDER BY seq LIMIT ?", (after, SLICE_ROWS)
    ).fetchall()
    if not rows:
        return Thinned(0, after, False)
    kept = {identifier for (identifier,) in connection.execute(_KEPT)}
    old = [seq for seq, at, conversation_id in rows if at < before and conversation_id not in kept]
    connection.executemany(f"DELETE FROM {captured} WHERE seq = ?", [(seq,) for seq in old])
    # they lie in the order of time: where a whole slice is young, so is the rest
    more = len(rows) == SLICE_ROWS and any(at < before for _, at, _ in rows)
    return Thinned(len(old), rows[-1][0], more)


def wire_size(connection: sqlite3.Connection) -> list[tuple[float, int]]:
    """Captured bytes by the day on which they came, the oldest first, without those that are kept anyway."""
    rows = connection.execute(
        f"SELECT CAST(at / {DAY} AS INTEGER) * {DAY}, sum(bytes) FROM ("
        "SELECT at, conversation_id, length(data) AS bytes FROM wire"
        " UNION ALL SELECT at, conversation_id, length(data) FROM frames)"
        f" WHERE conversation_id NOT IN ({_KEPT}) GROUP BY 1 ORDER BY 1"
    )
    return [(float(day), int(size)) for day, size in rows]


def stale_conversations(connection: sqlite3.Connection, before: float) -> list[str]:
    rows = connection.execute(
        f"SELECT id FROM conversations WHERE updated_at < ? AND id NOT IN ({_KEPT}) ORDER BY updated_at", (before,)
    )
    return [identifier for (identifier,) in rows]
