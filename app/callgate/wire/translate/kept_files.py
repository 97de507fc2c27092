"""Files that stay with a provider and are only named in a request: nobody else can open them, so a request that shows
one to another provider is refused instead of failing there in words that nobody understands.

Addresses that anyone can open are no business of this file.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from callgate.core.errors import Unspeakable
from callgate.core.messages import File, Image, Message, Part
from callgate.core.request import WireName

_OPENAI = frozenset(("openai-chat", "openai-responses"))
"""Both wires of one provider: a file id means the same in both."""
_KINDS = frozenset(("image", "file"))
_OPEN_SCHEMES = ("http", "https", "data")
_GOOGLE_FILES = "generativelanguage.googleapis.com"
"""Where files are that were uploaded to Gemini; opened with a key only."""


def refuse_kept_files(messages: Iterable[Message], wire: WireName, target: WireName) -> None:
    """Raises `Unspeakable`."""
    shared = {wire, target} <= _OPENAI
    for message in messages:
        for part in message.parts:
            if part.kind == "result":
                for inner in part.parts:
                    if inner.kind in _KINDS:
                        _refuse(inner, shared)
            elif part.kind in _KINDS:
                _refuse(part, shared)


def _refuse(part: Part, shared: bool) -> None:
    if not isinstance(part, Image | File) or part.data:
        return
    if part.file_id and not part.url and not shared:
        raise Unspeakable(
            f"The {part.kind} named by another provider's file id ({part.file_id}) cannot be sent to this one.",
            "messages",
        )
    if part.url and _is_kept(part.url):
        raise Unspeakable(f"The {part.kind} that only its own provider can open cannot be sent: {part.url}", "messages")


def _is_kept(url: str) -> bool:
    try:
        address = urlsplit(url)
    except ValueError:
        return False  # no address at all: whoever gets it says so
    return address.scheme not in _OPEN_SCHEMES or address.hostname == _GOOGLE_FILES
