"""Staying inside the workspace: every path a tool is given goes through here, links followed and checked.

`resolve` judges a path at one moment. What writes uses `hold` as well: it keeps the folder open, so that a link put in
place of a folder between the check and the write leads nowhere.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_BY_DESCRIPTOR = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""False on Windows: there the folder is checked again by its path."""


class OutsideWorkspace(Exception):
    """A path that leads, or could lead, out of the workspace."""


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
        # one that holds the whole workspace would leave nothing of it: it is the person who put it there
        self._closed = tuple(real for real in (path.resolve() for path in closed) if self.root in real.parents)

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

    def _open_steps(self, folder: Path) -> int:
        """Walks down from the root without following a single link."""
        descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
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
