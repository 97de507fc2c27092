"""Hiding secrets in what is shown or logged: header values, bearer tokens, keys, `key=` in addresses.

What a secret looks like stands in `core.secrets`; here is only what takes its place on screens and in heads.
"""

from callgate.core.secrets.finding import replace_secrets
from callgate.core.secrets.names import is_secret_header

MASK = "***"
_SCHEMES = frozenset({"bearer", "basic", "digest", "token"})


def mask(text: str) -> str:
    """The text with everything that looks like a secret hidden."""
    data = text.encode("utf-8", "surrogatepass")
    clean = replace_secrets(data, lambda found, secret: MASK.encode())
    return text if clean is data else clean.decode("utf-8", "surrogatepass")


def mask_head(head: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Header lines with the values of secret headers hidden, and secrets in all others."""
    return tuple((name, _hidden(value) if is_secret_header(name) else mask(value)) for name, value in head)


def _hidden(value: str) -> str:
    scheme, _, rest = value.strip().partition(" ")
    return f"{scheme} {MASK}" if rest and scheme.lower() in _SCHEMES else MASK
