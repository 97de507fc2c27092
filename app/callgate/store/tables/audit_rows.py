"""The table `audit`: one row for each decision, in a chain that outlives the conversations it tells of.

A row's body is the entry's own line, so that an export is what stands in the file, and shows what was done to it.
"""

import sqlite3
from dataclasses import replace

from callgate.core.events import InvocationChanged
from callgate.core.rules.audit import START, AuditEntry, UnreadableEntry, chain, entry_of, read_line, write_line
from callgate.core.secrets.masking import mask


def insert_decision(connection: sqlite3.Connection, event: InvocationChanged) -> None:
    """Adds the entry of an event that settles a decision; one that is there already is not added again."""
    entry = entry_of(event)
    if entry is not None:
        insert_entry(connection, entry)


def insert_entry(connection: sqlite3.Connection, entry: AuditEntry) -> None:
    """Chains an entry to the end; a decision that is there already is not added again."""
    if not entry.is_gap and _known(connection, entry):
        return
    sequence, previous = _end(connection)
    # words may quote secrets, and these words leave the machine: hidden before they are hashed, or they could not be
    spoken = replace(entry, sequence=sequence + 1, rule=mask(entry.rule), explanation=mask(entry.explanation))
    linked = chain(previous, spoken)
    connection.execute(
        "INSERT INTO audit (sequence, invocation_id, stage, at, hash, body) VALUES (?, ?, ?, ?, ?, ?)",
        (linked.sequence, _key_of(linked), linked.stage, linked.at, linked.hash, write_line(linked)),
    )


def audit_page(connection: sqlite3.Connection, limit: int, before: int | None) -> list[AuditEntry]:
    """The newest entries first; `before` = only those with a smaller sequence."""
    rows = connection.execute(
        "SELECT sequence, invocation_id, stage, at, hash, body FROM audit"
        " WHERE ? IS NULL OR sequence < ? ORDER BY sequence DESC LIMIT ?",
        (before, before, limit),
    )
    return [_readable(*row) for row in rows]


def audit_lines(connection: sqlite3.Connection, after: int, limit: int) -> list[tuple[int, str]]:
    """Sequence and line of the entries that follow one, in order, exactly as they are stored."""
    rows = connection.execute(
        "SELECT sequence, body FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, limit)
    )
    return [(sequence, body) for sequence, body in rows]


def _key_of(entry: AuditEntry) -> str:
    """One decision of each kind for each invocation; gaps belong to none."""
    return f"gap_{entry.sequence}" if entry.is_gap else entry.invocation_id


def _known(connection: sqlite3.Connection, entry: AuditEntry) -> bool:
    found = connection.execute(
        "SELECT 1 FROM audit WHERE invocation_id = ? AND stage = ?", (entry.invocation_id, entry.stage)
    )
    return found.fetchone() is not None


def _end(connection: sqlite3.Connection) -> tuple[int, str]:
    """Sequence and hash that the next entry follows. Asked anew each time: a second program may write the file too."""
    row = connection.execute("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1").fetchone()
    # SQLite's own count outlives deleted rows, so that a chain whose end was cut off shows a gap
    counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").fetchone()
    sequence, previous = row or (0, START)
    return max(sequence, counted[0] if counted else 0), previous


def _readable(sequence: int, invocation_id: str, stage: str, at: float, hash_: str, body: str) -> AuditEntry:
    """An entry that somebody changed shows as that, in its place; it hides no other."""
    try:
        return read_line(body)
    except UnreadableEntry as problem:
        why = f"This entry cannot be read: {problem}"
        return AuditEntry(sequence, at, invocation_id=invocation_id, stage=stage, explanation=why, hash=hash_)
