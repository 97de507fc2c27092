"""A provider's stream → frames: events, or the JSON array that comes when nobody asked for events.

The wire has no end mark: a stream is whole when every candidate has said why it ended.
"""

from dataclasses import replace

from callgate.core.deltas import Delta, Failed
from callgate.core.errors import Fault
from callgate.core.json.text import parse, parse_object
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate.errors import read_error
from callgate.wire.gemini_generate.json_stream import JsonStream
from callgate.wire.gemini_generate.reply_reader import ReplyReader
from callgate.wire.sse import SseEvent, SseParser
from callgate.wire.unknown_fields import Beside

_SHOWN = 200
"""Characters of an unreadable event that are worth showing."""
_NO_EVENTS = "the stream came as JSON, not as events"
_UNBEARABLE = "an event that Google's own client cannot read"
"""It knows no line that does not begin with `data: `, the space included."""
_BOM = b"\xef\xbb\xbf"


class GenerateReader:
    def __init__(self) -> None:
        self._head = b""
        """Bytes before the first visible one, which tells events from JSON."""
        self._events: SseParser | None = None
        self._objects: JsonStream | None = None
        self._reply = ReplyReader()
        self._stray = bytearray()
        """Lines outside of events: an error that came as bare JSON, perhaps not whole yet."""
        self._over = False
        """A failure was seen: what follows is passed on unread."""

    def decode(self, data: bytes) -> list[Frame]:
        if self._events is None and self._objects is None:
            data = self._head + data
            visible = data.removeprefix(_BOM).lstrip()
            if not visible or _BOM.startswith(visible):
                self._head = data
                return []
            self._head = b""
            if visible[:1] in (b"{", b"["):
                self._objects = JsonStream()
            else:
                self._events = SseParser()
        if self._objects is not None:
            return [self._object(piece) for piece in self._objects.feed(data)]
        return [self._event(event) for event in self._events.feed(data)] if self._events is not None else []

    def flush(self) -> list[Frame]:
        frames: list[Frame] = [Frame(self._head)] if self._head else []
        self._head = b""
        if self._events is not None:
            frames += [self._event(event) for event in self._events.flush()]
        if self._objects is not None and (rest := self._objects.flush()):
            frames.append(Frame(rest, (), (_NO_EVENTS,)))
        if not self._over and not self._reply.complete:
            frames.append(Frame(b"", (Failed(self._broken_off()),)))
        self._over = True
        return frames

    def _broken_off(self) -> Fault:
        if self._stray.strip():
            return read_error(0, bytes(self._stray), {})
        return Fault("upstream", "the stream broke off before the answer was complete (no finishReason)")

    def _event(self, event: SseEvent) -> Frame:
        if self._over:
            return Frame(event.raw)
        if event.data is None:
            return Frame(event.raw, (), (event.flaw,)) if event.flaw else self._outside(event.raw)
        if event.data.strip() == "[DONE]":
            return Frame(event.raw, (), ("[DONE] does not belong in this wire",))
        bearable = all(line.startswith(b"data: ") for line in event.raw.splitlines() if line)
        return self._chunk(event.raw, event.data, [] if bearable else [_UNBEARABLE])

    def _object(self, piece: bytes) -> Frame:
        if self._over:
            return Frame(piece)
        return self._chunk(piece, piece[piece.find(b"{") :].decode("utf-8", "replace"), [_NO_EVENTS])

    def _chunk(self, raw: bytes, data: str, repairs: list[str]) -> Frame:
        try:
            value = parse(data)
        except ValueError:
            value = None
        if isinstance(value, list) and value:
            value = value[0]  # some errors come in a list
        if not isinstance(value, dict):
            shown = data[:_SHOWN]
            return self._frame(raw, [Failed(Fault("upstream", f"unreadable event in the stream: {shown}"))], repairs)
        beside: list[Beside] = []
        frame = self._frame(raw, self._reply.take(value, repairs, beside), repairs, beside)
        return replace(frame, confessed=True) if isinstance(value.get("error"), dict) else frame

    def _outside(self, raw: bytes) -> Frame:
        """White space, a comment, or an error that was put into the stream as bare JSON."""
        lines = [line for line in raw.splitlines() if line.strip()]
        if not lines:
            return Frame(raw)
        if all(line.startswith((b":", b"id:", b"retry:", b"event:")) for line in lines):
            return Frame(raw, (), ("a comment, which clients of this wire cannot bear",))
        self._stray += raw
        value = parse_object(bytes(self._stray))
        if value is None:
            return Frame(raw, (), ("a line was no event",))
        self._stray.clear()
        beside: list[Beside] = []
        return self._frame(raw, self._reply.take(value, [], beside), ["an object was no event"], beside)

    def _frame(self, raw: bytes, deltas: list[Delta], repairs: list[str], beside: list[Beside] | None = None) -> Frame:
        self._over = any(isinstance(delta, Failed) for delta in deltas)
        return Frame(raw, tuple(deltas), tuple(dict.fromkeys(repairs)), tuple(beside or ()))
