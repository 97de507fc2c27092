"""Files and pictures that go along with a message: read, judged by size and kind, and made into parts. No widgets."""

import base64
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from callgate.core.messages import File, Image, Message, Text
from callgate.engine.console.conversation_service import Enclosed
from callgate.ui.text import format as figures

MOST_IMAGE: Final = 5 * 1024 * 1024
"""What the strictest provider takes of one picture."""
MOST_TEXT: Final = 512 * 1024
"""A text file goes into the message as text, and every letter costs tokens."""
MOST_FILE: Final = 20 * 1024 * 1024
MOST_TOGETHER: Final = 24 * 1024 * 1024
"""Providers refuse requests of some 30 MB, and base64 adds a third."""
MOST_COUNT: Final = 20
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The kinds that models are shown."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Something that goes along; `problem` says why it can't."""

    name: str
    part: Enclosed | None
    size: int
    problem: str = ""

    @property
    def what(self) -> str:
        match self.part:
            case Image():
                return "image"
            case File():
                return "file"
            case Text():
                return "text"
            case None:
                return "problem"


def enclose(name: str, data: bytes, media_type: str = "") -> Enclosure:
    media_type = media_type or mimetypes.guess_type(name)[0] or ""
    if not data:
        return Enclosure(name, None, 0, f"{name} is empty.")
    if media_type in _IMAGES:
        if len(data) > MOST_IMAGE:
            return _too_large(name, data, MOST_IMAGE, "a picture")
        return Enclosure(name, Image(media_type, base64.b64encode(data).decode()), len(data))
    text = _as_text(data)
    if text is not None:
        if len(data) > MOST_TEXT:
            return _too_large(name, data, MOST_TEXT, "a text file, which goes into the message as text")
        return Enclosure(name, Text(_quoted(name, text)), len(data))
    if len(data) > MOST_FILE:
        return _too_large(name, data, MOST_FILE, "a file")
    kind = media_type or "application/octet-stream"
    return Enclosure(name, File(kind, base64.b64encode(data).decode(), name=name), len(data))


def read_file(path: Path) -> Enclosure:
    """Blocks while it reads: not for the loop's own thread."""
    try:
        if not path.is_file():
            return Enclosure(path.name, None, 0, f"{path.name} is not a file.")
        size = path.stat().st_size
        if size > MOST_FILE:
            return Enclosure(path.name, None, size, _words(path.name, size, MOST_FILE, "a file"))
        return enclose(path.name, path.read_bytes())
    except OSError as error:
        return Enclosure(path.name, None, 0, f"{path.name} cannot be read: {error.strerror or error}.")


def obstacle(enclosures: tuple[Enclosure, ...]) -> str:
    """Why these can't all go along; empty = they can."""
    if len(enclosures) > MOST_COUNT:
        return f"At most {MOST_COUNT} files go with one message."
    total = sum(one.size for one in enclosures)
    if total > MOST_TOGETHER:
        return f"Together they have {figures.size(total)}; at most {figures.size(MOST_TOGETHER)} go with one message."
    return ""


def taken_up(message: Message) -> tuple[str, tuple[Enclosure, ...]]:
    """A message that was sent, as it was written: its words, and what went along."""
    parts = [part for part in message.parts if isinstance(part, Text | Image | File)]
    last = parts[-1] if parts else None
    if isinstance(last, Text):
        return last.text, tuple(_again(part) for part in parts[:-1])
    return "", tuple(_again(part) for part in parts)


def _again(part: Enclosed) -> Enclosure:
    match part:
        case Image():
            return Enclosure("picture", part, len(part.data) * 3 // 4)
        case File():
            return Enclosure(part.name or "file", part, len(part.data) * 3 // 4)
        case Text():
            head = part.text.partition("\n")[0]
            return Enclosure(head.removeprefix("File ").removesuffix(":"), part, len(part.text.encode()))


def _quoted(name: str, text: str) -> str:
    """The text in a fence that nothing in it can close."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"File {name}:\n{fence}\n{text.rstrip()}\n{fence}"


def _as_text(data: bytes) -> str | None:
    if b"\0" in data[:4096]:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _too_large(name: str, data: bytes, most: int, what: str) -> Enclosure:
    return Enclosure(name, None, len(data), _words(name, len(data), most, what))


def _words(name: str, size: int, most: int, what: str) -> str:
    return f"{name} has {figures.size(size)}: {what} may have {figures.size(most)}."
