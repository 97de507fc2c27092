"""One thread, one transaction for whatever waits, failures that stay their own."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest

from callgate.core.errors import NotRecorded
from callgate.store.database import Database, DatabaseClosedError

SECONDS = 5


def insert(value: str):
    return lambda connection: connection.execute("INSERT INTO notes VALUES (?)", (value,))


def notes(connection: sqlite3.Connection) -> list[str]:
    return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY rowid")]


@pytest.fixture
def errors() -> list[Exception]:
    return []


@pytest.fixture
def database(tmp_path: Path, errors: list[Exception]) -> Iterator[Database]:
    database = Database(tmp_path / "callgate.db", errors.append)
    database.submit(lambda c: c.execute("CREATE TABLE notes (text TEXT UNIQUE)")).result(SECONDS)
    yield database
    database.close()


class Held:
    """A job that holds the writer thread, so that what is queued meanwhile lands in one batch."""

    def __init__(self, database: Database) -> None:
        self._go = threading.Event()
        entered = threading.Event()

        def wait(_: sqlite3.Connection) -> None:
            entered.set()
            self._go.wait(SECONDS)

        database.post(wait)
        assert entered.wait(SECONDS)

    def release(self) -> None:
        self._go.set()


def test_work_is_done_in_the_order_in_which_it_was_queued(database: Database) -> None:
    for number in range(2500):
        database.post(insert(str(number)))
    assert database.submit(notes).result(SECONDS) == [str(number) for number in range(2500)]


def test_an_answered_write_can_be_seen_by_another_connection_at_once(database: Database) -> None:
    database.submit(insert("kept")).result(SECONDS)
    other = sqlite3.connect(database.path)
    assert notes(other) == ["kept"]
    other.close()


def test_a_failing_callable_undoes_only_itself(database: Database, errors: list[Exception]) -> None:
    held = Held(database)

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO notes VALUES ('half')")
        raise ValueError("no")

    database.post(insert("before"))
    failing = database.submit(half)
    database.post(insert("after"))
    held.release()
    with pytest.raises(ValueError, match="no"):
        failing.result(SECONDS)
    assert database.submit(notes).result(SECONDS) == ["before", "after"]
    assert errors == []


def test_a_failed_write_that_nobody_waits_for_reaches_the_error_listener(
    database: Database, errors: list[Exception]
) -> None:
    database.post(insert("twin"))
    database.post(insert("twin"))
    database.submit(notes).result(SECONDS)
    assert [type(error) for error in errors] == [sqlite3.IntegrityError]


def test_a_transaction_that_sqlite_loses_takes_what_was_posted_and_is_reported_once(
    database: Database, errors: list[Exception]
) -> None:
    held = Held(database)

    def lose(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        raise OSError("disk full")

    database.post(insert("lost"))
    database.post(lose)
    waited, committed = database.submit(insert("tried by itself")), database.commit()
    held.release()
    waited.result(SECONDS)
    with pytest.raises(NotRecorded, match="disk full"):
        committed.result(SECONDS)
    assert database.submit(notes).result(SECONDS) == ["tried by itself"]
    assert [str(error) for error in errors] == ["disk full"]


def test_an_error_listener_that_fails_does_not_stop_the_writer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Exception) -> None:
        raise RuntimeError("listener")

    database = Database(tmp_path / "callgate.db", broken)
    database.post(lambda c: c.execute("SELECT nothing"))
    assert database.submit(lambda c: 7).result(SECONDS) == 7
    assert "nobody could be told" in caplog.text
    caplog.clear()
    database.close()


def test_without_a_listener_a_lost_write_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = Database(tmp_path / "callgate.db")
    database.post(lambda c: c.execute("SELECT nothing"))
    database.close()
    assert "a write was lost" in caplog.text
    caplog.clear()


def test_work_that_was_cancelled_while_it_waited_is_not_done(database: Database) -> None:
    held = Held(database)
    unwanted = database.submit(insert("unwanted"))
    assert unwanted.cancel()
    held.release()
    assert database.submit(notes).result(SECONDS) == []
    with pytest.raises(CancelledError):
        unwanted.result(SECONDS)


def test_a_coroutine_can_wait_for_work_on_its_own_loop(database: Database) -> None:
    async def both() -> list[str]:
        await asyncio.gather(database.run(insert("a")), database.run(insert("b")))
        return await database.run(notes)

    assert asyncio.run(asyncio.wait_for(both(), SECONDS)) == ["a", "b"]


def test_the_loop_goes_on_while_the_writer_is_busy(database: Database) -> None:
    async def ticks_meanwhile() -> int:
        held = Held(database)
        waiting = asyncio.ensure_future(database.run(notes))
        ticks = 0
        for _ in range(100):
            await asyncio.sleep(0)
            ticks += not waiting.done()
        held.release()
        await waiting
        return ticks

    assert asyncio.run(asyncio.wait_for(ticks_meanwhile(), SECONDS)) == 100


def test_closing_does_everything_that_is_queued(database: Database) -> None:
    held = Held(database)
    futures: list[Future[object]] = [database.submit(insert(str(number))) for number in range(50)]
    held.release()
    assert database.close()
    assert all(future.done() for future in futures)
    other = sqlite3.connect(database.path)
    assert len(notes(other)) == 50
    other.close()


def test_closing_leaves_one_file_with_nothing_beside_it(database: Database) -> None:
    database.close()
    assert [path.name for path in database.path.parent.iterdir()] == ["callgate.db"]


def test_closing_gives_up_in_bounded_time_and_says_so(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    held = Held(database)
    assert not database.close(seconds=0.01)
    assert "were not done" in caplog.text
    caplog.clear()
    held.release()
    assert database.close()


def test_work_after_the_end_is_refused(database: Database) -> None:
    database.close()
    with pytest.raises(DatabaseClosedError):
        database.post(insert("late"))


def test_the_file_is_in_wal_mode_with_the_promised_settings(database: Database) -> None:
    def pragmas(connection: sqlite3.Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    assert database.submit(pragmas).result(SECONDS) == {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }
