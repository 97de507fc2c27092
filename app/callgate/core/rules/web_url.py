"""Addresses in one uniform spelling, so that two spellings of one place cannot be judged differently. Pure."""

import ipaddress
import re
import unicodedata
from urllib.parse import quote, unquote_to_bytes, urlsplit

from callgate.core.rules.glob import collapsed

UNSAFE = "unsafe:"
"""Begins what cannot be brought into the uniform spelling; no pattern for addresses matches it."""

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9.\-_]+|\[[0-9a-f:.]+\]")
_HIDDEN = re.compile(r"%(?:2[ef]|5c|25|00)|/\.\.?;", re.IGNORECASE)
"""Dots, slashes and percent signs in disguise: servers disagree on what they mean."""
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_DISPUTED = frozenset("ßς\u200c\u200d\u3002\uff0e\uff61")
"""The two standards for international names make different hosts of these, or other signs of them."""
_KEPT = "/:@!$&'()*+,;=~-._"


def canonical_url(text: str) -> str:
    """Scheme and host in small letters, the usual port, `..` and `#…` dropped; or the text behind `unsafe:`."""
    try:
        parts = urlsplit(text)
        host, port = uniform_host(parts.hostname or ""), parts.port
    except ValueError:  # a UnicodeError is one too
        return UNSAFE + text
    if (
        parts.scheme not in _PORTS
        or not _HOST.fullmatch(host)
        or "@" in parts.netloc
        or "\\" in text
        or _HIDDEN.search(parts.path)
        or any(char.isspace() or not char.isprintable() for char in text)
    ):
        return UNSAFE + text
    shown_port = "" if port is None or port == _PORTS[parts.scheme] else f":{port}"
    path = uniform_path(parts.path)
    plain = collapsed(path) if path else "/"
    if path.endswith("/") and not plain.endswith("/"):
        plain += "/"
    if ".." in plain.split("/"):
        return UNSAFE + text
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{host}{shown_port}{plain}{query}"


def uniform_host(host: str) -> str:
    """A host as it is looked up, in small letters and ASCII, numbers in one spelling. Raises ValueError for one that
    programs may take for different hosts."""
    if ":" in host:
        address = ipaddress.IPv6Address(host)
        if address.ipv4_mapped is not None or address.scope_id is not None:
            raise ValueError("an address of the one kind in the clothes of the other")
        return f"[{address.compressed}]"
    host = host.lower()
    if not host.isascii():
        if set(host) & _DISPUTED or unicodedata.normalize("NFKC", host) != host:
            raise ValueError("a name that is read in two ways")
        host = host.encode("idna").decode("ascii")
    labels = host.removesuffix(".").split(".")
    if not all(labels):
        raise ValueError("an empty step in the name")
    if _NUMBER.fullmatch(labels[-1]):
        # 127.1, 0x7f.1, 0177.0.0.1 and 2130706433 are all 127.0.0.1, to some
        return str(ipaddress.IPv4Address(".".join(labels)))
    return ".".join(labels)


def uniform_path(path: str, also: str = "") -> str:
    """A path with each character escaped that must be, and no other; `also` are left alone too."""
    return quote(unquote_to_bytes(path), safe=_KEPT + also)
