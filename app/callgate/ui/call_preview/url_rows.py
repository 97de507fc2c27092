"""An address as rows: the host stands out, the rest steps back, and what could deceive is said. Pure.

The address is shown as it was written. Where the name that is looked up is another than the one that is read, both
are shown.
"""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, urlsplit

from callgate.core.calls.preview import UrlPreview
from callgate.core.rules.lookalike import skeleton
from callgate.ui.call_preview.rows import Row
from callgate.ui.text.hidden_characters import reveal, suspects

_LOCAL: Final = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})
_MANY_LABELS: Final = 5
"""A name with more parts than this may be made to look like another at a glance."""


class UrlRows:
    def __init__(self, preview: UrlPreview) -> None:
        self._preview = preview

    @property
    def heading(self) -> str:
        return f"Sends a request to {reveal(self._preview.host)}"

    @property
    def counts(self) -> str:
        return ""

    def rows(self) -> Iterator[Row]:
        method, url = reveal(self._preview.method), reveal(self._preview.url)
        start, end = _host_span(url)
        lead = len(method) + 1
        whole = f"{method} {url}"
        dim = tuple(span for span in ((lead, lead + start), (lead + end, len(whole))) if span[0] < span[1])
        strong = ((lead + start, lead + end),) if end > start else ()
        yield Row(whole, "", strong=strong, dim=dim)
        yield from (
            Row(reveal(words), "▲" if grave else "·", "grave" if grave else "mind")
            for words, grave in _odd(self._preview)
        )


def _odd(preview: UrlPreview) -> Iterator[tuple[str, bool]]:
    """What a reader may miss, and whether it is grave."""
    parts = _split(preview.url)
    host = preview.host.lower()
    read = _unicode(host)
    if "xn--" in host:
        yield f"The name that is looked up is {host}; it is read as {read}.", True
        plain = skeleton(read)
        if plain.isascii() and plain != read:
            yield f"It could be taken for {plain}.", True
    elif parts is not None and (found := suspects(parts.netloc)):
        yield f"{found[0].what} {found[0].why}.", True
    if parts is None:
        yield "This is no address that can be taken apart.", True
        return
    if parts.username is not None:
        yield f"What stands before @ is a user's name, not the host: it goes to {host}.", True
    if parts.scheme == "http" and not _is_local(host):
        yield "It is not encrypted: others on the way can read and change it.", False
    if _is_local(host):
        yield "It goes to this computer or to the local network.", False
    elif re.fullmatch(r"[\d.]+|\[?[0-9a-f:]+\]?", host):
        yield "It goes to a bare number instead of a name.", False
    if host.count(".") >= _MANY_LABELS:
        yield f"A long name: what counts is its end, {'.'.join(host.split('.')[-2:])}.", False


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.hostname else None
    except ValueError:
        return None


def _host_span(url: str) -> tuple[int, int]:
    """Where the host stands in an address; nowhere = (0, 0)."""
    found = re.match(r"[^/?#]*//(?:[^/?#]*@)?(\[[^\]/?#]*\]|[^:/?#]*)", url)
    return found.span(1) if found is not None else (0, 0)


def _unicode(host: str) -> str:
    labels: list[str] = []
    for label in host.split("."):
        try:
            labels.append(label.encode("ascii").decode("idna") if label.startswith("xn--") else label)
        except UnicodeError:
            labels.append(label)
    return ".".join(labels)


def _is_local(host: str) -> bool:
    bare = host.strip("[]")
    if bare in _LOCAL or bare.endswith((".local", ".localhost", ".internal")):
        return True
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return False
    return address.is_private or address.is_loopback or address.is_link_local
