"""Undoing: puts back what a file tool has changed, unless somebody has changed it since."""

import threading
from collections.abc import Mapping
from typing import assert_never

from callgate.core.calls.binding import Outdated
from callgate.core.calls.preview import DiffPreview
from callgate.core.messages import Json
from callgate.tools.builtin.definition import string
from callgate.tools.builtin.open_file import create_held, read_held, state_of, write_held
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.text_file import read_text
from callgate.tools.builtin.undo_store import MOST_FILE, Change, digest
from callgate.tools.builtin.write_files import FileWriter, writable

MOST_SHOWN = 1024 * 1024
"""Bytes of a file up to which it is shown what undoing puts back."""


class Undo:
    def __init__(self, writer: FileWriter) -> None:
        self._writer = writer
        self._workspace = writer.workspace
        self._store = writer.store

    def undo_file_change(self, arguments: Mapping[str, Json], stop: threading.Event, previewed: str = "") -> str:
        return self.undo_last(string(arguments, "path"), previewed)

    def preview(self, arguments: Mapping[str, Json]) -> DiffPreview | None:
        """Which file would be put back, and to what; None for a move, a folder, and what is no text or too large."""
        path = string(arguments, "path")
        change = self._store.last(self._workspace.shown(self._workspace.resolve(path)) if path else "")
        if change is None or change.kind != "content":
            return None
        now = self._held(change)
        before = self._store.before(change.number) if change.existed else b""
        if max(len(now or b""), len(before)) > MOST_SHOWN:
            return None
        texts = [read_text(data, change.path)[0] for data in (now or b"", before)]
        return DiffPreview(change.path, texts[0], texts[1], state=_state(change, now), deletes=not change.existed)

    def _held(self, change: Change) -> bytes | None:
        path = writable(self._workspace, change.path)
        if not path.parent.is_dir():
            return None
        with self._workspace.hold(path.parent) as folder:
            file = read_held(folder, path.name, change.path, MOST_FILE)
        return None if file is None else file.data

    def undo_last(self, path: str = "", previewed: str = "") -> str:
        """Undoes the latest change, of one file if given, and says what it did.

        Raises `Outdated` if that is not what was previewed.
        """
        wanted = self._workspace.shown(self._workspace.resolve(path)) if path else ""
        with self._writer.lock:
            change = self._store.last(wanted)
            if change is None:
                raise ToolProblem(f"No change{f' of {wanted}' if wanted else ''} is left to undo")
            if previewed and (change.kind != "content" or _state(change, self._held(change)) != previewed):
                raise Outdated(change.path)
            done = self._revert(change)
            self._store.forget(change.number)
        return done

    def _revert(self, change: Change) -> str:
        match change.kind:
            case "content":
                return self._put_back(change)
            case "move":
                return self._move_back(change)
            case "folder":
                return self._remove_folders(change)
            case _:
                assert_never(change.kind)

    def _put_back(self, change: Change) -> str:
        path = writable(self._workspace, change.path)
        with self._workspace.hold(path.parent) as folder:
            now = read_held(folder, path.name, change.path, MOST_FILE)
            if (digest(now.data) if now is not None else "") != change.after:
                raise ToolProblem(f"{change.path} has been changed since, so the change was not undone")
            if not change.existed:
                folder.remove(path.name)
                return f"Removed {change.path}, which had been created"
            before = self._store.before(change.number)
            if now is None:
                create_held(folder, path.name, before, change.path, change.mode)
                return f"Brought back {change.path}"
            write_held(folder, path.name, before, now, change.path)
            return f"Put back what {change.path} held before"

    def _move_back(self, change: Change) -> str:
        origin = writable(self._workspace, change.path)
        target = writable(self._workspace, change.target)
        if not target.exists():
            raise ToolProblem(f"{change.target} is not there any more, so the move was not undone")
        with self._workspace.hold(origin.parent) as back, self._workspace.hold(target.parent) as folder:
            if back.status(origin.name) is not None:
                raise ToolProblem(f"There is another {change.path} now, so the move was not undone")
            folder.replace(target.name, origin.name, back)
        return f"Moved {change.target} back to {change.path}"

    def _remove_folders(self, change: Change) -> str:
        """Removes the folders that were made, from the deepest up; one that is in use stays, with those above it."""
        deepest = writable(self._workspace, change.path)
        topmost = writable(self._workspace, change.target)
        removed = 0
        for folder in (deepest, *deepest.parents):
            if not folder.is_dir() or any(folder.iterdir()):
                break
            with self._workspace.hold(folder.parent) as parent:
                parent.remove_folder(folder.name)
            removed += 1
            if folder == topmost:
                break
        if not removed:
            raise ToolProblem(f"{change.path} is not empty, so it was not removed")
        return f"Removed the directory {change.path}"


def _state(change: Change, now: bytes | None) -> str:
    """Of a preview: which change is undone, and what would be replaced by that."""
    return state_of(change.path, now, f"undo {change.number}")
