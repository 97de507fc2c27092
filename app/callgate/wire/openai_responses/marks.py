"""The wire's name, and the keys under which `extras` remember how something was spelled.

Marks begin with `@`, which no field of the wire does: they are never written, they only steer the writing.
"""

from collections.abc import Mapping

from callgate.core.json.fields import Fields
from callgate.core.messages import Extras, Json
from callgate.core.request import WireName

WIRE: WireName = "openai-responses"

ENVELOPE = "cg1."
"""Begins a signature of another wire that Callgate has wrapped; only Callgate can open it."""

ITEM = "@item"
"""On the first part of an assistant's message item: what else the item said (id, status, phase …); marks where one
item ends and the next begins. On a message: the whole item that it stands for. On an image: the item that made it."""
CONTENT = "@content"
"""`text`: the content was one string, not a list."""
OUTPUT = "@output"
"""`list`: a tool's output was a list, though one string could have said it."""
PART = "@part"
"""A content part of an unknown type, word for word."""
SUMMARY = "@summary"
"""A reasoning item's summary where it is not one plain text."""
INPUT = "@input"
"""`text`: the whole input was one string."""
INSTRUCTIONS = "@instructions"
"""This message was the field `instructions`, not an item."""
NAMESPACE = "@namespace"
"""On the first tool of a namespace: what the group says of itself."""
ADDITIONAL = "@additional"
"""This tool came in an `additional_tools` item, which still offers it."""
CHOICE = "@choice"
"""Entries of an allowed list that name no function: they are a provider's own tools."""
FORMAT = "@format"
"""Keys of a reply format that the neutral form does not know."""


def own(extras: Extras) -> dict[str, Json]:
    """The fields among the extras, without the marks."""
    return {key: value for key, value in extras.items() if not key.startswith("@")}


def leftover(fields: Fields, *known: str) -> dict[str, Json]:
    """What the neutral form does not hold: unknown keys, and known ones that were said to be null."""
    return {key: value for key, value in fields.value.items() if key not in known or value is None}


def mapping(value: Json) -> Mapping[str, Json]:
    """A mark's object; empty where the mark is none."""
    return value if isinstance(value, dict) else {}
