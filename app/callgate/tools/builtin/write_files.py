"""Changing the workspace's files: write, create, edit, delete, move, make folders. Every change can be undone."""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from callgate.core.calls.binding import Outdated
from callgate.core.messages import Json
from callgate.tools.builtin.definition import chosen, string
from callgate.tools.builtin.open_file import (
    OpenFile,
    check_unchanged,
    check_writable,
    create_held,
    read_previewed,
    state_of,
    write_held,
)
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.builtin.text_file import MOST_TEXT, TextForm, edited, read_text
from callgate.tools.builtin.undo_store import MOST_FILE, Change, UndoStore, digest
from callgate.tools.confinement import Confinement, HeldFolder

_NEVER_WRITTEN = ".git"
"""Its configuration and hooks are run by git: a file written there is a command that nobody approved."""


class FileWriter:
    """Does one change at a time, so that two edits of one file never lose each other."""

    def __init__(self, workspace: Confinement, store: UndoStore) -> None:
        self.workspace = workspace
        self.store = store
        self.lock = threading.Lock()

    def write_file(self, arguments: Mapping[str, Json], stop: threading.Event, previewed: str = "") -> str:
        path = writable(self.workspace, string(arguments, "path"))
        content = string(arguments, "content")
        shown = self.workspace.shown(path)
        self._refuse_vanished(path, previewed)
        with self._parent(path) as folder:
            before = read_previewed(folder, path.name, shown, MOST_TEXT, previewed)
            if before is None:
                return self._create(folder, path, content, stop)
            _, form = read_text(before.data, shown)
            data = form.write(form.with_newlines(content))
            self._replace(folder, path, before, data, stop)
        return f"Wrote {shown}: {_size(data)} instead of {_size(before.data)}{_form_words(form)}"

    def create_file(self, arguments: Mapping[str, Json], stop: threading.Event, previewed: str = "") -> str:
        path = writable(self.workspace, string(arguments, "path"))
        with self._parent(path) as folder:
            if previewed:
                read_previewed(folder, path.name, self.workspace.shown(path), MOST_TEXT, previewed)
            return self._create(folder, path, string(arguments, "content"), stop)

    def edit_file(self, arguments: Mapping[str, Json], stop: threading.Event, previewed: str = "") -> str:
        path = writable(self.workspace, string(arguments, "path"))
        shown = self.workspace.shown(path)
        old, new = string(arguments, "old_text"), string(arguments, "new_text")
        self._refuse_vanished(path, previewed)
        with self.lock, self._existing_parent(path) as folder:
            before = self._read(folder, path, MOST_TEXT, previewed)
            text, form = read_text(before.data, shown)
            after = edited(text, form, old, new, replace_all=chosen(arguments, "replace_all"), shown=shown)
            self._replace(folder, path, before, form.write(after), stop)
        times = text.count(old) or text.count(form.with_newlines(old))
        return f"Replaced {times} occurrence{'s' if times != 1 else ''} in {shown}"

    def delete_file(self, arguments: Mapping[str, Json], stop: threading.Event, previewed: str = "") -> str:
        path = self._own(string(arguments, "path"))
        shown = self.workspace.shown(path)
        self._refuse_vanished(path, previewed)
        with self.lock, self._existing_parent(path) as folder:
            before = self._read(folder, path, MOST_FILE, previewed)
            check_writable(before, shown)
            _check(stop)
            with self.store.keep(Change("content", shown, existed=True, mode=before.mode), before.data):
                check_unchanged(folder, path.name, before, shown)
                folder.remove(path.name)
        return f"Deleted {shown} ({_size(before.data)}); undo_file_change brings it back"

    def create_directory(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        path = writable(self.workspace, string(arguments, "path"))
        shown = self.workspace.shown(path)
        if path.is_dir():
            return f"{shown} exists already"
        with self.lock:
            missing = self._missing(path)
            change = Change("folder", shown, target=self.workspace.shown(missing[0]) if missing else shown)
            with self.store.keep(change):
                self._make(missing)
        return f"Created the directory {shown}"

    def move_file(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        origin = self._own(string(arguments, "path"))
        target = self._own(string(arguments, "new_path"))
        shown, there = self.workspace.shown(origin), self.workspace.shown(target)
        if not origin.exists():
            raise ToolProblem(f"There is no {shown} in the workspace")
        if origin in target.parents:
            raise ToolProblem(f"{shown} cannot be moved into itself")
        with self._parent(target) as into, self.workspace.hold(origin.parent) as folder:
            if into.status(target.name) is not None:
                raise ToolProblem(f"{there} exists already; nothing was moved")
            _check(stop)
            with self.store.keep(Change("move", shown, target=there)):
                folder.replace(origin.name, target.name, into)
        return f"Moved {shown} to {there}"

    # ---- steps -----------------------------------------------------------------------------------------------------

    def _create(self, folder: HeldFolder, path: Path, content: str, stop: threading.Event) -> str:
        shown = self.workspace.shown(path)
        data = TextForm().write(content)
        if folder.status(path.name) is not None:
            raise ToolProblem(f"{shown} exists already; nothing was changed")
        _check(stop)
        with self.store.keep(Change("content", shown, after=digest(data))):
            create_held(folder, path.name, data, shown)
        return f"Created {shown} with {_size(data)}"

    def _replace(self, folder: HeldFolder, path: Path, before: OpenFile, data: bytes, stop: threading.Event) -> None:
        _check(stop)
        shown = self.workspace.shown(path)
        change = Change("content", shown, existed=True, mode=before.mode, after=digest(data))
        with self.store.keep(change, before.data):
            write_held(folder, path.name, data, before, shown)

    def _refuse_vanished(self, path: Path, previewed: str) -> None:
        """Before a folder is made for a file that was previewed in one that is not there any more."""
        if previewed and not path.parent.is_dir() and previewed != state_of(self.workspace.shown(path), None):
            raise Outdated(self.workspace.shown(path))

    def _read(self, folder: HeldFolder, path: Path, most: int, previewed: str) -> OpenFile:
        shown = self.workspace.shown(path)
        file = read_previewed(folder, path.name, shown, most, previewed)
        if file is None:
            raise ToolProblem(f"There is no file {shown!r} in the workspace")
        return file

    def _own(self, path: str) -> Path:
        """A path that is to be moved or deleted itself; what a link leads to is not meant by the link's name."""
        real = writable(self.workspace, path)
        if (self.workspace.root / path).is_symlink():
            raise ToolProblem(f"{path!r} is a link to {self.workspace.shown(real)}; name the file itself")
        return real

    @contextmanager
    def _parent(self, path: Path) -> Iterator[HeldFolder]:
        """The folder of a file that may be new, made if it is missing; nobody else writes meanwhile."""
        with self.lock:
            self._make(self._missing(path.parent))
            with self.workspace.hold(path.parent) as folder:
                yield folder

    @contextmanager
    def _existing_parent(self, path: Path) -> Iterator[HeldFolder]:
        if not path.parent.is_dir():
            raise ToolProblem(f"There is no file {self.workspace.shown(path)!r} in the workspace")
        with self.workspace.hold(path.parent) as folder:
            yield folder

    def _missing(self, folder: Path) -> list[Path]:
        """The folders that have to be made, topmost first."""
        missing: list[Path] = []
        while not folder.is_dir():
            if os.path.lexists(folder):
                raise ToolProblem(f"{self.workspace.shown(folder)} is a file, not a directory")
            missing.insert(0, folder)
            folder = folder.parent
        return missing

    def _make(self, folders: list[Path]) -> None:
        for folder in folders:
            with self.workspace.hold(folder.parent) as parent:
                parent.make_folder(folder.name)


def writable(workspace: Confinement, path: str) -> Path:
    """Where a path really leads, if a tool may change what is there."""
    real = workspace.resolve(path)
    steps = real.relative_to(workspace.root).parts
    if not steps:
        raise ToolProblem(f"{path!r} is the workspace itself")
    if any(step.casefold() == _NEVER_WRITTEN for step in steps):
        raise ToolProblem(f"{workspace.shown(real)} belongs to git; it is not changed by file tools")
    return real


def _check(stop: threading.Event) -> None:
    """The last moment to turn back: from here on the change is made whole."""
    if stop.is_set():
        raise Stopped


def _size(data: bytes) -> str:
    return f"{len(data):,} bytes"


def _form_words(form: TextForm) -> str:
    kept = ["CRLF line endings"] if form.newline == "\r\n" else []
    if form.mark:
        kept.append("byte order mark")
    if form.encoding != "utf-8":
        kept.append(f"{form.encoding} encoding")
    return f" (kept {', '.join(kept)})" if kept else ""
