"""Whether the files that are open are still those that stand under their names.

A removed file goes on taking writes as if nothing had happened, and all of them vanish when the program ends.
"""

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from callgate.store.sqlite_file import open_file

_LOG = "-wal"


class FileGoneError(OSError):
    """The database stands no longer under its name."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Device and inode of a database and its log, as they were when they were opened."""

    path: Path
    main: tuple[int, int] | None
    log: tuple[int, int] | None

    @classmethod
    def of(cls, path: Path) -> "FileIdentity":
        return cls(path, _inode(path), _inode(_log_of(path)))

    @property
    def holds(self) -> bool:
        return _inode(self.path) == self.main and (self.log is None or _inode(_log_of(self.path)) == self.log)

    def check(self) -> None:
        """Raises `FileGoneError` where something else, or nothing, stands there now."""
        if self.holds:
            return
        now = _inode(self.path)
        if now is not None and now != self.main:
            raise FileGoneError(f"{self.path} was replaced by another file")
        raise FileGoneError(f"{self.path if now is None else _log_of(self.path)} was removed")

    def restore(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """Puts a removed database back in its place, from what is still open, and opens it; the old one is closed.

        Raises `OSError` or `sqlite3.Error` where that cannot be done; a file that has taken its place is left alone.
        """
        now = _inode(self.path)
        if now is None:
            self._copy_back(connection)
        elif now == self.main:
            # only the log was removed: what it held goes into the file before that is opened anew
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise FileGoneError(f"{_log_of(self.path)} was removed while another program reads the journal")
            connection.close()
        else:
            raise FileGoneError(f"{self.path} was replaced by another file; start Callgate anew to use that one")
        return open_file(self.path).connection

    def _copy_back(self, connection: sqlite3.Connection) -> None:
        copy = self.path.with_name(f"{self.path.name}.restored-{time.time_ns()}")
        connection.execute("VACUUM INTO ?", (str(copy),))
        copy.chmod(0o600)
        connection.close()
        # logs of the file that was removed would be read into the copy; all that they held is in it already
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        copy.rename(self.path)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + _LOG)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
