"""An address as it may be written down: where it leads, without anything that could be a secret. Pure."""

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from callgate.core.secrets.masking import MASK, mask

_HARMLESS: Final = frozenset({"alt", "api-version", "beta", "prettyprint", "$prettyprint", "$alt"})
"""Parameters of providers whose values are no secrets. What a value of any other is, nobody can tell."""


def shown_url(url: str) -> str:
    """Without a user's name and password; values of parameters only where they are known to be harmless."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    query = "&".join(_parameter(part) for part in parts.query.split("&")) if parts.query else ""
    return mask(urlunsplit((parts.scheme, host, parts.path, query, "")))


def _parameter(part: str) -> str:
    name, equals, value = part.partition("=")
    return part if not value or name.lower() in _HARMLESS else f"{name}{equals}{MASK}"
