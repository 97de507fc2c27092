"""Host and Origin headers by their grammar: what is not exactly one of theirs has no meaning here."""

import ipaddress
import re

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_AUTHORITY = re.compile(
    r"(?:\[(?P<v6>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?))(?::(?P<port>[0-9]{1,5}))?"
)
"""RFC 9110 `host [":" port]`, without userinfo, percent signs and the root's dot, which no browser or library needs."""
_DEFAULT_PORT = {"http": 80, "https": 443}


def read_host(header: str) -> tuple[str, int | None] | None:
    """Name in lower case and port of a Host header; None = it is none."""
    found = _AUTHORITY.fullmatch(header)
    if found is None or ".." in header:
        return None
    port = int(found["port"]) if found["port"] else None
    if port is not None and not 0 < port < 65536:
        return None
    if found["v6"] is None:
        return found["name"].lower(), port
    try:
        return ipaddress.IPv6Address(found["v6"]).compressed, port
    except ValueError:
        return None


def read_origin(header: str) -> str | None:
    """The origin of a web page in its normal form, as browsers send it; None = none, or an opaque one (`null`)."""
    scheme, _, authority = header.partition("://")
    scheme = scheme.lower()
    read = read_host(authority) if scheme in _DEFAULT_PORT else None
    if read is None:
        return None
    name, port = read
    shown = f"[{name}]" if ":" in name else name
    return f"{scheme}://{shown}" if port in (None, _DEFAULT_PORT[scheme]) else f"{scheme}://{shown}:{port}"


def is_loopback(origin: str) -> bool:
    """Whether the page of an origin, as `read_origin` gives it, comes from this machine."""
    read = read_host(origin.partition("://")[2])
    return read is not None and read[0] in LOOPBACK
