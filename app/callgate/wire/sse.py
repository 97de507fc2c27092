"""Server-sent events, both ways: bytes → events with their exact bytes, and JSON → an event's bytes.

Reads bytes, not text: lines end only at CR, LF or CRLF, never at U+2028 and its kind, which are legal inside JSON.
Knows nothing of what the data means.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from callgate.core.errors import Fault, PeerFault
from callgate.core.json.text import dump_text, mend
from callgate.core.messages import Json

MAX_EVENT_BYTES = 64 * 1024 * 1024
"""Far above any real event (images are large); a peer that never ends a line must not fill the memory."""

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_HOLLOW = "an event was empty"
_MARKED = "the stream began with a byte order mark"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event and the exact bytes it came in, blank line included."""

    raw: bytes
    event: str = ""
    data: str | None = None
    """None: a comment, a blank line, or an event without data, which by the rules is none."""
    flaw: str = ""
    """What official packages stumble over although the rules allow it: no client gets it as it is."""


class SseParser:
    """Any chunking of the bytes gives the same events; the `raw` of all of them joined is what was fed."""

    def __init__(self) -> None:
        self._pending = bytearray()
        """The bytes of the event in the making."""
        self._lines: list[bytes] = []
        """Its complete lines."""
        self._line_start = 0
        self._searched = 0
        """No line ends in `_pending[_line_start:_searched]`: a long line is searched once, not at every chunk."""
        self._at_start = True
        self._marked = False

    def feed(self, data: bytes) -> list[SseEvent]:
        self._pending += data
        events = self._take_events(ended=False)
        if len(self._pending) > MAX_EVENT_BYTES:
            raise PeerFault(Fault("upstream", f"an event of the stream is larger than {MAX_EVENT_BYTES} bytes"))
        return events

    def flush(self) -> list[SseEvent]:
        """The bytes have ended: an event without its final blank line counts too."""
        events = self._take_events(ended=True)
        if self._pending:
            if self._line_start < len(self._pending):
                self._lines.append(bytes(self._pending[self._line_start :]))
            events.append(self._dispatch(len(self._pending)))
            self._drop(len(self._pending))
        return events

    def _take_events(self, *, ended: bool) -> list[SseEvent]:
        events: list[SseEvent] = []
        begin = 0
        while found := _LINE_END.search(self._pending, self._searched):
            if found.group() == b"\r" and found.end() == len(self._pending) and not ended:
                self._searched = found.start()  # its LF may be in the next chunk
                break
            line = bytes(self._pending[self._line_start : found.start()])
            self._line_start = self._searched = found.end()
            if self._at_start:
                line, self._at_start = self._unmarked(line), False
            if line:
                self._lines.append(line)
            else:
                events.append(self._dispatch(found.end(), begin))
                begin = found.end()
        else:
            self._searched = len(self._pending)
        self._drop(begin)
        return events

    def _dispatch(self, end: int, begin: int = 0) -> SseEvent:
        raw = bytes(self._pending[begin:end])
        name = ""
        data: list[str] = []
        if self._at_start and self._lines:
            self._lines[0], self._at_start = self._unmarked(self._lines[0]), False
        for line in self._lines:
            field, _, value = line.partition(b":")
            if field == b"data":
                data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
            elif field == b"event":
                name = value.removeprefix(b" ").decode("utf-8", "replace")
        self._lines.clear()
        said = "\n".join(data)
        flaw = _HOLLOW if data and not said else _MARKED if self._marked else ""
        self._marked = False
        return SseEvent(raw, name, said or None, flaw)

    def _unmarked(self, line: bytes) -> bytes:
        self._marked = line.startswith(_BOM)
        return line.removeprefix(_BOM)

    def _drop(self, count: int) -> None:
        del self._pending[:count]
        self._line_start -= count
        self._searched -= count
        if not self._pending:
            self._line_start = self._searched = 0


def sse(data: Mapping[str, Json] | str, event: str = "") -> bytes:
    """An event's bytes; text with line breaks becomes several `data` lines."""
    text = mend(data) if isinstance(data, str) else dump_text(data)
    lines = [f"event: {event}"] if event else []
    lines += [f"data: {line}" for line in re.split("\r\n|\n|\r", text)]
    return ("\n".join(lines) + "\n\n").encode()


def warning(text: str) -> bytes:
    """What a header would have said, had it been known before the answer began."""
    return comment(f"x-callgate-warnings: {text}")


def comment(text: str) -> bytes:
    """A line that every reader of events must skip."""
    return f": {text}\n\n".encode()
