"""A stream that is no stream of events: the JSON array that the provider sends when nobody asks for events.

Cuts bytes after each complete object, wherever the chunks end. Knows nothing of what the objects mean.
"""

import re

from callgate.core.errors import Fault, PeerFault
from callgate.wire.sse import MAX_EVENT_BYTES

_OF_INTEREST = re.compile(rb'["{}]')
_STRING_END = re.compile(rb'["\\]')


class JsonStream:
    """Objects with the bytes before them (bracket, commas, white space); all pieces joined are what was fed."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._place = 0
        """Everything before it has been looked at."""
        self._depth = 0
        self._in_string = False

    def feed(self, data: bytes) -> list[bytes]:
        self._pending += data
        pieces: list[bytes] = []
        while self._advance():
            pieces.append(bytes(self._pending[: self._place]))
            del self._pending[: self._place]
            self._place = 0
        if len(self._pending) > MAX_EVENT_BYTES:
            raise PeerFault(Fault("upstream", f"an object of the stream is larger than {MAX_EVENT_BYTES} bytes"))
        return pieces

    def flush(self) -> bytes:
        """What is left: the closing bracket, or an object that was cut off."""
        rest = bytes(self._pending)
        self._pending.clear()
        self._place = 0
        return rest

    def _advance(self) -> bool:
        """True when an object has just ended."""
        while True:
            pattern = _STRING_END if self._in_string else _OF_INTEREST
            found = pattern.search(self._pending, self._place)
            if found is None:
                self._place = len(self._pending)
                return False
            mark = found.group()
            if mark == b"\\":
                if found.end() == len(self._pending):
                    self._place = found.start()  # what it escapes is in the next chunk
                    return False
                self._place = found.end() + 1
                continue
            self._place = found.end()
            if mark == b'"':
                self._in_string = not self._in_string
            elif mark == b"{":
                self._depth += 1
            else:
                self._depth -= 1
                if self._depth <= 0:
                    self._depth = 0
                    return True
