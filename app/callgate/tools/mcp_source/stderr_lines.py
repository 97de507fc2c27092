"""The last lines that a server wrote beside the protocol: its own log, and what it wrongly put on stdout."""

from collections import deque
from collections.abc import Callable

KEPT_LINES = 500
LONGEST_LINE = 4_000
"""A server that logs without line breaks must not eat the memory."""
_LAST_WORDS = 3
"""Lines that tell why a server died; the rest is seldom about it."""


class StderrLines:
    def __init__(self, listener: Callable[[str], None] | None = None) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._rest = b""
        self._listener = listener

    def begin(self) -> None:
        """A new process speaks from here on."""
        self._words.clear()
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Takes bytes as they come; no bytes = the server has closed its stderr."""
        if not data:
            if self._rest:
                self.add(self._rest.decode("utf-8", "replace"))
            self._rest = b""
            return
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.add(line.decode("utf-8", "replace"))
        if len(rest) > LONGEST_LINE:
            self.add(rest.decode("utf-8", "replace"))
            rest = b""
        self._rest = rest

    def add(self, line: str) -> None:
        line = line.rstrip("\r")
        if len(line) > LONGEST_LINE:
            line = line[: LONGEST_LINE - 1] + "…"
        self._lines.append(line)
        if line.strip():
            self._words.append(line.strip())
        if self._listener is not None:
            self._listener(line)

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self._lines)

    def last_words(self) -> str:
        """Of the process that spoke last."""
        return " | ".join(self._words)
