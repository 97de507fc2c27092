"""A database that stands no longer under its name is noticed, and put back where nothing has taken its place."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from callgate.store.file_identity import FileGoneError, FileIdentity
from callgate.store.sqlite_file import open_file


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = open_file(tmp_path / "callgate.db").connection
    opened.execute("CREATE TABLE notes (text TEXT)")
    opened.execute("INSERT INTO notes VALUES ('kept')")
    yield opened
    opened.close()


def notes(connection: sqlite3.Connection) -> list[str]:
    return [text for (text,) in connection.execute("SELECT text FROM notes")]


def test_a_file_in_its_place_holds(tmp_path: Path, connection: sqlite3.Connection) -> None:
    identity = FileIdentity.of(tmp_path / "callgate.db")
    assert identity.log is not None
    identity.check()


@pytest.mark.parametrize("removed", [("",), ("", "-wal", "-shm"), ("-wal",)])
def test_what_was_removed_is_put_back_with_all_that_was_committed(
    tmp_path: Path, connection: sqlite3.Connection, removed: tuple[str, ...]
) -> None:
    path = tmp_path / "callgate.db"
    identity = FileIdentity.of(path)
    for suffix in removed:
        path.with_name(path.name + suffix).unlink()
    with pytest.raises(FileGoneError, match="was removed"):
        identity.check()
    again = identity.restore(connection)
    assert notes(again) == ["kept"]
    FileIdentity.of(path).check()
    again.close()
    fresh = open_file(path)
    assert fresh.moved_aside is None and notes(fresh.connection) == ["kept"]
    fresh.connection.close()
    assert [left.name for left in tmp_path.iterdir()] == ["callgate.db"]


def test_a_file_that_has_taken_its_place_is_left_alone(tmp_path: Path, connection: sqlite3.Connection) -> None:
    path = tmp_path / "callgate.db"
    identity = FileIdentity.of(path)
    path.rename(tmp_path / "aside")
    path.write_text("another's", "utf-8")
    with pytest.raises(FileGoneError, match="replaced by another file"):
        identity.check()
    with pytest.raises(FileGoneError, match="start Callgate anew"):
        identity.restore(connection)
    assert path.read_text("utf-8") == "another's"
    (tmp_path / "aside").replace(path)
    identity.check()
