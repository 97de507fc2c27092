"""One SQLite file and the one thread that touches it.

Work is queued as callables and done strictly in order. Whatever is waiting when the thread looks is done in one
transaction, committed at once: a burst of a thousand events costs one commit, a lone write waits for nobody. A
callable's future is answered only after that commit, so an answer is a promise that the data will be found again.
The database knows nothing of what is stored in it.

When the file cannot be written (disk full, I/O error, read-only, removed) the database is failing: posted work is
handed back through its `lost`, `commit` raises, and reads go on. The thread tries again with growing pauses;
`Survivor` then gets to store what it kept, before anything new.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from callgate.core.errors import CallgateError, NotRecorded
from callgate.store.file_identity import FileIdentity
from callgate.store.reading import Reader
from callgate.store.sqlite_file import open_file, primary_code
from callgate.store.tables.migrations import LATEST

log = logging.getLogger(__name__)
T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]
ErrorListener = Callable[[Exception], None]

CLOSE_SECONDS = 3.0
"""How long one of the last writes may take at shutdown: a search of many megabytes for secrets takes over a second."""

BATCH = 1000
"""Jobs in one transaction: enough for any burst, few enough that nobody waits long for the commit."""


RETRY_SECONDS = 0.25
MOST_RETRY_SECONDS = 5.0
"""Pauses between tries to write again: each is twice as long as the one before, up to this."""

_STORAGE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""Failures of the file, not of the work that met them: whatever comes next would meet them too."""


class DatabaseClosedError(CallgateError):
    """Work came after the end, or its end came first."""


class TransactionLostError(Exception):
    """SQLite undid the whole transaction (disk full, I/O error): nothing of the batch is stored."""


@dataclass(slots=True, eq=False)
class _Job:
    work: Work[Any]
    future: Future[Any] | None
    """None: nothing waits for it; a failure goes to `lost`, else to the error listener."""
    lost: ErrorListener | None = None


@dataclass(slots=True, eq=False)
class _Done:
    job: _Job
    value: Any = None
    error: Exception | None = None


class Survivor(Protocol):
    """Keeps posted work while the database is failing. Called on the writer thread."""

    def failed(self, error: Exception) -> None:
        """The database is failing from now on."""

    def store(self, connection: sqlite3.Connection) -> None:
        """Writes what was kept; it is committed only if `recovered` follows."""

    def recovered(self) -> None:
        """What `store` wrote is committed; the database works again."""


def _log_error(error: Exception) -> None:
    log.error("a write was lost: %s", error, exc_info=error)


class Database:
    """`on_error` hears of writes that nobody waits for; it is called on the writer thread.

    `moved_aside` is where a damaged file was put, if one stood at `path`: the person must be told.
    """

    def __init__(self, path: Path, on_error: ErrorListener = _log_error) -> None:
        opened = open_file(path)
        self.path = path
        self.moved_aside, self.damage = opened.moved_aside, opened.damage
        self._connection = opened.connection
        self._on_error = on_error
        self._identity = FileIdentity.of(path)
        self._survivor: Survivor | None = None
        self.failing: Exception | None = None
        """Why nothing can be written now; None = it can."""
        self._retry_at = 0.0
        self._pause = RETRY_SECONDS
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._holders: list[Callable[[], None]] = []
        self._endings: list[Work[object]] = []
        self._reader: Reader | None = None
        """Opened when something is first looked for."""
        self._closed = False
        self._door = threading.Lock()
        self.steps = 0
        """How many jobs were done, or tried: while it grows, the file is slow and not stuck."""
        # a daemon: a disk that hangs must not keep the program from ending
        self._thread = threading.Thread(target=self._write, name="callgate-database", daemon=True)
        self._thread.start()

    def post(self, work: Work[object], lost: ErrorListener | None = None) -> None:
        """Queues work that nothing waits for; `lost` is called, on the writer thread, if it was not stored."""
        self._enqueue(_Job(work, None, lost))

    def survive_with(self, survivor: Survivor) -> None:
        self._survivor = survivor

    def commit(self) -> "Future[None]":
        """Is answered when everything queued so far is committed; raises why it is not."""
        return self.submit(self._refuse_if_failing)

    def before_waiting(self, flush: Callable[[], None]) -> None:
        """Whoever holds work back is told before somebody waits, and at the end: then it must be queued."""
        self._holders.append(flush)

    def at_end(self, work: Work[object]) -> None:
        """Work that is done last, before the file is closed."""
        self._endings.append(work)

    def submit(self, work: Work[T]) -> "Future[T]":
        """Queues work; the future is answered when it is committed, with `NotRecorded` where the file failed it."""
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
        """Does what is queued and closes the file. False: nothing was done for so long, and pending writes are lost."""
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
        steps = -1
        while self._thread.is_alive() and steps != self.steps:
            steps = self.steps
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
                if self.failing is not None and (ended or time.monotonic() >= self._retry_at):
                    self._try_again()
                if batch:
                    wanted = _wanted(batch)
                    self._deliver(self._commit(wanted) if self.failing is None else self._one_by_one(wanted))
                if ended and self.failing is not None:
                    self._try_again()
        finally:
            self._refuse_the_rest()
            self._connection.close()

    def _gather(self) -> tuple[list[_Job], bool]:
        """Everything that waits now, at least one job unless it is time to try again; True with the last of them."""
        batch: list[_Job] = []
        try:
            pause = None if self.failing is None else max(0.0, self._retry_at - time.monotonic())
            job = self._queue.get(timeout=pause)
        except Empty:
            return batch, False
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH:
                return batch, False
            try:
                job = self._queue.get_nowait()
            except Empty:
                return batch, False
        return batch, True

    def _commit(self, wanted: list[_Job]) -> list[_Done]:
        try:
            self._identity.check()
            self._connection.execute("BEGIN IMMEDIATE")
            done = [self._attempt(job) for job in wanted]
            self._connection.execute("COMMIT")
        except (sqlite3.Error, OSError, TransactionLostError) as error:
            cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
            self._roll_back()
            self._fail(cause)
            return self._one_by_one(wanted)
        return done

    def _fail(self, cause: Exception) -> None:
        self.failing = cause
        self._pause = RETRY_SECONDS
        self._retry_at = time.monotonic() + self._pause
        if self._survivor is not None:
            self._survivor.failed(cause)

    def _one_by_one(self, wanted: list[_Job]) -> list[_Done]:
        """While failing: what is posted is lost, everything else is tried by itself, as most of it only reads."""
        done: list[_Done] = []
        for job in wanted:
            if job.future is None:
                done.append(_Done(job, error=self.failing))
                continue
            try:
                self._connection.execute("BEGIN")
                one = self._attempt(job)
                self._connection.execute("COMMIT")
            except (sqlite3.Error, TransactionLostError) as error:
                self._roll_back()
                one = _Done(job, error=_not_recorded(error.__cause__ or error))
            done.append(one)
        return done

    def _try_again(self) -> None:
        try:
            if not self._identity.holds:
                self._reopen()
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"PRAGMA user_version = {LATEST}")  # a write, also where nothing was kept
            if self._survivor is not None:
                self._survivor.store(self._connection)
            self._connection.execute("COMMIT")
        except (sqlite3.Error, OSError, CallgateError, TransactionLostError) as error:
            self._roll_back()
            self.failing = error.__cause__ if isinstance(error.__cause__, Exception) else error
            self._pause = min(2 * self._pause, MOST_RETRY_SECONDS)
            self._retry_at = time.monotonic() + self._pause
            return
        self.failing = None
        if self._survivor is not None:
            self._survivor.recovered()

    def _reopen(self) -> None:
        """The file was removed: what is still open under its name is put back there, and opened anew."""
        with self._door:
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
        self._connection = self._identity.restore(self._connection)
        self._identity = FileIdentity.of(self.path)

    def _refuse_if_failing(self, connection: sqlite3.Connection) -> None:
        if self.failing is not None:
            raise _not_recorded(self.failing)

    def _attempt(self, job: _Job) -> _Done:
        value, error = attempted(self._connection, job.work)
        self.steps += 1
        return _Done(job, value, error)

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:  # those who wait must still hear of the first failure
            log.exception("%s: a failed transaction could not be undone", self.path)

    def _deliver(self, batch: list[_Done]) -> None:
        reported: set[int] = set()
        for done in batch:
            if done.job.lost is not None:
                if done.error is not None:
                    done.job.lost(done.error)
            elif done.job.future is None:
                # a batch that fails as a whole has one cause, which is said once
                if done.error is not None and id(done.error) not in reported:
                    reported.add(id(done.error))
                    self.report(done.error)
            elif done.error is not None:
                done.job.future.set_exception(done.error)
            else:
                done.job.future.set_result(done.value)

    def report(self, error: Exception) -> None:
        """Tells the listener of an error that nothing waits for."""
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


def attempted(connection: sqlite3.Connection, work: Work[T]) -> tuple[T | None, Exception | None]:
    """Does work in a savepoint, so that its failure is its own; a failure of the file is that of the transaction."""
    connection.execute("SAVEPOINT work")
    value, failure = None, None
    try:
        value = work(connection)
    except Exception as error:  # work of any kind may fail in any way: its owner hears, the thread lives
        of_file = isinstance(error, sqlite3.Error) and primary_code(error) in _STORAGE
        if of_file or not connection.in_transaction:
            raise TransactionLostError from error
        connection.execute("ROLLBACK TO work")
        failure = error
    connection.execute("RELEASE work")
    return value, failure


def _not_recorded(cause: BaseException) -> NotRecorded:
    found = NotRecorded(str(cause) or type(cause).__name__)
    found.__cause__ = cause
    return found


def _wanted(batch: list[_Job]) -> list[_Job]:
    """Without those whose answer is not wanted any more."""
    return [job for job in batch if job.future is None or job.future.set_running_or_notify_cancel()]
