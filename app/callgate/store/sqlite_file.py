"""Opening the one SQLite file: whether it is ours and whole, and what to tell the person if it is not.

Whatever stands in its place and cannot be used (damaged, empty, no database, another program's, a folder) is moved
aside together with its log, never deleted, and a new file is begun. A file that is in use, may not be read, or was
written by a newer Callgate is refused instead. Nothing here knows what the tables hold.
"""

import errno
import sqlite3
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.store.private_files import create_file, make_folder
from callgate.store.tables.migrations import LATEST, migrate, version_of

APPLICATION_ID = 0x43474154
"""`CGAT` in the file's header says that a database is Callgate's."""

BUSY_SECONDS = 5.0
"""How long to wait for another program that writes the same file (an export, a second window)."""

CHECK_SECONDS = 0.5
"""A check that takes longer (hundreds of megabytes) is broken off: the window must not wait for it."""

_MAGIC = b"SQLite format 3\x00"
_SUFFIXES = ("-wal", "-shm", "-journal", "")
_STEPS_BETWEEN_LOOKS = 10_000
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REFUSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_ELSEWHERE = "Choose another data folder with --data DIR."
_PERMISSIONS = "Make the file and its folder readable and writable for you (chmod u+rwX), or use --data DIR."


@dataclass(frozen=True, slots=True)
class OpenedFile:
    connection: sqlite3.Connection
    """In autocommit mode, migrated, and free to be used by one other thread."""
    moved_aside: Path | None = None
    """Where that is now which stood in its place and could not be used."""
    damage: str = ""
    """What was wrong with it."""


class _DamageError(Exception):
    """What stands there cannot be used; it says why."""

    def __init__(self, why: str, connection: sqlite3.Connection | None = None) -> None:
        super().__init__(why)
        self.connection = connection
        """Still open: closing it would delete the log before that could be moved aside."""


def open_file(path: Path) -> OpenedFile:
    """Raises `UserFault` where the file cannot or must not be used."""
    try:
        make_folder(path.parent)
        _refuse_unusable(path)
        return OpenedFile(_open(path))
    except OSError as error:
        raise UserFault(f"Callgate cannot use {path}: {error.strerror or error}. {_advice(error)}") from error
    except _DamageError as error:
        damage, aside = str(error), _moved_aside(path, error)
    try:
        return OpenedFile(_open(path), aside, damage)
    except _DamageError as error:
        raise UserFault(f"A new database at {path} is damaged at once: {error}. {_ELSEWHERE}") from error


def _refuse_unusable(path: Path) -> None:
    if path.is_dir():
        raise _DamageError("a folder stands in its place")
    if not path.exists():
        if path.is_symlink():
            raise _DamageError("it is a link that leads nowhere")
        # a log without its file: SQLite would delete it
        if path.with_name(path.name + "-wal").exists():
            raise _DamageError("the file is gone, only its log is left")
        return
    with path.open("rb") as file:
        beginning = file.read(len(_MAGIC))
    if not beginning:
        raise _DamageError("the file is empty")
    if beginning != _MAGIC:
        raise _DamageError("it is not a database")


def _advice(error: OSError) -> str:
    return _PERMISSIONS if error.errno in (errno.EACCES, errno.EPERM) else _ELSEWHERE


def _open(path: Path) -> sqlite3.Connection:
    connection: sqlite3.Connection | None = None
    try:
        create_file(path)  # SQLite would let others read it; its log takes the mode of the file
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        _prepare(connection, path)
    except OSError as error:
        raise UserFault(f"Callgate cannot use {path}: {error.strerror or error}. {_ELSEWHERE}") from error
    except sqlite3.Error as error:
        if primary_code(error) in _DAMAGE:
            raise _DamageError(str(error), connection) from error
        if connection is not None:
            connection.close()
        advice = _PERMISSIONS if primary_code(error) in _REFUSED else _ELSEWHERE
        raise UserFault(f"Callgate cannot use {path}: {error}. {advice}") from error
    except _DamageError as error:
        raise _DamageError(str(error), connection) from error
    except UserFault:
        if connection is not None:
            connection.close()
        raise
    return connection


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's main result code; the extended ones carry more in the upper bytes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection)
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    if version > LATEST and owner == APPLICATION_ID:
        raise UserFault(
            f"{path} was written by a newer Callgate (shape {version}; this program knows up to {LATEST}). "
            f"Update Callgate, or choose another data folder with --data DIR."
        )
    _claim(connection)
    _check(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what a person forgets must not linger in free pages
    # a file that may be read but not written opens without complaint: it shows only here
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
    migrate(connection)


def _claim(connection: sqlite3.Connection) -> None:
    """Marks a new file as ours, before WAL mode, so that the mark stands in the file itself from the start."""
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    if owner == APPLICATION_ID:
        return
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner or tables:
        raise _DamageError("it is a database of another program")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _check(connection: sqlite3.Connection) -> None:
    until = time.monotonic() + CHECK_SECONDS
    connection.set_progress_handler(lambda: int(time.monotonic() > until), _STEPS_BETWEEN_LOOKS)
    try:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            return
        raise
    finally:
        connection.set_progress_handler(None, 0)
    if said != "ok":
        raise _DamageError(said)


def _moved_aside(path: Path, damage: _DamageError) -> Path:
    if damage.connection is not None and sys.platform == "win32":
        damage.connection.close()  # what is open cannot be renamed there
    aside = _move_aside(path)
    if damage.connection is not None:
        damage.connection.close()
    return aside


def _move_aside(path: Path) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while any(aside.with_name(aside.name + suffix).exists() for suffix in _SUFFIXES):
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    try:
        # the log belongs to the file: with it beside the moved one, as much as possible can still be rescued
        for suffix in _SUFFIXES:
            part = path.with_name(path.name + suffix)
            if part.exists() or part.is_symlink():
                part.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise UserFault(f"{path} is damaged and cannot be moved aside: {error.strerror or error}") from error
    return aside
