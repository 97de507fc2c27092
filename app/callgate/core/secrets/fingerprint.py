"""What is kept in place of a secret: enough to tell whose key it was and whether two are the same. Pure."""

import hashlib
from typing import Final

from callgate.core.secrets.finding import Found, replace_secrets
from callgate.core.secrets.names import looks_random

LEAST_HASHED: Final = 20
"""Characters. A shorter one, and any that a person could remember, can be guessed: a hash would confirm the guess."""
_TAIL: Final = 4


def fingerprint(found: Found, secret: bytes) -> bytes:
    """Without quotes and backslashes, so that it can stand wherever the secret did."""
    if found.kind == "private key":
        return f"«private key · sha256:{_hash(secret)}»".encode()
    word = {"token": "token", "key": "key", "password": "password"}.get(found.kind, "secret")
    if found.kind == "password" or len(secret) < LEAST_HASHED or not looks_random(secret.decode("latin-1")):
        return f"«{word}»".encode()
    tail = secret[-_TAIL:].decode("ascii", "replace") if found.shown else ""
    return f"«{word} {found.shown.decode()}…{tail} · sha256:{_hash(secret)}»".encode()


def fingerprinted(data: bytes) -> bytes:
    """The data with a fingerprint in place of each secret; the same object where there is none."""
    return replace_secrets(data, fingerprint)


def _hash(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()[:8]
