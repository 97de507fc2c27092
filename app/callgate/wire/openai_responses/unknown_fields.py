"""What a response says beside what is read of it: fields of its items, of its usage, and of itself."""

from collections.abc import Mapping

from callgate.core.messages import Json
from callgate.wire.openai_logprobs import unread_logprobs
from callgate.wire.openai_responses.envelope import ECHOED
from callgate.wire.openai_responses.lenient import object_at, objects_at, text_at
from callgate.wire.unknown_fields import Beside, unread

COMPUTED = (
    "id",
    "object",
    "created_at",
    "completed_at",
    "status",
    "error",
    "incomplete_details",
    "model",
    "output",
    "output_text",
    "usage",
)
_KNOWN = frozenset((*ECHOED, *COMPUTED))
_OF_ITEMS: dict[str, frozenset[str]] = {
    "message": frozenset(("type", "id", "status", "role", "content")),
    "reasoning": frozenset(("type", "id", "status", "summary", "content", "encrypted_content")),
    "function_call": frozenset(("type", "id", "status", "call_id", "name", "arguments", "namespace")),
    "custom_tool_call": frozenset(("type", "id", "status", "call_id", "name", "input", "namespace")),
}
"""All other items are parts of their own, and come whole."""
_OF_CONTENT: dict[str, frozenset[str]] = {
    "output_text": frozenset(("type", "text", "annotations", "logprobs")),
    "refusal": frozenset(("type", "refusal")),
}
_OF_ANNOTATION = frozenset(("type", "start_index", "end_index", "title", "url", "filename"))
_OF_USAGE = frozenset(
    ("input_tokens", "input_tokens_details", "output_tokens", "output_tokens_details", "total_tokens")
)


def unread_response(response: Mapping[str, Json]) -> list[Beside]:
    """Without its items."""
    return [*unread(response, _KNOWN), *unread(object_at(response, "usage"), _OF_USAGE, "usage.")]


def unread_item(item: Mapping[str, Json]) -> list[Beside]:
    kind = text_at(item, "type")
    known = _OF_ITEMS.get(kind)
    if known is None:
        return []
    found = unread(item, known, f"output.{kind}.")
    for part in objects_at(item, "content") if kind == "message" else ():
        name = text_at(part, "type")
        within = f"output.message.content.{name}"
        found += unread(part, _OF_CONTENT[name], f"{within}.") if name in _OF_CONTENT else [(within, True)]
        found += unread_logprobs(part.get("logprobs"), f"{within}.logprobs.")
        for entry in objects_at(part, "annotations"):
            found += unread(entry, _OF_ANNOTATION, f"{within}.annotations.")
    return found
