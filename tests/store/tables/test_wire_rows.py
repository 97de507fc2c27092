"""Captured bytes: exact, small, and without secrets in their heads."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.store.samples import wire_piece

from callgate.store.tables.migrations import migrate
from callgate.store.tables.wire_rows import insert_wire, wire_of


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    yield connection
    connection.close()


def stored_sizes(connection: sqlite3.Connection) -> list[int]:
    return [size for (size,) in connection.execute("SELECT length(data) FROM wire ORDER BY seq")]


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"data: {}\n\n" * 500, bytes(range(256)) * 2])
def test_bytes_come_back_exactly(connection: sqlite3.Connection, data: bytes) -> None:
    insert_wire(connection, wire_piece(data))
    assert wire_of(connection, "e1") == [wire_piece(data)]


def test_long_text_is_stored_compressed_and_what_does_not_shrink_is_not(connection: sqlite3.Connection) -> None:
    hard = bytes(range(256)) * 1
    insert_wire(connection, wire_piece(b"data: {}\n\n" * 500))
    insert_wire(connection, wire_piece(hard))
    squeezed, plain = stored_sizes(connection)
    assert squeezed < 200
    assert plain == len(hard)


def test_pieces_keep_their_order_whatever_their_times_say(connection: sqlite3.Connection) -> None:
    pieces = [replace(wire_piece(str(number).encode()), at=-number) for number in range(5)]
    for piece in pieces:
        insert_wire(connection, piece)
    insert_wire(connection, wire_piece(exchange="another"))
    assert wire_of(connection, "e1") == pieces


def test_heads_are_kept_without_their_secrets(connection: sqlite3.Connection) -> None:
    head = (("Authorization", "Bearer sk-secret"), ("Content-Type", "application/json"))
    insert_wire(connection, replace(wire_piece(), head=head))
    (piece,) = wire_of(connection, "e1")
    assert piece.head == (("Authorization", "Bearer ***"), ("Content-Type", "application/json"))
    assert "sk-secret" not in "".join(connection.iterdump())
