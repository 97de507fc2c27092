"""A second way into the database file, for long looks: a thread and a connection of its own that can only read.

Whatever is looked for there keeps no write waiting, and is kept waiting by none. It sees what was committed.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from callgate.core.errors import UserFault
from callgate.store.tables.migrations import LATEST, version_of

T = TypeVar("T")
Look = Callable[[sqlite3.Connection], T]

BUSY_SECONDS = 5.0
"""How long to wait where another program is just moving the file's log."""
STEPS_BETWEEN_CHECKS = 10_000
"""Steps of SQLite's machine (well under a millisecond) after which a look asks whether it should go on."""


class Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._closing = False
        self._thread = ThreadPoolExecutor(1, "callgate-reader")

    def submit(self, look: Look[T]) -> "Future[T]":
        return self._thread.submit(partial(self._look, look))

    async def run(self, look: Look[T]) -> T:
        return await asyncio.wrap_future(self.submit(look))

    def close(self) -> None:
        """Breaks off whatever is being looked for; a second time it does nothing."""
        self._closing = True
        self._thread.shutdown(wait=True, cancel_futures=True)
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _look(self, look: Look[T]) -> T:
        if self._connection is None:
            self._connection = open_for_reading(self.path)
            # `interrupt` reaches only what runs already: a look that is just about to start would never end
            self._connection.set_progress_handler(lambda: self._closing, STEPS_BETWEEN_CHECKS)
        return look(self._connection)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot change anything; raises `UserFault` where there is nothing that it could read."""
    if not path.exists():
        raise UserFault(f"There is no journal at {path}.")
    try:
        connection = _connect(path, "mode=ro")
        version = _version(connection)
    except sqlite3.OperationalError:
        # without a log beside it, in a folder that may not be written: nobody else can write it either
        try:
            connection = _connect(path, "mode=ro&immutable=1")
            version = _version(connection)
        except sqlite3.Error as error:
            raise UserFault(f"{path} cannot be read: {error}") from error
    except sqlite3.DatabaseError as error:
        raise UserFault(f"{path} is no journal of Callgate: {error}") from error
    if version > LATEST:
        connection.close()
        raise UserFault(f"{path} was written by a newer Callgate (shape {version}; this program knows up to {LATEST}).")
    if version == 0:
        connection.close()
        raise UserFault(f"{path} is no journal of Callgate.")
    return connection


def _connect(path: Path, how: str) -> sqlite3.Connection:
    address = f"file:{quote(str(path.resolve()))}?{how}"
    return sqlite3.connect(address, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True)


def _version(connection: sqlite3.Connection) -> int:
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        return version_of(connection)
    except sqlite3.Error:
        connection.close()
        raise
