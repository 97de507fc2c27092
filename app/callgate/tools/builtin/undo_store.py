"""What files of a workspace held before tools changed them, kept on disk and bounded in size.

A change is written down before it is made, so that a crash in between loses nothing. It does not know how to undo.
"""

import hashlib
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

log = logging.getLogger(__name__)

MOST_BYTES = 200 * 1024 * 1024
"""For one workspace; the oldest changes are forgotten first."""
MOST_CHANGES = 1000
MOST_FILE = 50 * 1024 * 1024
"""A larger file is not changed by a tool at all, rather than changed beyond undo."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change; paths are relative to the workspace."""

    kind: Literal["content", "move", "folder"]
    path: str
    existed: bool = False
    """content: whether there was a file before."""
    mode: int | None = None
    after: str = ""
    """content: digest of what was put there; empty = the file was deleted."""
    target: str = ""
    """move: where it went; folder: the topmost folder that was made."""
    number: int = 0
    """Its place in time; given by the store."""

    def touches(self, path: str) -> bool:
        return path in (self.path, self.target)


_CHANGE = TypeAdapter(Change)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class UndoStore:
    def __init__(self, folder: Path, workspace: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]
        self._most_bytes = most_bytes

    @contextmanager
    def keep(self, change: Change, before: bytes | None = None) -> Iterator[None]:
        """Remembers a change that is made inside the block; forgets it again if it fails."""
        number = self._write(change, before)
        try:
            yield
        except BaseException:
            self.forget(number)
            raise
        self._prune(number)

    def last(self, path: str = "") -> Change | None:
        """The latest change, of one path if given."""
        for number in reversed(self._numbers()):
            change = self._read(number)
            if change is not None and (not path or change.touches(path)):
                return change
        return None

    def before(self, number: int) -> bytes:
        """What a file held before a change."""
        return self._content(number).read_bytes()

    def forget(self, number: int) -> None:
        self._record(number).unlink(missing_ok=True)
        self._content(number).unlink(missing_ok=True)

    def _write(self, change: Change, before: bytes | None) -> int:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        numbers = self._numbers()
        number = max(time.time_ns(), numbers[-1] + 1 if numbers else 0)
        if before is not None:
            _put(self._content(number), before)
        _put(self._record(number), _CHANGE.dump_json(change))
        return number

    def _read(self, number: int) -> Change | None:
        try:
            change = _CHANGE.validate_json(self._record(number).read_bytes())
        except (ValidationError, FileNotFoundError) as bad:
            log.warning("a kept change cannot be read and is left out: %s", bad)
            return None
        return Change(change.kind, change.path, change.existed, change.mode, change.after, change.target, number=number)

    def _numbers(self) -> list[int]:
        if not self._folder.is_dir():
            return []
        return sorted(int(file.stem) for file in self._folder.glob("*.json") if file.stem.isdecimal())

    def _prune(self, newest: int) -> None:
        """Forgets the oldest until the rest fits; the newest always stays."""
        numbers = self._numbers()
        sizes = {n: self._content(n).stat().st_size if self._content(n).is_file() else 0 for n in numbers}
        total = sum(sizes.values())
        for number in numbers:
            if number == newest or (total <= self._most_bytes and len(sizes) <= MOST_CHANGES):
                break
            self.forget(number)
            total -= sizes.pop(number)

    def _record(self, number: int) -> Path:
        return self._folder / f"{number:020d}.json"

    def _content(self, number: int) -> Path:
        return self._folder / f"{number:020d}.before"


def _put(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all, for the person's eyes only."""
    temporary = path.with_suffix(path.suffix + ".tmp")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
