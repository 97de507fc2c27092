"""What a reply says beside what is read of it: fields of its blocks, of its usage, and of the message."""

from collections.abc import Mapping

from callgate.core.messages import Json
from callgate.wire.anthropic_messages.citations import unread_citation
from callgate.wire.anthropic_messages.stop import is_known
from callgate.wire.anthropic_messages.usage import COUNTED
from callgate.wire.unknown_fields import Beside, unread

_OF_MESSAGE = frozenset(
    ("type", "id", "role", "model", "content", "stop_reason", "stop_sequence", "stop_details", "usage")
)
_OF_BLOCKS: dict[Json, frozenset[str]] = {
    "text": frozenset(("type", "text", "citations")),
    "thinking": frozenset(("type", "thinking", "signature")),
    "redacted_thinking": frozenset(("type", "data")),
    "tool_use": frozenset(("type", "id", "name", "input")),
}
"""All other blocks are parts of their own, and come whole."""
_OF_USAGE = frozenset(COUNTED)
_OF_REFUSAL = frozenset(("type", "explanation"))


def unread_message(message: Mapping[str, Json]) -> list[Beside]:
    """Without its blocks; also what is said of it at its end."""
    found = unread(message, _OF_MESSAGE)
    reason = message.get("stop_reason")
    if isinstance(reason, str) and not is_known(reason):
        found.append(("stop_reason", reason))
    details = message.get("stop_details")
    if isinstance(details, dict):
        known = _OF_REFUSAL if reason == "refusal" else frozenset[str](("type",))
        found += unread(details, known, "stop_details.")
    return found


def unread_usage(usage: Json) -> list[Beside]:
    return unread(usage, _OF_USAGE, "usage.") if isinstance(usage, dict) else []


def unread_block(block: Mapping[str, Json]) -> list[Beside]:
    kind = block.get("type")
    known = _OF_BLOCKS.get(kind) if isinstance(kind, str) else None
    found = [] if known is None else unread(block, known, f"content.{kind}.")
    citations = block.get("citations")
    for entry in citations if isinstance(citations, list) else ():
        found += unread_citation(entry)
    return found
