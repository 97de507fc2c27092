"""Reading beside the writer: it sees what is committed, changes nothing, and says why it cannot."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.database import Database, DatabaseClosedError
from callgate.store.reading import Reader, open_for_reading
from callgate.store.tables.migrations import LATEST

SECONDS = 5


def test_a_look_sees_what_is_written_meanwhile_and_can_write_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "callgate.db")

    async def use() -> None:
        await database.run(lambda connection: connection.execute("CREATE TABLE t (x)"))
        assert await database.look(lambda connection: connection.execute("SELECT count(*) FROM t").fetchone()) == (0,)
        await database.run(lambda connection: connection.execute("INSERT INTO t VALUES (1)"))
        assert await database.look(lambda connection: connection.execute("SELECT count(*) FROM t").fetchone()) == (1,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await database.look(lambda connection: connection.execute("DELETE FROM t"))

    asyncio.run(asyncio.wait_for(use(), SECONDS))
    assert database.close()
    with pytest.raises(DatabaseClosedError):
        asyncio.run(database.look(lambda _: None))


def test_a_long_look_is_broken_off_at_the_end(tmp_path: Path) -> None:
    Database(tmp_path / "callgate.db").close()
    reader = Reader(tmp_path / "callgate.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    assert reader.submit(lambda connection: connection.execute("SELECT 1").fetchone()).result(SECONDS) == (1,)
    looking = reader.submit(lambda connection: connection.execute(endless).fetchone())
    while not looking.running():
        pass
    reader.close()
    reader.close()
    assert isinstance(looking.exception(SECONDS), sqlite3.OperationalError)


def test_it_says_why_there_is_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(UserFault, match="There is no journal"):
        open_for_reading(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at" * 20, "utf-8")
    with pytest.raises(UserFault, match="no journal of Callgate"):
        open_for_reading(tmp_path / "text.db")
    sqlite3.connect(tmp_path / "empty.db").close()
    with pytest.raises(UserFault, match="no journal of Callgate"):
        open_for_reading(tmp_path / "empty.db")
    newer = sqlite3.connect(tmp_path / "newer.db")
    newer.execute(f"PRAGMA user_version = {LATEST + 1}")
    newer.execute("CREATE TABLE t (x)")
    newer.close()
    with pytest.raises(UserFault, match="newer Callgate"):
        open_for_reading(tmp_path / "newer.db")
