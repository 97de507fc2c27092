"""Events of a stream as they lie in captured bytes, each with the time at which it was whole. Pure, for looking only.

A stream is one of server-sent events, or of JSON objects, one per line (Ollama).

Unlike a reader of a wire it keeps everything: comments, keep-alives, fields it does not know, an end that was cut off.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_BLANK: Final = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
"""Atomic: CR LF is one line end, never two."""
_FIRST: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?(?:data|event|id|retry)?:")
_SNIFFED: Final = 64
_NEXT_LINE: Final = re.compile(rb"\}[ \t]*\r?\n\s*\{")


@dataclass(frozen=True, slots=True)
class SseEvent:
    at: float
    """When its last byte arrived."""
    data: str
    """All its data lines, joined."""
    event: str = ""
    id: str = ""
    comment: str = ""
    whole: bool = True
    """False: the stream ended in the middle of it."""
    size: int = 0
    """Bytes on the wire, the empty line included."""


def looks_like_sse(data: bytes) -> bool:
    return _FIRST.match(data[:_SNIFFED]) is not None


def looks_like_lines(data: bytes) -> bool:
    """Two JSON objects in a row, which no single JSON value can hold."""
    return _NEXT_LINE.search(data) is not None and not looks_like_sse(data)


def looks_like_stream(data: bytes) -> bool:
    return looks_like_sse(data) or looks_like_lines(data)


def stream_events(pieces: Sequence[tuple[float, bytes]]) -> tuple[SseEvent, ...]:
    """Of either kind of stream; none where it is neither."""
    data = b"".join(piece for _, piece in pieces)
    if looks_like_sse(data):
        return sse_events(pieces)
    return tuple(_lines(pieces)) if looks_like_lines(data) else ()


def _lines(pieces: Iterable[tuple[float, bytes]]) -> Iterator[SseEvent]:
    pending = b""
    at = 0.0
    for at, piece in pieces:
        *whole, pending = (pending + piece).split(b"\n")
        for line in whole:
            if line.strip():
                yield SseEvent(at, line.strip().decode("utf-8", "replace"), size=len(line) + 1)
    if pending.strip():
        yield SseEvent(at, pending.strip().decode("utf-8", "replace"), whole=False, size=len(pending))


def sse_events(pieces: Iterable[tuple[float, bytes]]) -> tuple[SseEvent, ...]:
    """Every event of a stream that came in pieces, cut anywhere; bytes that are no UTF-8 show as U+FFFD."""
    found: list[SseEvent] = []
    pending = b""
    at = 0.0
    for at, piece in pieces:
        pending += piece
        start = 0
        for blank in _BLANK.finditer(pending):
            if blank.end() == len(pending) and pending.endswith(b"\r"):
                break  # the other half of a line end may still come
            if blank.start() >= start:
                found.append(_read(pending[start : blank.start()], at, blank.end() - start))
                start = blank.end()
        pending = pending[start:]
    if pending.strip(b"\r\n"):
        ended = pending.endswith((b"\r\r", b"\n\n", b"\r\n\r"))
        found.append(_read(pending, at, len(pending), whole=ended))
    return tuple(event for event in found if event.size and (event.data or event.event or event.comment or event.id))


def _read(block: bytes, at: float, size: int, *, whole: bool = True) -> SseEvent:
    data: list[str] = []
    comments: list[str] = []
    named = {"event": "", "id": ""}
    for line in _LINE_END.split(block):
        text = line.decode("utf-8", "replace").removeprefix("\ufeff")
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name in named:
            named[name] = value
        elif not name and text:
            comments.append(value)
        elif text:
            comments.append(text)  # a field nobody knows: shown as it stands
    return SseEvent(at, "\n".join(data), named["event"], named["id"], "\n".join(comments), whole, size)
