"""Identifiers: short, sortable by nothing, unique enough for one machine.

The prefix says what a thing is (`conv`, `exch`, `inv`, `call`), so that a bare id in a log can be understood.
"""

import secrets
import string

_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 24


def new_id(prefix: str) -> str:
    """A fresh id such as `call_4fG…`; 24 base-62 characters are what OpenAI's own ids have."""
    return f"{prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}"
