"""What a command has written: its beginning and end in memory, all of it in a file, the newest lines for live viewers.

Written by the thread that reads the command, read by anybody.
"""

import os
import threading
from collections import deque
from itertools import islice
from pathlib import Path

import regex

HEAD_KEPT = 24 * 1024
TAIL_KEPT = 40 * 1024
"""The end of an output tells more than its beginning: that is where errors are summed up."""
MOST_SAVED = 128 * 1024 * 1024
"""A command that never stops writing must not fill the disk."""
LIVE_KEPT = 8 * 1024
"""What a live viewer gets at once; nobody reads faster."""
_ESCAPES = regex.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class JobOutput:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._lock = threading.Lock()
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._fresh = bytearray()
        self._missed = 0
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0)
        self._save_problem = ""

    @property
    def is_whole(self) -> bool:
        """Whether `text` leaves nothing out."""
        return self.size <= HEAD_KEPT + TAIL_KEPT

    def add(self, data: bytes) -> None:
        with self._lock:
            self._save(data)
            self.size += len(data)
            room = HEAD_KEPT - len(self._head)
            self._head += data[:room]
            self._keep_tail(data[max(room, 0) :])
            self._fresh += data
            if len(self._fresh) > LIVE_KEPT:
                self._missed += len(self._fresh) - LIVE_KEPT
                del self._fresh[:-LIVE_KEPT]

    def take_fresh(self, *, all_of_it: bool = False) -> str:
        """Whole lines that nobody has taken yet; with `all_of_it` also the beginning of one."""
        with self._lock:
            end = len(self._fresh) if all_of_it else self._fresh.rfind(b"\n") + 1
            data = bytes(self._fresh[:end])
            if not data:
                return ""
            del self._fresh[:end]
            missed, self._missed = self._missed, 0
        text = plain(data)
        return f"[… {missed:,} bytes not shown …]\n{text}" if missed else text

    def text(self) -> str:
        """All of it, or its beginning and end with a note of what lies between."""
        with self._lock:
            head, tail = bytes(self._head), b"".join(self._tail)[-TAIL_KEPT:]
            between = self.size - len(head) - len(tail)
        if not between:
            return plain(head + tail)
        return f"{plain(head)}\n[… {between:,} bytes left out …]\n{plain(tail)}"

    def saved_note(self) -> str:
        """What must be said of the saved file; empty = it holds everything."""
        if self._save_problem:
            return f"it could not be saved in full: {self._save_problem}"
        return f"its first {MOST_SAVED:,} bytes" if self.size > MOST_SAVED else ""

    def lines(self, first: int, last: int) -> list[str]:
        """Some lines of all of it, counted from 1; each is plain text without its ending."""
        if not self.path.exists():
            return self.text().splitlines()[first - 1 : last]
        with self.path.open("rb") as stream:
            return [plain(line).rstrip("\r\n") for line in islice(stream, first - 1, last)]

    def close(self) -> None:
        """No more will come: what memory holds in full needs no file."""
        with self._lock:
            self._file.close()
        if self.is_whole:
            self.path.unlink(missing_ok=True)

    def _save(self, data: bytes) -> None:
        """A full disk ends the saving, not the command."""
        kept = data[: max(MOST_SAVED - self.size, 0)]
        if not kept or self._save_problem:
            return
        try:
            if self._file.write(kept) != len(kept):
                self._save_problem = "the disk is full"
        except OSError as problem:
            self._save_problem = problem.strerror or str(problem)

    def _keep_tail(self, data: bytes) -> None:
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail and self._tail_size - len(self._tail[0]) >= TAIL_KEPT:
            self._tail_size -= len(self._tail.popleft())


def plain(data: bytes) -> str:
    """Bytes of a terminal as text: without colours and cursor movements."""
    text = data.decode("utf-8", "replace")
    return _ESCAPES.sub("", text) if "\x1b" in text else text


def prune(folder: Path, most_bytes: int, pattern: str = "*.log") -> None:
    """Removes the oldest saved outputs until the rest fits."""
    if not folder.is_dir():
        return
    files = sorted(((file.stat(), file) for file in folder.glob(pattern)), key=lambda pair: pair[0].st_mtime_ns)
    total = sum(status.st_size for status, _ in files)
    for status, file in files:
        if total <= most_bytes:
            return
        file.unlink(missing_ok=True)
        total -= status.st_size
