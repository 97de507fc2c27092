"""One SQLite file and the one thread that touches it.

Work is queued as callables and done strictly in order. Whatever is waiting when the thread looks is done in one
transaction, committed at once: a burst of a thousand events costs one commit, a lone write waits for nobody. A
callable's future is answered only after that commit, so an answer is a promise that the data will be found again.
The database knows nothing of what is stored in it.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from callgate.core.errors import CallgateError
from callgate.store.reading import Reader
from callgate.store.sqlite_file import open_file

log = logging.getLogger(__name__)
T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]
ErrorListener = Callable[[Exception], None]

CLOSE_SECONDS = 1.0
"""How long the last writes may take at shutdown; the whole program must be gone in two seconds."""

BATCH = 1000
"""Jobs in one transaction: enough for any burst, few enough that nobody waits long for the commit."""


class DatabaseClosedError(CallgateError):
    """Work came after the end, or its end came first."""


class _TransactionLostError(Exception):
    """SQLite undid the whole transaction (disk full, I/O error): nothing of the batch is stored."""


@dataclass(slots=True, eq=False)
class _Job:
    work: Work[Any]
    future: Future[Any] | None
    """None: nobody waits; a failure goes to the error listener."""


@dataclass(slots=True, eq=False)
class _Done:
    job: _Job
    value: Any = None
    error: Exception | None = None


def _log_error(error: Exception) -> None:
    log.error("a write was lost: %s", error, exc_info=error)


class Database:
    """`on_error` hears of writes that nobody waits for; it is called on the writer thread.

    `moved_aside` is where a damaged file was put, if one stood at `path`: the person must be told.
    """

    def __init__(self, path: Path, on_error: ErrorListener = _log_error) -> None:
        opened = open_file(path)
        self.path = path
        self.moved_aside = opened.moved_aside
        self._connection = opened.connection
        self._on_error = on_error
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._holders: list[Callable[[], None]] = []
        self._endings: list[Work[object]] = []
        self._reader: Reader | None = None
        """Opened when something is first looked for."""
        self._closed = False
        self._door = threading.Lock()
        # a daemon: a disk that hangs must not keep the program from ending
        self._thread = threading.Thread(target=self._write, name="callgate-database", daemon=True)
        self._thread.start()

    def post(self, work: Work[object]) -> None:
        """Queues work that nobody waits for."""
        self._enqueue(_Job(work, None))

    def before_waiting(self, flush: Callable[[], None]) -> None:
        """Whoever holds work back is told before somebody waits, and at the end: then it must be queued."""
        self._holders.append(flush)

    def at_end(self, work: Work[object]) -> None:
        """Work that is done last, before the file is closed."""
        self._endings.append(work)

    def submit(self, work: Work[T]) -> "Future[T]":
        """Queues work; the future is answered when it is committed."""
        for flush in self._holders:
            flush()
        future: Future[T] = Future()
        self._enqueue(_Job(work, future))
        return future

    async def run(self, work: Work[T]) -> T:
        """The same for coroutines, on whatever loop is running."""
        return await asyncio.wrap_future(self.submit(work))

    async def look(self, work: Work[T]) -> T:
        """Work that only reads, and may take its time: it keeps no write waiting, and sees what is committed."""
        with self._door:
            if self._closed:
                raise DatabaseClosedError(f"{self.path} is closed")
            if self._reader is None:
                self._reader = Reader(self.path)
            looking = self._reader.submit(work)
        return await asyncio.wrap_future(looking)

    @property
    def backlog(self) -> int:
        """About how much is queued and not yet done."""
        return self._queue.qsize()

    def close(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Does what is queued and closes the file. False: it took too long, and the rest is left to its fate."""
        if not self._closed:
            for flush in self._holders:
                flush()
            for work in self._endings:
                self.post(work)
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        if self._reader is not None:
            self._reader.close()
        self._thread.join(seconds)
        if self._thread.is_alive():
            log.error("%s: about %d writes were not done in %s s", self.path, self._queue.qsize(), seconds)
            return False
        return True

    def _enqueue(self, job: _Job) -> None:
        with self._door:
            if self._closed:
                raise DatabaseClosedError(f"{self.path} is closed")
            self._queue.put(job)

    # ---- on the writer thread --------------------------------------------------------------------------------------

    def _write(self) -> None:
        try:
            ended = False
            while not ended:
                batch, ended = self._gather()
                if batch:
                    self._deliver(self._commit(batch))
        finally:
            self._refuse_the_rest()
            self._connection.close()

    def _gather(self) -> tuple[list[_Job], bool]:
        """Everything that waits now, at least one job; True with the last of them."""
        batch: list[_Job] = []
        job = self._queue.get()
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH:
                return batch, False
            try:
                job = self._queue.get_nowait()
            except Empty:
                return batch, False
        return batch, True

    def _commit(self, batch: list[_Job]) -> list[_Done]:
        wanted = [job for job in batch if job.future is None or job.future.set_running_or_notify_cancel()]
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            done = [self._attempt(job) for job in wanted]
            self._connection.execute("COMMIT")
        except (sqlite3.Error, _TransactionLostError) as error:
            cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
            self._roll_back()
            return [_Done(job, error=cause) for job in wanted]
        return done

    def _attempt(self, job: _Job) -> _Done:
        """Does one job in a savepoint, so that its failure is its own."""
        self._connection.execute("SAVEPOINT job")
        try:
            done = _Done(job, job.work(self._connection))
        except Exception as error:  # work of any kind may fail in any way: its owner hears, the thread lives
            if not self._connection.in_transaction:
                raise _TransactionLostError from error
            self._connection.execute("ROLLBACK TO job")
            done = _Done(job, error=error)
        self._connection.execute("RELEASE job")
        return done

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:  # those who wait must still hear of the first failure
            log.exception("%s: a failed transaction could not be undone", self.path)

    def _deliver(self, batch: list[_Done]) -> None:
        reported: set[int] = set()
        for done in batch:
            if done.job.future is None:
                # a batch that fails as a whole has one cause, which is said once
                if done.error is not None and id(done.error) not in reported:
                    reported.add(id(done.error))
                    self._report(done.error)
            elif done.error is not None:
                done.job.future.set_exception(done.error)
            else:
                done.job.future.set_result(done.value)

    def _report(self, error: Exception) -> None:
        try:
            self._on_error(error)
        except Exception:
            log.exception("nobody could be told that a write was lost: %s", error)

    def _refuse_the_rest(self) -> None:
        """Only if the thread itself broke: nobody may wait for ever."""
        with self._door:
            self._closed = True
        while not self._queue.empty():
            job = self._queue.get()
            if job is not None and job.future is not None and job.future.set_running_or_notify_cancel():
                job.future.set_exception(DatabaseClosedError(f"{self.path} was closed before this was done"))
