"""Identifiers: short, sortable by nothing, unique enough for one machine.

The prefix says what a thing is (`conv`, `exch`, `inv`, `call`), so that a bare id in a log can be understood.
"""

import secrets
import string

_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 24
_BITS = 160
"""More than 24 characters hold. Drawn at once: a system call a character made a long history stall the loop."""


def new_id(prefix: str) -> str:
    """A fresh id such as `call_4fG…`; 24 base-62 characters are what OpenAI's own ids have."""
    number = secrets.randbits(_BITS)
    letters: list[str] = []
    for _ in range(_LENGTH):
        number, letter = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return f"{prefix}_{''.join(letters)}"
