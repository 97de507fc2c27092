"""Captured bytes as rows of the table `wire`: compressed where that helps, their heads without secrets."""

import sqlite3

import orjson

from callgate.core.events import Leg, WireCaptured
from callgate.core.secrets.masking import mask_head
from callgate.store.packing import pack, unpack

_SELECT = "SELECT exchange_id, conversation_id, round, leg, at, head, packed, data FROM wire"


def insert_wire(connection: sqlite3.Connection, event: WireCaptured) -> None:
    head = orjson.dumps(mask_head(event.head)).decode("utf-8") if event.head else None
    data, packed = pack(event.data)
    connection.execute(
        "INSERT INTO wire (exchange_id, conversation_id, round, leg, at, head, packed, data)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (event.exchange_id, event.conversation_id, event.round, event.leg, event.at, head, packed, data),
    )


def wire_of(connection: sqlite3.Connection, exchange_id: str) -> list[WireCaptured]:
    """Everything captured of an exchange, in the order in which it was recorded."""
    rows = connection.execute(f"{_SELECT} WHERE exchange_id = ? ORDER BY seq", (exchange_id,))
    return [_read(row) for row in rows]


def wire_of_conversation(connection: sqlite3.Connection, conversation_id: str) -> list[WireCaptured]:
    rows = connection.execute(f"{_SELECT} WHERE conversation_id = ? ORDER BY seq", (conversation_id,))
    return [_read(row) for row in rows]


def _read(row: tuple[str, str, int, Leg, float, str | None, int, bytes]) -> WireCaptured:
    exchange_id, conversation_id, number, leg, at, head, packed, data = row
    return WireCaptured(
        exchange_id,
        conversation_id,
        number,
        leg,
        unpack(data, bool(packed)),
        at,
        tuple((name, value) for name, value in orjson.loads(head)) if head else (),
    )
