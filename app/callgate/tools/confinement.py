"""Staying inside the workspace: every path a tool is given goes through here, links followed and checked.

`resolve` judges a path at one moment. What reads or writes uses `hold`, `open_file` or `list_folder` as well: they walk
down from the root without following a link, so that one put in place of a folder after the check leads nowhere.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_BY_DESCRIPTOR = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""False on Windows: there the folder is checked again by its path."""


class OutsideWorkspace(Exception):
    """A path that leads, or could lead, out of the workspace."""


class NotPlain(OSError):
    """A pipe, socket or device: opening it could block or do something."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder, as it was when the folder was listed."""

    name: str
    is_folder: bool
    """Of the entry itself: False for a link to a folder."""
    is_file: bool
    is_link: bool


@dataclass(frozen=True, slots=True)
class HeldFolder:
    """An open folder of the workspace; names are looked up in it, whatever its path may name by now."""

    path: Path
    descriptor: int | None

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Opens a file of the folder itself, never through a link, and without waiting for the other end of a pipe."""
        safe = flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        return os.open(self._at(name), safe, mode, dir_fd=self.descriptor)

    def status(self, name: str) -> os.stat_result | None:
        """What stands under a name, links not followed; None = nothing."""
        try:
            if self.descriptor is None:
                return os.lstat(self._at(name))
            return os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def entries(self) -> list[Entry]:
        """What the folder holds, links not followed, sorted by name."""
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as found:
            listed = [
                Entry(
                    entry.name,
                    entry.is_dir(follow_symlinks=False),
                    entry.is_file(follow_symlinks=False),
                    entry.is_symlink(),
                )
                for entry in found
            ]
        return sorted(listed, key=lambda entry: entry.name)

    @contextmanager
    def open_plain(self, name: str) -> Iterator[BinaryIO]:
        """A plain file of the folder itself, open for reading.

        Raises `OutsideWorkspace` for a link, `NotPlain` for what is no file, `FileNotFoundError` for nothing.
        """
        path = str(self.path / name)
        status = self.status(name)
        if status is not None:
            _check_plain(status, path)
        try:
            descriptor = self.open(name, os.O_RDONLY)
        except OSError as problem:
            if problem.errno == errno.ELOOP:
                raise OutsideWorkspace(f"{name!r} has become a link") from problem
            raise
        with os.fdopen(descriptor, "rb") as stream:
            _check_plain(os.fstat(stream.fileno()), path)  # whatever was put there after the first look
            yield stream

    def replace(self, name: str, target: str, into: "HeldFolder | None" = None) -> None:
        folder = into or self
        os.replace(self._at(name), folder._at(target), src_dir_fd=self.descriptor, dst_dir_fd=folder.descriptor)

    def remove(self, name: str) -> None:
        os.unlink(self._at(name), dir_fd=self.descriptor)

    def make_folder(self, name: str) -> None:
        os.mkdir(self._at(name), dir_fd=self.descriptor)

    def remove_folder(self, name: str) -> None:
        os.rmdir(self._at(name), dir_fd=self.descriptor)

    def flush(self) -> None:
        """Makes a rename in the folder survive a power cut, where folders can be flushed."""
        if self.descriptor is not None:
            os.fsync(self.descriptor)

    def _at(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)


class Confinement:
    def __init__(self, root: Path, closed: Iterable[Path] = ()) -> None:
        """`closed` = files and folders that are off limits even where they lie in the workspace: a home directory may
        well be one, and a tool that could write Callgate's own rules could approve itself."""
        self.root = root.resolve()
        self.closed = tuple(closed)
        # one that holds the whole workspace would leave nothing of it: it is the person who put it there
        self._closed = tuple(real for real in (path.resolve() for path in self.closed) if self.root in real.parents)

    def resolve(self, path: str) -> Path:
        """The real place a path names, which may not exist yet; raises `OutsideWorkspace`.

        Absolute paths are taken as they are, `~` is not expanded: a model that writes it means a file of that name.
        """
        if "\x00" in path:
            raise OutsideWorkspace("a path cannot contain a NUL character")
        candidate = self.root / path
        real = Path(os.path.realpath(candidate))
        if not self.holds(real):
            raise OutsideWorkspace(f"{path!r} is outside the workspace")
        return real

    def holds(self, real: Path) -> bool:
        """Whether a path without links is the workspace or lies in it, and is not closed off."""
        inside = real == self.root or self.root in real.parents
        return inside and not any(real == closed or closed in real.parents for closed in self._closed)

    def shown(self, path: Path) -> str:
        """How a path is shown: relative to the workspace, with `/`."""
        relative = path.relative_to(self.root).as_posix()
        return relative or "."

    @contextmanager
    def hold(self, folder: Path) -> Iterator[HeldFolder]:
        """Keeps a resolved folder open while something is written in it.

        Raises `OutsideWorkspace` if a step of the path has become a link, `FileNotFoundError` if one is missing.
        """
        if not self.holds(folder):
            raise OutsideWorkspace(f"{str(folder)!r} is outside the workspace")
        if not _BY_DESCRIPTOR:
            if Path(os.path.realpath(folder)) != folder:
                raise OutsideWorkspace(f"{self.shown(folder)!r} has become a link")
            yield HeldFolder(folder, None)
            return
        descriptor = self._open_steps(folder)
        try:
            yield HeldFolder(folder, descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def open_file(self, path: Path) -> Iterator[BinaryIO]:
        """A resolved plain file, open for reading: what it holds is of the workspace, whatever its path names by now.

        Raises as `hold` does, `IsADirectoryError` for a folder and `NotPlain` for a pipe, socket or device.
        """
        if not self.holds(path):
            raise OutsideWorkspace(f"{str(path)!r} is outside the workspace")
        if path == self.root:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        with self.hold(path.parent) as folder, folder.open_plain(path.name) as stream:
            if not _BY_DESCRIPTOR and Path(os.path.realpath(path)) != path:
                raise OutsideWorkspace(f"{self.shown(path)!r} has become a link")
            yield stream

    def read_bytes(self, path: Path, most: int) -> bytes:
        """The beginning of a resolved plain file."""
        with self.open_file(path) as stream:
            return stream.read(most)

    def list_folder(self, folder: Path) -> list[Entry]:
        """What a resolved folder holds; raises as `hold` does."""
        with self.hold(folder) as held:
            return held.entries()

    def _open_steps(self, folder: Path) -> int:
        """Walks down from the root without following a single link."""
        descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        for step in folder.relative_to(self.root).parts:
            try:
                below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=descriptor)
            except OSError as problem:
                if self._is_link(step, descriptor):
                    raise OutsideWorkspace(f"{self.shown(folder)!r} has become a link") from problem
                raise
            finally:
                os.close(descriptor)
            descriptor = below
        return descriptor

    @staticmethod
    def _is_link(step: str, descriptor: int) -> bool:
        try:
            return stat.S_ISLNK(os.stat(step, dir_fd=descriptor, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return False


def _check_plain(status: os.stat_result, path: str) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OutsideWorkspace(f"{path!r} has become a link")
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        raise NotPlain(errno.EINVAL, "not a plain file", path)
