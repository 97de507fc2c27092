"""Messages of MCP servers as rows of the table `frames`: compressed where that helps, found by call or by source."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from callgate.core.events import FrameCaptured
from callgate.export.record import SPREAD_FRAMES
from callgate.store.packing import pack, unpack

_ABOUT: Final = (
    "id, source, direction, role, method, rpc_id, size, at, asked_at, invocation_id, conversation_id, joined, transport"
)
_HEAD: Final = f"SELECT {_ABOUT} FROM frames"
_WHOLE: Final = f"SELECT {_ABOUT}, packed, data FROM frames"


def insert_frame(connection: sqlite3.Connection, frame: FrameCaptured) -> None:
    # half a surrogate pair, which JSON can spell, is no UTF-8
    data, packed = pack(frame.text.encode("utf-8", "replace"))
    connection.execute(
        f"INSERT INTO frames ({_ABOUT}, packed, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            frame.id,
            frame.source,
            frame.direction,
            frame.role,
            frame.method,
            frame.rpc_id,
            frame.size,
            frame.at,
            frame.asked_at,
            frame.invocation_id,
            frame.conversation_id,
            frame.joined,
            frame.transport,
            packed,
            data,
        ),
    )


def frames_of_call(connection: sqlite3.Connection, invocation_id: str, most: int) -> tuple[list[FrameCaptured], int]:
    """What a call caused, in order, and how many there are in all; of more than `most` the first and last halves."""
    (count,) = connection.execute(
        "SELECT count(*) FROM frames WHERE invocation_id = ? AND invocation_id <> ''", (invocation_id,)
    ).fetchone()
    where = f"{_WHOLE} WHERE invocation_id = ? AND invocation_id <> ''"
    if count <= most:
        return _read_all(connection.execute(f"{where} ORDER BY seq", (invocation_id,))), count
    half = most // 2
    first = connection.execute(f"{where} ORDER BY seq LIMIT ?", (invocation_id, half)).fetchall()
    last = connection.execute(f"{where} ORDER BY seq DESC LIMIT ?", (invocation_id, most - half)).fetchall()
    return _read_all((*first, *reversed(last))), count


def frames_of_conversation(connection: sqlite3.Connection, conversation_id: str) -> list[FrameCaptured]:
    where = f"{_WHOLE} WHERE conversation_id = ? AND conversation_id <> '' ORDER BY seq"
    return _read_all(connection.execute(where, (conversation_id,)))


def frame_heads(connection: sqlite3.Connection, conversation_id: str) -> list[FrameCaptured]:
    """The same without their texts, as a timeline needs them."""
    rows = connection.execute(
        f"{_HEAD} WHERE conversation_id = ? AND conversation_id <> '' ORDER BY seq", (conversation_id,)
    )
    return [_read(row) for row in rows]


def frames_of_source(connection: sqlite3.Connection, source: str, most: int) -> list[FrameCaptured]:
    """The latest of a source, also those that no call caused, in order."""
    rows = connection.execute(f"{_WHOLE} WHERE source = ? ORDER BY seq DESC LIMIT ?", (source, most)).fetchall()
    return _read_all(reversed(rows))


def hide_notifications(connection: sqlite3.Connection, invocation_id: str) -> None:
    """Messages of a call that told of its progress, over which a secret was spread."""
    connection.execute(
        "UPDATE frames SET packed = 0, data = ? WHERE invocation_id = ? AND role = 'notification'",
        (SPREAD_FRAMES.encode(), invocation_id),
    )


def sources_heard(connection: sqlite3.Connection) -> set[str]:
    """Sources of which there are messages: from one to the next by the index, however many messages there are."""
    found: set[str] = set()
    (name,) = connection.execute("SELECT min(source) FROM frames").fetchone()
    while name is not None:
        found.add(name)
        (name,) = connection.execute("SELECT min(source) FROM frames WHERE source > ?", (name,)).fetchone()
    return found


def forget_frames(connection: sqlite3.Connection, conversation_id: str) -> None:
    connection.execute("DELETE FROM frames WHERE conversation_id = ? AND conversation_id <> ''", (conversation_id,))


def _read_all(rows: Iterable[tuple]) -> list[FrameCaptured]:  # type: ignore[type-arg]  # as the table has it
    return [_read(about, unpack(data, packed).decode("utf-8", "replace")) for *about, packed, data in rows]


def _read(about: Iterable[object], text: str = "") -> FrameCaptured:
    identifier, source, direction, role, method, rpc_id, size, at, asked_at, *rest = about
    return FrameCaptured(identifier, source, direction, role, method, rpc_id, size, text, at, asked_at, *rest)  # type: ignore[arg-type]
