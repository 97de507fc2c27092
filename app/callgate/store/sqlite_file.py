"""Opening the one SQLite file: whose it is, whether it is whole, and what to tell the person if it is not.

A file of somebody else's is refused and left alone. A damaged file of our own is moved aside, never deleted, and a new
one is begun. Nothing here knows what the tables hold.
"""

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.store.migrations import LATEST, migrate, version_of
from callgate.store.private_files import create_file, make_folder

APPLICATION_ID = 0x43474154
"""`CGAT` in the file's header says that a database is Callgate's."""

BUSY_SECONDS = 5.0
"""How long to wait for another program that writes the same file (an export, a second window)."""

CHECK_SECONDS = 0.5
"""A check that takes longer (hundreds of megabytes) is broken off: the window must not wait for it."""

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_APPLICATION_ID_AT = 68
_STEPS_BETWEEN_LOOKS = 10_000
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_ELSEWHERE = "Choose another data folder with --data DIR."


@dataclass(frozen=True, slots=True)
class OpenedFile:
    connection: sqlite3.Connection
    """In autocommit mode, migrated, and free to be used by one other thread."""
    moved_aside: Path | None = None
    """Where the damaged file that stood in its place is now."""


class _DamageError(Exception):
    """The file is ours and cannot be used."""


def open_file(path: Path) -> OpenedFile:
    """Raises `UserFault` where the file cannot or must not be used."""
    try:
        make_folder(path.parent)
        header = _header(path)
    except OSError as error:
        raise UserFault(f"Callgate cannot use {path}: {error.strerror or error}. {_ELSEWHERE}") from error
    _refuse_foreign(path, header)
    try:
        return OpenedFile(_open(path))
    except _DamageError:
        aside = _move_aside(path)
    try:
        return OpenedFile(_open(path), aside)
    except _DamageError as error:
        raise UserFault(f"A new database at {path} is damaged at once: {error}. {_ELSEWHERE}") from error


def _header(path: Path) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def _refuse_foreign(path: Path, header: bytes) -> None:
    # a page of nothing but zeros is what a power cut leaves of a file: that is damage, not somebody else's file
    if not header.strip(b"\x00"):
        return
    if not header.startswith(_MAGIC[: len(header)]):
        raise UserFault(f"{path} is not a Callgate database; it was left as it is. {_ELSEWHERE}")
    owner = int.from_bytes(header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4], "big")
    if owner not in (0, APPLICATION_ID):
        raise UserFault(f"{path} is a database of another program; it was left as it is. {_ELSEWHERE}")


def _open(path: Path) -> sqlite3.Connection:
    connection: sqlite3.Connection | None = None
    try:
        create_file(path)  # SQLite would let others read it; its log takes the mode of the file
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        _prepare(connection, path)
    except OSError as error:
        raise UserFault(f"Callgate cannot use {path}: {error.strerror or error}. {_ELSEWHERE}") from error
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if _primary(error) in _DAMAGE:
            raise _DamageError(str(error)) from error
        raise UserFault(f"Callgate cannot use {path}: {error}. {_ELSEWHERE}") from error
    except (UserFault, _DamageError):
        if connection is not None:
            connection.close()
        raise
    return connection


def _primary(error: sqlite3.Error) -> int:
    """SQLite's main result code; the extended ones carry more in the upper bytes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection)
    if version > LATEST:
        raise UserFault(
            f"{path} was written by a newer Callgate (shape {version}; this program knows up to {LATEST}). "
            f"Update Callgate, or choose another data folder with --data DIR."
        )
    _claim(connection, path)
    _check(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what a person forgets must not linger in free pages
    # a file that may be read but not written opens without complaint: it shows only here
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
    migrate(connection)


def _claim(connection: sqlite3.Connection, path: Path) -> None:
    """Marks a new file as ours, before WAL mode, so that the mark stands in the file itself from the start."""
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    if owner == APPLICATION_ID:
        return
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables:
        raise UserFault(f"{path} is a database of another program; it was left as it is. {_ELSEWHERE}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _check(connection: sqlite3.Connection) -> None:
    until = time.monotonic() + CHECK_SECONDS
    connection.set_progress_handler(lambda: int(time.monotonic() > until), _STEPS_BETWEEN_LOOKS)
    try:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if _primary(error) == sqlite3.SQLITE_INTERRUPT:
            return
        raise
    finally:
        connection.set_progress_handler(None, 0)
    if said != "ok":
        raise _DamageError(said)


def _move_aside(path: Path) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    try:
        # the log belongs to the file: with it beside the moved one, as much as possible can still be rescued
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise UserFault(f"{path} is damaged and cannot be moved aside: {error.strerror or error}") from error
    return aside
