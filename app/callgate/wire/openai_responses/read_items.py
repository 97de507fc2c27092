"""Input and output items → messages.

An assistant's turn is several items here (reasoning, message, calls) and one message in the neutral form; marks keep
where each item began. What is no text, call, result, reasoning or image stays `Opaque`, in its place.
"""

from collections.abc import Sequence

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_text
from callgate.core.messages import (
    CallVariant,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.wire.openai_responses.built_in import (
    built_in_id,
    is_built_in_call,
    is_built_in_output,
    read_built_in_call,
    read_built_in_output,
)
from callgate.wire.openai_responses.content import read_output, read_part
from callgate.wire.openai_responses.marks import CONTENT, ITEM, SUMMARY, WIRE, leftover
from callgate.wire.openai_responses.pairing import paired

_ROLES: dict[str, Role] = {"assistant": "assistant", "system": "system", "developer": "developer", "user": "user"}
_SAID_TO_THE_MODEL = ("mcp_approval_response", "compaction_trigger", "configuration_update")
"""Items of their own kind that are no turn of the model; so is everything that ends in `_output`, as the output of a
tool that nobody has called, which has a name but no `call_id`."""


def read_items(items: Sequence[Json], path: str = "input") -> tuple[Message, ...]:
    """Raises `BadRequest` naming the field. Each result stands directly behind the turn that made its call."""
    messages: list[Message] = []
    turn: list[Part] = []
    """The assistant's, while its items come."""
    for index, value in enumerate(items):
        message = _read_item(Fields(value, path, index=index))
        if message.role == "assistant":
            turn += message.parts
            continue
        if turn:
            messages.append(Message("assistant", tuple(turn)))
            turn = []
        messages.append(message)
    if turn:
        messages.append(Message("assistant", tuple(turn)))
    return paired(messages)


def read_output_parts(items: Sequence[Json], path: str = "output") -> tuple[Part, ...]:
    """The parts of a model's answer, whatever roles its items would have as input."""
    return tuple(
        part
        for index, value in enumerate(items)
        for part in _read_output_item(Fields(value, path, index=index))
        if not (isinstance(part, Text | Refusal) and not part.text)
    )


def item_type(item: Fields) -> str:
    """Messages may leave their type out; so may references, which then have an id and nothing to say."""
    kind = item.text("type", "")
    if kind:
        return kind
    if "role" in item or "content" in item:
        return "message"
    return "item_reference" if "id" in item else item.text("type")


def reasoning_text(summaries: Sequence[str]) -> str:
    """Several pieces of reasoning as one text; empty ones do not count."""
    return "\n\n".join(text for text in summaries if text)


def _read_output_item(item: Fields) -> tuple[Part, ...]:
    if is_built_in_output(item.value):
        # what the provider itself ran and tells of: no client's result
        return (Opaque(WIRE, dict(item.value)),)
    return _read_item(item).parts


def _read_item(item: Fields) -> Message:
    kind = item_type(item)
    match kind:
        case "message":
            return _read_message(item)
        case "function_call":
            return Message("assistant", (_read_call(item, "function", "arguments"),))
        case "custom_tool_call":
            return Message("assistant", (_read_call(item, "custom", "input"),))
        case "function_call_output" if "call_id" in item or "name" not in item:
            return Message("tool", (_read_result(item, "function"),))
        case "custom_tool_call_output":
            return Message("tool", (_read_result(item, "custom"),))
        case "reasoning":
            return Message("assistant", (_read_reasoning(item),))
        case "additional_tools":
            # tools, not words: an empty message is skipped by every other wire
            return Message("developer", (), extras={ITEM: dict(item.value)})
        case _ if is_built_in_call(item.value) and built_in_id(item.value):
            return Message("assistant", (read_built_in_call(item.value),))
        case _ if is_built_in_output(item.value):
            return Message("tool", (read_built_in_output(item.value),))
        case "image_generation_call" if isinstance(item.raw("result"), str):
            return Message("assistant", (_read_made_image(item),))
        case _ if kind.endswith("_output") or kind in _SAID_TO_THE_MODEL:
            return Message("user", (Opaque(WIRE, dict(item.value)),), extras={ITEM: True})
        case _:
            return Message("assistant", (Opaque(WIRE, dict(item.value)),))


def _read_message(item: Fields) -> Message:
    role = _ROLES.get(item.text("role"))
    if role is None:
        raise BadRequest(
            f"Invalid value: '{item.text('role')}'. "
            "Supported values are: 'assistant', 'system', 'developer', and 'user'.",
            item.at("role"),
            code="invalid_value",
        )
    marks = leftover(item, "role", "content")
    content = item.raw("content")
    if isinstance(content, str):
        parts: tuple[Part, ...] = (Text(content),)
        marks[CONTENT] = "text"
    else:
        parts = tuple(read_part(child, role) for child in item.objects("content", required=True))
    if role == "assistant":
        return Message(role, _with_item(item, parts, marks))
    return Message(role, parts, extras=marks)


def _with_item(item: Fields, parts: tuple[Part, ...], marks: dict[str, Json]) -> tuple[Part, ...]:
    """An assistant's parts, the first of which carries the rest of its item."""
    match parts:
        case (Text() | Refusal() as first, *rest) if all(isinstance(part, Text | Refusal) for part in rest):
            return (type(first)(first.text, {**first.extras, ITEM: marks}), *rest)
        case ():
            return (Text("", {ITEM: {**marks, CONTENT: "empty"}}),)
        case _:
            return (Opaque(WIRE, dict(item.value)),)


def _read_call(item: Fields, variant: CallVariant, field: str) -> ToolCall:
    arguments = item.raw(field)
    return ToolCall(
        item.text("call_id"),
        item.text("name"),
        arguments if isinstance(arguments, str) else "" if arguments is None else dump_text(arguments),
        variant,
        item.text("namespace", ""),
        item.text("id", ""),
        extras=leftover(item, "call_id", "name", field, "namespace", "id"),
    )


def _read_result(item: Fields, variant: CallVariant) -> ToolResult:
    parts, marks = read_output(item)
    return ToolResult(
        item.text("call_id"),
        parts,
        name=item.text("name", ""),
        variant=variant,
        extras={**leftover(item, "type", "call_id", "output", "name"), **marks},
    )


def _read_reasoning(item: Fields) -> Reasoning:
    summaries = item.objects("summary")
    texts = [piece.text("text", "") for piece in summaries]
    extras = leftover(item, "type", "id", "encrypted_content", "summary")
    if len(summaries) != 1 or "content" in item or summaries[0].value != {"type": "summary_text", "text": texts[0]}:
        extras[SUMMARY] = item.raw("summary")
    return Reasoning(
        reasoning_text([*texts, *(piece.text("text", "") for piece in item.objects("content"))]),
        item.text("encrypted_content", ""),
        wire=WIRE,
        id=item.text("id", ""),
        extras=extras,
    )


def _read_made_image(item: Fields) -> Image:
    return Image(
        f"image/{item.text('output_format', '') or 'png'}", item.text("result"), extras={ITEM: dict(item.value)}
    )
