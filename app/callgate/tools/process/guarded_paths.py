"""The guarded files of a workspace around a command: which there are, which a sandbox protects, which have changed.

`core.rules.guarded_files` says what is guarded. A command that was allowed for another reason, such as `make test`,
must not change what an agent asks or what git runs.
"""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from callgate.core.rules.glob import glob_pattern
from callgate.core.rules.guarded_files import OWN_NAMES, TABLE, GuardedFiles
from callgate.tools.confinement import Confinement, OutsideWorkspace
from callgate.tools.process.bubblewrap import Protected

MOST_FOLDERS: Final = 1_000
"""How many folders of a workspace are looked at, the upper ones first; deeper guarded files are neither protected nor
compared."""
MOST_PROTECTED: Final = 200
MOST_TOLD: Final = 10
_SKIPPED: Final = frozenset(
    {"objects", "refs", "logs", "lfs", "node_modules", "__pycache__", ".venv", "venv", "target"}
)
"""Large folders in which nothing is guarded that a program would find."""
_ANY: Final = "callgate-probe"
"""If any name in a folder is guarded, the folder is."""

State = tuple[int, int, int, int]
"""Inode, size, time of the last change, mode."""


@dataclass(slots=True)
class Found:
    files: dict[str, State] = field(default_factory=dict[str, State])
    """Guarded files by path relative to the workspace."""
    whole: list[str] = field(default_factory=list[str])
    """Guarded files and folders that can be protected as they are."""
    looked_at: set[str] = field(default_factory=set[str])
    is_complete: bool = True

    def knew(self, path: str) -> bool:
        """Whether a file with that path would have been seen."""
        return self.is_complete or path.rpartition("/")[0] in self.looked_at


class GuardedPaths:
    def __init__(self, workspace: Confinement, files: GuardedFiles) -> None:
        self._workspace = workspace
        self._files = files

    def find(self) -> Found:
        found = Found()
        waiting = deque([""])
        while waiting:
            if len(found.looked_at) == MOST_FOLDERS:
                found.is_complete = False
                break
            self._look(waiting.popleft(), found, waiting)
        return found

    def named(self, paths: Iterable[str], folder: Path) -> frozenset[str]:
        """Those of some paths, as a command in a folder would find them, that are guarded files of the workspace."""
        root = self._workspace.root
        places = (Path(os.path.normpath(folder / path)) for path in paths if "\0" not in path)
        inside = (place.relative_to(root).as_posix() for place in places if root in place.parents)
        return frozenset(path for path in inside if self._files.guard_of(path) is not None)

    def protect(self, found: Found, named: frozenset[str]) -> list[Protected]:
        """Opens what is guarded, and the hidden folders above it; not what the approved call itself names."""
        kept = [path for path in found.whole if not _names(named, path)][:MOST_PROTECTED]
        above = sorted({folder for path in kept for folder in _above(path)} - set(kept))
        opened: list[Protected] = []
        try:
            for path in above:
                opened += self._opened(path, writable=True)
            for path in kept:
                opened += self._opened(path, writable=False)
        except BaseException:
            for one in opened:
                os.close(one.descriptor)
            raise
        return opened

    def changes(self, before: Found, protected: frozenset[str], named: frozenset[str]) -> tuple[str, ...]:
        """What was made, changed or removed meanwhile; without what the command could not have changed."""
        after = self.find()
        told: list[str] = []
        for path in sorted({*before.files, *after.files}):
            was, now = before.files.get(path), after.files.get(path)
            if (
                not (before.knew(path) and after.knew(path))
                or was == now
                or _names(named, path)
                or any(path == one or path.startswith(f"{one}/") for one in protected)
            ):
                continue
            done = "created" if was is None else "removed" if now is None else "changed"
            guard = self._files.guard_of(path, replaced=False)
            told.append(f"{path} was {done}{f': {guard.words}' if guard else ''}")
        if len(told) > MOST_TOLD:
            told[MOST_TOLD:] = [f"and {len(told) - MOST_TOLD} more"]
        return tuple(told)

    # ---- steps -----------------------------------------------------------------------------------------------------

    def _look(self, folder: str, found: Found, waiting: deque[str]) -> None:
        found.looked_at.add(folder)
        for entry in self._entries(folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_symlink():
                self._note(entry, path, found, mountable=False)
            elif not entry.is_dir(follow_symlinks=False):
                self._note(entry, path, found, mountable=entry.is_file(follow_symlinks=False))
            elif _is_hidden(path) and self._guards(f"{path}/{_ANY}"):
                found.whole.append(path)
                self._note_all(path, found)
            elif entry.name not in _SKIPPED:
                waiting.append(path)

    def _note(self, entry: "os.DirEntry[str]", path: str, found: Found, *, mountable: bool) -> None:
        if not _may_be_guarded(path, entry.name) or not self._guards(path):
            return
        try:
            found.files[path] = _state(entry)
        except OSError:
            return  # gone meanwhile
        if mountable:
            found.whole.append(path)

    def _note_all(self, folder: str, found: Found) -> None:
        waiting = deque([folder])
        while waiting:
            if len(found.looked_at) == MOST_FOLDERS:
                found.is_complete = False
                return
            current = waiting.popleft()
            found.looked_at.add(current)
            for entry in self._entries(current):
                path = f"{current}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                    continue
                try:
                    found.files[path] = _state(entry)
                except OSError:
                    continue  # gone meanwhile

    def _entries(self, folder: str) -> list["os.DirEntry[str]"]:
        # by path: a link that is put in between shows names of another place, and nothing is opened by these names
        try:
            with os.scandir(self._workspace.root / folder) as entries:
                return list(entries)
        except OSError:
            return []

    def _guards(self, path: str) -> bool:
        # by the path within the workspace: a workspace that lies in a guarded folder is the person's choice
        return self._files.guard_of(path, replaced=False) is not None

    def _opened(self, path: str, *, writable: bool) -> Iterator[Protected]:
        place = self._workspace.root / path
        try:
            with self._workspace.hold(place.parent) as folder:
                descriptor = folder.open(place.name, getattr(os, "O_PATH", os.O_RDONLY))
        except (OSError, OutsideWorkspace):
            return  # gone or replaced since it was found: the comparison afterwards tells
        yield Protected(place, descriptor, writable)


def _state(entry: "os.DirEntry[str]") -> State:
    status = entry.stat(follow_symlinks=False)
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_mode


def _above(path: str) -> Iterator[str]:
    """The folders above a protected path that are hidden ones, or lie in one: `.git` of `sub/.git/hooks`, not `sub`.

    An ordinary folder is left as it is: files could not be moved out of one that is mounted.
    """
    steps = path.split("/")
    first = next((at for at, step in enumerate(steps) if step.startswith(".")), len(steps))
    for count in range(first + 1, len(steps)):
        yield "/".join(steps[:count])


def _names(named: frozenset[str], path: str) -> bool:
    """Whether the call that was approved is to change a path, something in it, or all that it is part of."""
    return any(one == path or one.startswith(f"{path}/") or path.startswith(f"{one}/") for one in named)


def _is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def _may_be_guarded(path: str, name: str) -> bool:
    """Cheap, as it is asked of every file: almost all that is guarded is hidden or in a hidden folder."""
    return _is_hidden(path) or _UNHIDDEN.fullmatch(name.casefold()) is not None


_UNHIDDEN: Final = re.compile(
    "|".join(
        glob_pattern(glob.rpartition("/")[2].casefold())
        for glob in ("callgate.toml", *OWN_NAMES, *(glob for globs in TABLE.values() for glob in globs))
        if "/." not in f"/{glob}" and not glob.endswith("**") and not glob.startswith("/")
    )
)
"""Names of guarded files that are not hidden."""
