"""One program a data folder: a lock that is held for life, and ends with the process however that ends.

Two programs on one journal would each take the other's running calls for remains of a crash. The lock is the
operating system's own, on an open file that children do not inherit; what stands in the file is for words only.
"""

import contextlib
import errno
import os
import sys
import weakref
from pathlib import Path
from typing import Final

from callgate.core.errors import UserFault

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME: Final = "callgate.lock"
_LENGTH: Final = 64
"""Always written whole and in place, so that it needs no space where a disk is full."""
_LOCKED_BYTE: Final = 1 << 20
"""Windows keeps others from reading what is locked, so that is far behind the words."""
_TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FolderInUse(UserFault):
    """Another Callgate works on the data folder."""

    def __init__(self, folder: Path, pid: int) -> None:
        who = f" (process {pid})" if pid else ""
        super().__init__(f"Callgate is already running on {folder}{who}. Stop it, or use --data DIR for another one.")
        self.folder, self.pid = folder, pid


class FolderLock:
    def __init__(self, folder: Path) -> None:
        """Takes the lock; raises `FolderInUse`, or `UserFault` where nothing can be locked."""
        self._path = folder / NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._taken(folder)
        except OSError as error:
            raise UserFault(f"Callgate cannot lock {self._path}: {error.strerror or error}.") from error
        self._release = weakref.finalize(self, os.close, self._file)
        _, self.left_failing = _words(self._file)
        """Since when the journal could not be written when the last program ended; None = it could."""
        self._write(self.left_failing)

    def note_failing(self, since: float | None) -> None:
        """Leaves word for the next start, should the program end before the journal can be written again."""
        with contextlib.suppress(OSError):  # the disk is broken already; that is what is being told
            self._write(since)

    def release(self) -> None:
        self._release()

    def _taken(self, folder: Path) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                _lock(file)
            except OSError as error:
                pid, _ = _words(file)
                os.close(file)
                if error.errno in _TAKEN:
                    raise FolderInUse(folder, pid) from error
                raise
            if _stands_at(file, self._path):
                return file
            os.close(file)  # it was removed between opening and locking

    def _write(self, failing_since: float | None) -> None:
        words = f"{os.getpid()} {'' if failing_since is None else failing_since}"
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, words.ljust(_LENGTH - 1).encode("ascii") + b"\n")


def _lock(file: int) -> None:
    if sys.platform == "win32":
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        # not `lockf`: that is lost as soon as the process closes the file anywhere
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _stands_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _words(file: int) -> tuple[int, float | None]:
    """The process that wrote it, and since when its journal could not be written."""
    os.lseek(file, 0, os.SEEK_SET)
    words = os.read(file, _LENGTH).decode("ascii", "replace").split()
    try:
        return int(words[0]), float(words[1]) if len(words) > 1 else None
    except (ValueError, IndexError):
        return 0, None
