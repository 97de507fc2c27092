"""Hiding secrets in what is kept or shown: header values, bearer tokens, keys, `key=` in addresses.

For heads and for words about failures, never for what people and models say: conversations are kept word for word.
"""

import re

MASK = "***"

SECRET_HEADERS = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "x-api-key",
        "api-key",
        "x-goog-api-key",
        "ocp-apim-subscription-key",
        "x-auth-token",
        "x-amz-security-token",
        "cookie",
        "set-cookie",
    }
)
_SCHEMES = frozenset({"bearer", "basic", "digest", "token"})

_QUERY = re.compile(r"(?i)([?&](?:key|api[_-]?key|access_token|token)=)[^&\s\"'<>#]+")
_BEARER = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{16,}")
_KEY = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}"
    r"|(?:gsk|hf|ghp|gho|github_pat)_[A-Za-z0-9_]{16,}|xai-[A-Za-z0-9]{16,}|cg_[A-Za-z0-9_-]{40,})"
)
_HEADER = re.compile(
    r"(?i)(?<![A-Za-z0-9-])("
    + "|".join(sorted(map(re.escape, SECRET_HEADERS), key=len, reverse=True))
    + r")(['\"]\s*[:,]\s*b?['\"]|\s*[:=]\s*)([^\r\n\"']+)"
)


def mask(text: str) -> str:
    """The text with everything that looks like a secret hidden."""
    text = _HEADER.sub(lambda found: f"{found[1]}{found[2]}{_hidden(found[3])}", text)
    text = _QUERY.sub(rf"\g<1>{MASK}", text)
    text = _BEARER.sub(rf"\g<1>{MASK}", text)
    return _KEY.sub(MASK, text)


def mask_head(head: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Header lines with the values of secret headers hidden, and secrets in all others."""
    return tuple(
        (name, _hidden(value) if name.strip().lower() in SECRET_HEADERS else mask(value)) for name, value in head
    )


def _hidden(value: str) -> str:
    scheme, _, rest = value.strip().partition(" ")
    return f"{scheme} {MASK}" if rest and scheme.lower() in _SCHEMES else MASK
