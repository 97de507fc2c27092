"""One file of a held folder: read whole, replaced whole or not at all."""

import errno
import hashlib
import os
import secrets
import stat
from dataclasses import dataclass, replace

from callgate.core.calls.binding import Outdated
from callgate.tools.builtin.source import ChangedMeanwhile, ToolProblem
from callgate.tools.confinement import HeldFolder, OutsideWorkspace

_WRITE_BITS = 0o222
"""A file that has none of them is meant to stay as it is, also for an administrator."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as it was when it was read."""

    data: bytes
    mode: int
    owner: tuple[int, int]
    version: tuple[int, int, int]
    """Inode, size and time of the last change: differs once somebody else has written."""


def state_of(shown: str, data: bytes | None, about: str = "") -> str:
    """Digest of a file as a preview shows it: which one it is (links resolved), and what it holds; None = nothing."""
    held = "absent" if data is None else hashlib.sha256(data).hexdigest()
    return hashlib.sha256("\0".join((shown, held, about)).encode("utf-8", "surrogateescape")).hexdigest()


def read_previewed(folder: HeldFolder, name: str, shown: str, most: int, previewed: str) -> OpenFile | None:
    """As `read_held`; raises `Outdated` for a file that is not as it was previewed (empty = it was not)."""
    try:
        file = read_held(folder, name, shown, most)
    except (ToolProblem, OutsideWorkspace) as problem:
        if previewed:
            raise Outdated(shown) from problem
        raise
    if previewed and state_of(shown, None if file is None else file.data) != previewed:
        raise Outdated(shown)
    return file


def read_held(folder: HeldFolder, name: str, shown: str, most: int) -> OpenFile | None:
    """The file under a name, None if there is nothing; raises `ToolProblem` for what is no plain file or too large."""
    status = folder.status(name)
    if status is None:
        return None
    _check_plain(status, shown)
    try:
        descriptor = folder.open(name, os.O_RDONLY)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise OutsideWorkspace(f"{shown!r} has become a link") from problem
        raise
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        _check_plain(status, shown)
        if status.st_size > most:
            raise ToolProblem(f"{shown} is too large ({status.st_size:,} bytes; the limit is {most:,})")
        data = stream.read(most + 1)
    return OpenFile(data, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid), _version(status))


def write_held(folder: HeldFolder, name: str, data: bytes, before: OpenFile | None, shown: str) -> None:
    """Puts a file in place at once, keeping the mode and owner of the one before it.

    The content goes to a new file first: a full disk or a crash leaves the old one whole, and a hard link to a file
    elsewhere is not written through.
    """
    if before is not None:
        check_writable(before, shown)
    temporary = f".callgate-{secrets.token_hex(8)}.tmp"
    descriptor = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if before is not None and os.name == "posix":
                if os.geteuid() == 0:
                    os.fchown(stream.fileno(), *before.owner)
                os.fchmod(stream.fileno(), before.mode)
            os.fsync(stream.fileno())
        check_unchanged(folder, name, before, shown)
        folder.replace(temporary, name)
    except BaseException:
        folder.remove(temporary)
        raise
    folder.flush()


def create_held(folder: HeldFolder, name: str, data: bytes, shown: str, mode: int | None = None) -> None:
    """Puts a new file in place; raises `ToolProblem` if the name is taken, also by somebody faster."""
    try:
        os.close(folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError as taken:
        raise ChangedMeanwhile(f"{shown} exists already; nothing was changed", shown) from taken
    empty = read_held(folder, name, shown, 0)
    try:
        write_held(folder, name, data, replace(empty, mode=mode) if empty and mode is not None else empty, shown)
    except BaseException:
        status = folder.status(name)
        if status is not None and empty is not None and _version(status) == empty.version:
            folder.remove(name)  # still the empty one of ours; anything else is somebody's work
        raise


def check_writable(file: OpenFile, shown: str) -> None:
    if not file.mode & _WRITE_BITS:
        raise ToolProblem(f"{shown} is read-only; nothing was changed")


def check_unchanged(folder: HeldFolder, name: str, before: OpenFile | None, shown: str) -> None:
    """Raises `ToolProblem` if somebody else has changed the file since it was read."""
    status = folder.status(name)
    if (None if status is None else _version(status)) != (None if before is None else before.version):
        raise ChangedMeanwhile(
            f"{shown} was changed by another program meanwhile; read it again. Nothing was changed", shown
        )


def _check_plain(status: os.stat_result, shown: str) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OutsideWorkspace(f"{shown!r} has become a link")
    if stat.S_ISDIR(status.st_mode):
        raise ToolProblem(f"{shown} is a directory, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise ToolProblem(f"{shown} is not a plain file")


def _version(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns
