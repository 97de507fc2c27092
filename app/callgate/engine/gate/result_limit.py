"""How much of a tool's result the model gets: its beginning and end, and a note of what lies between.

Files that no model can read stay in a folder, with a note where.

The whole is kept in a file, for the person and for a model that is shown it. Tokens are estimated: no two models count
alike, and the limit is about orders of magnitude.
"""

import asyncio
import base64
import binascii
import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from callgate.core.messages import File, Image, ResultPart, Text
from callgate.tools.process.job_output import prune

# Which pictures and files of a tool's result a model can be given, and which are better text or kept aside. Pure.
Fate = Literal["given", "text", "kept"]
"""It goes to the model as it is; as the text that it is; or stays in a file, and the model is told where."""

_PICTURES = frozenset({"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"})
"""What every provider takes."""
_TEXTS = frozenset(
    {
        "application/json",
        "application/ld+json",
        "application/javascript",
        "application/toml",
        "application/xml",
        "application/yaml",
        "application/x-yaml",
        "application/x-sh",
        "image/svg+xml",
    }
)
_DOCUMENTS = frozenset({"application/pdf"})
_RECORDINGS = ("audio/", "video/")


def fate(part: ResultPart) -> Fate:
    if isinstance(part, Text) or not part.data:
        return "given"
    kind = part.media_type.partition(";")[0].strip().lower()
    if kind in _TEXTS or kind.startswith("text/") or kind.endswith(("+json", "+xml")):
        return "text"
    if kind in _PICTURES or kind in _DOCUMENTS:
        return "given"
    return "kept"


def is_recording(part: ResultPart) -> bool:
    """Sound and film are kept, and also given: some models take them, and the wires of the others leave them out."""
    return isinstance(part, File) and part.media_type.lower().startswith(_RECORDINGS)


def bytes_of(part: Image | File) -> bytes:
    """What it holds; data that is no base64 is kept as it was said."""
    try:
        return base64.b64decode(part.data, validate=True)
    except binascii.Error:
        return part.data.encode()


def as_text(part: Image | File) -> Text:
    text = bytes_of(part).decode("utf-8", "replace")
    name = part.name if isinstance(part, File) else ""
    return Text(f"{name}:\n{text}" if name else text)


BYTES_PER_TOKEN = 4
"""The usual rule of thumb for English text and code; other scripts take fewer bytes a token, never by a magnitude."""
MOST_MEDIA_BYTES = 8 * 1024 * 1024
"""Of one picture or file as base64: providers refuse larger ones."""
MOST_SAVED_BYTES = 512 * 1024 * 1024
"""All kept results together; the oldest go first."""
_HEAD = 0.4
"""The end of an output tells more than its beginning."""


class ResultLimit:
    def __init__(self, folder: Path, tokens: int) -> None:
        """`tokens`: what the text parts of one result may have together; 0 = no limit."""
        self._folder = folder
        self.tokens = tokens

    async def apply(
        self, call: str, parts: tuple[ResultPart, ...], *, for_model: bool = True
    ) -> tuple[ResultPart, ...]:
        """The parts that the model may have; `call` names the file that the whole is kept in.

        `for_model`: False = a program gets the result, which can make use of every kind of file.
        """
        if self._fits(parts, for_model):
            return parts
        return await asyncio.to_thread(self._cut, call, parts, for_model)

    def _fits(self, parts: tuple[ResultPart, ...], for_model: bool) -> bool:
        if for_model and any(fate(part) != "given" for part in parts):
            return False
        # characters are no more than bytes and no fewer than a quarter of them: mostly they settle it without encoding
        texts = [part.text for part in parts if isinstance(part, Text)]
        most = self.tokens * BYTES_PER_TOKEN
        small = not self.tokens or sum(map(len, texts)) * 4 <= most or sum(len(t.encode()) for t in texts) <= most
        return small and not any(_is_huge(part) for part in parts)

    def _cut(self, call: str, parts: tuple[ResultPart, ...], for_model: bool) -> tuple[ResultPart, ...]:
        prune(self._folder, MOST_SAVED_BYTES, "*")
        left = self.tokens * BYTES_PER_TOKEN
        out: list[ResultPart] = []
        for number, given in enumerate(parts):
            part = self._readable(f"{call}-{number}", given) if for_model else given
            if isinstance(part, Text):
                size = len(part.text.encode())
                out.append(self._shortened(f"{call}-{number}.txt", part, left) if self.tokens and size > left else part)
                left = max(left - size, 0)
            elif _is_huge(part):
                out.append(self._described(f"{call}-{number}", part))
            else:
                out.append(part)
        return tuple(out)

    def _readable(self, name: str, part: ResultPart) -> ResultPart:
        """What a model can be given of it; larger ones than any provider takes are described later."""
        if isinstance(part, Text) or _is_huge(part):
            return part
        match fate(part):
            case "given":
                return part
            case "text":
                return as_text(part)
            case "kept":
                saved = self._kept(name, bytes_of(part))
                if isinstance(part, File) and is_recording(part):
                    return replace(part, name=saved)
                what = f"{part.media_type or 'unknown type'}, {len(bytes_of(part)):,} bytes"
                called = f" {part.name}" if isinstance(part, File) and part.name else ""
                return Text(f"[a file{called} ({what}) that you cannot be given; {saved}]")

    def _shortened(self, name: str, part: Text, most: int) -> Text:
        data = part.text.encode()
        head = data[: int(most * _HEAD)].decode("utf-8", "ignore")
        tail = data[len(data) - (most - int(most * _HEAD)) :].decode("utf-8", "ignore") if most else ""
        hidden = (len(data) - most) // BYTES_PER_TOKEN
        whole = len(data) // BYTES_PER_TOKEN
        note = f"[… about {hidden:,} of {whole:,} tokens left out; {self._kept(name, data)} …]"
        return Text("\n".join(piece for piece in (head, note, tail) if piece), part.extras)

    def _described(self, name: str, part: Image | File) -> Text:
        data = bytes_of(part)
        kind = "picture" if isinstance(part, Image) else "file"
        what = f"a {kind} ({part.media_type}, {len(data):,} bytes)"
        return Text(f"[{what} is too large to be sent; {self._kept(name, data)}]")

    def _kept(self, name: str, data: bytes) -> str:
        """Saves the whole and says where; a full disk costs the file, not the result."""
        path = self._folder / name
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
        except OSError as problem:
            return f"it could not be kept: {problem.strerror or problem}"
        return f"all of it is in {path}"


def _is_huge(part: ResultPart) -> bool:
    return not isinstance(part, Text) and len(part.data) > MOST_MEDIA_BYTES
