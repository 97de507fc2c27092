"""Addresses in one uniform spelling, so that two spellings of one place cannot be judged differently. Pure."""

import re
from urllib.parse import quote, unquote, urlsplit

from callgate.core.glob import collapsed

UNSAFE = "unsafe:"
"""Begins what cannot be brought into the uniform spelling; no pattern for addresses matches it."""

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9.\-_]+|\[[0-9a-f:.]+\]")
_HIDDEN = re.compile(r"%(?:2[ef]|5c|25|00)", re.IGNORECASE)
"""Dots, slashes and percent signs in disguise: servers disagree on what they mean."""
_KEPT = "/:@!$&'()*+,;=~-._"


def canonical_url(text: str) -> str:
    """Scheme and host in small letters, the usual port, `..` and `#…` dropped; or the text behind `unsafe:`."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return UNSAFE + text
    host = f"[{host}]" if ":" in host else host.rstrip(".").lower()
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


def uniform_path(path: str, also: str = "") -> str:
    """A path with each character escaped that must be, and no other; `also` are left alone too."""
    return quote(unquote(path), safe=_KEPT + also)
