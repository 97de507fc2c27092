"""What stands in a stream outside of its events: comments and blank lines, or the words of a server that streams none.

Must not know what a server may mean by them; a codec reads them as the error that they mostly are.
"""

import re

MAX_KEPT = 16 * 1024 * 1024
"""Of an answer that is no event stream so much is kept, to see what it is."""
NO_EVENT = "a line was no event"

_HARMLESS = re.compile(rb"\s*(?:(?::|id:|retry:|event:)[^\r\n]*(?:\r\n|\r|\n|$))*\s*")


class SseNoise:
    def __init__(self) -> None:
        self.said = bytearray()

    def take(self, raw: bytes) -> tuple[str, ...]:
        """The repairs that bytes without an event need: none, if by the rules they mean nothing."""
        if _HARMLESS.fullmatch(raw):
            return ()
        if len(self.said) < MAX_KEPT:
            self.said += raw
        return (NO_EVENT,)

    def forget(self) -> None:
        """An event has come, so it is a stream after all."""
        self.said.clear()
