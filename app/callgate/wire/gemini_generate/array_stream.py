"""Events → the JSON array that the service sends when nobody asks for events, each element as soon as it is known.

Google's own REST clients take nothing before the opening bracket and nothing after the closing one, not even white
space; between them it is legal everywhere, so that what keeps a stream of events alive keeps an array alive too.
"""

from callgate.core.errors import Fault
from callgate.core.json.text import dump_text, parse
from callgate.wire.gemini_generate.errors import error_body
from callgate.wire.sse import SseEvent, SseParser

CONTENT_TYPE = b"application/json"
_BETWEEN = ",\r\n"
_SHOWN = 200
"""Characters of an unreadable event that are worth showing."""


class ArrayStream:
    """Any chunking of the events gives the same bytes, and they are valid JSON once it is closed."""

    def __init__(self) -> None:
        self._events = SseParser()
        self._opened = False
        self._before = ""
        """What stands before the next element."""

    def feed(self, events: bytes) -> bytes:
        return self._opening() + self._spelled(self._events.feed(events)) if events else b""

    def close(self) -> bytes:
        """The stream has ended: an event without its final blank line counts too."""
        return self._opening() + self._spelled(self._events.flush()) + b"]"

    def _opening(self) -> bytes:
        """At the first sign of life, which may come long before the first element."""
        opening = b"" if self._opened else b"["
        self._opened = True
        return opening

    def _spelled(self, events: list[SseEvent]) -> bytes:
        return "".join([self._element(event) for event in events]).encode()

    def _element(self, event: SseEvent) -> str:
        if event.data is None:
            return "" if event.raw.strip() else "\n"  # comments have no place in JSON
        elements = _BETWEEN.join(_objects(event.data))
        before, self._before = self._before, _BETWEEN if elements else self._before
        return before + elements if elements else ""


def _objects(data: str) -> list[str]:
    """The objects of an event in its own spelling; what is none would make the whole array unreadable."""
    try:
        value = parse(data)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return [data]
    if isinstance(value, list):  # some errors come in a list
        return [dump_text(item) for item in value if isinstance(item, dict)]
    return [dump_text(error_body(Fault("upstream", f"unreadable event in the stream: {data[:_SHOWN]}")))]
