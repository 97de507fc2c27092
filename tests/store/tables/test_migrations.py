"""From every old shape to the newest, with everything that was in it."""

import sqlite3
from collections.abc import Iterator

import pytest

from callgate.store.tables import migrations
from callgate.store.tables.migrations import LATEST, MIGRATIONS, migrate, version_of


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def shape(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


@pytest.mark.parametrize("old", range(LATEST + 1))
def test_every_old_version_becomes_the_newest_and_keeps_its_rows(connection: sqlite3.Connection, old: int) -> None:
    migrate(connection, old)
    assert version_of(connection) == old
    if old >= 1:
        connection.execute(
            "INSERT INTO events (conversation_id, exchange_id, kind, at, body) VALUES ('c', 'e', 'delta', 1, '{}')"
        )
    migrate(connection)
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    migrate(fresh)
    assert shape(connection) == shape(fresh)
    fresh.close()
    assert version_of(connection) == LATEST
    if old >= 1:
        assert connection.execute("SELECT body FROM events").fetchall() == [("{}",)]


def test_every_step_is_recorded_by_number_and_name(connection: sqlite3.Connection) -> None:
    migrate(connection)
    recorded = connection.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
    assert recorded == [(number, name) for number, (name, _) in enumerate(MIGRATIONS, start=1)]


def test_migrating_again_changes_nothing(connection: sqlite3.Connection) -> None:
    migrate(connection)
    before = shape(connection)
    migrate(connection)
    assert shape(connection) == before
    assert connection.execute("SELECT count(*) FROM migrations").fetchone() == (LATEST,)


def test_a_failing_step_leaves_the_file_at_the_step_before(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        connection.execute("CREATE TABLE half (x)")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, ("half", half)))
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, LATEST + 1)
    assert version_of(connection) == LATEST
    assert "half" not in {name for name, _ in shape(connection)}
    assert not connection.in_transaction
