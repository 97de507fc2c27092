"""Ids of responses and items that Callgate gives out.

They follow from what they name, so that a streamed reply, the same reply written plain and the stored one agree
without anyone carrying a table. Knows nothing of items' content.
"""

import hashlib

from callgate.core.ids import new_id

MAX_CALL_ID = 64
"""OpenAI refuses longer call ids (`string_above_max_length`)."""

_MADE_HERE = "cg"


def response_id(foreign: str) -> str:
    """The id under which a client knows a response; the provider's own where it fits."""
    if foreign.startswith("resp_"):
        return foreign
    return f"resp_{_digest(foreign)}" if foreign else new_id("resp")


def item_id(prefix: str, response: str, index: int) -> str:
    """The id of the item at an index of a response's output."""
    return f"{prefix}_{_MADE_HERE}{_digest(f'{response}/{index}')}"


def is_ours(identifier: str) -> bool:
    """True: no provider knows this item id."""
    return identifier.partition("_")[2].startswith(_MADE_HERE)


def fitting(identifier: str, prefix: str) -> bool:
    """True for an item id that OpenAI itself could have given to this kind of item."""
    return identifier.startswith(f"{prefix}_") and len(identifier) <= MAX_CALL_ID


def call_id(identifier: str) -> str:
    """A call's id as OpenAI accepts it: unchanged unless too long, and the same answer every time."""
    if len(identifier) <= MAX_CALL_ID:
        return identifier
    return f"call_{hashlib.sha256(identifier.encode('utf-8', 'replace')).hexdigest()[:24]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
