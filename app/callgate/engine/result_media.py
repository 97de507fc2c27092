"""Which pictures and files of a tool's result a model can be given, and which are better text or kept aside. Pure."""

import base64
import binascii
from typing import Literal

from callgate.core.messages import File, Image, ResultPart, Text

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
