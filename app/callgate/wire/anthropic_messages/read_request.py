"""A client's request → `ChatRequest`.

A user message with tool results becomes one `tool` message a result, then a `user` message with what else it said:
the form that every wire understands. Writing joins them again.
"""

from collections.abc import Mapping

from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Part, Role, Text, ToolCall, ToolResult
from callgate.core.request import ChatRequest, ReplyFormat, Sampling
from callgate.wire.anthropic_messages.blocks import WIRE, read_content
from callgate.wire.anthropic_messages.complaint import complaint, in_own_words
from callgate.wire.anthropic_messages.pairing import ReadMessage, check_pairs
from callgate.wire.anthropic_messages.thinking import read_thinking
from callgate.wire.anthropic_messages.tools import read_choice, read_tools
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields

_KNOWN = (
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "max_tokens",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    *GATE_FIELDS,
)
"""All else is kept as it came, `thinking`, `output_config` and `thread` too: neutral values say less than they do."""

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def read_request(
    body: Mapping[str, Json], model: str = "", stream: bool | None = None, *, strict: bool = True
) -> ChatRequest:
    with in_own_words():
        return _read(Fields(body, join="."), model, stream, strict)


def _read(fields: Fields, model: str, stream: bool | None, strict: bool) -> ChatRequest:
    name = fields.text("model", model or None)
    if not name:
        raise complaint("model", "Field required")
    previous = _previous(fields)
    tools = read_tools(fields)
    choice, parallel = read_choice(fields, tools)
    return ChatRequest(
        wire=WIRE,
        model=name,
        messages=(*_read_system(fields), *_read_messages(fields, continues=bool(previous), strict=strict)),
        tools=tools,
        tool_choice=choice,
        parallel_calls=parallel,
        stream=fields.boolean("stream", False) if stream is None else stream,
        include_usage=True,
        sampling=_read_sampling(fields),
        thinking=read_thinking(fields),
        reply_format=_read_format(fields),
        previous_id=previous,
        gate=read_gate_fields(fields),
        extras=fields.rest(*_KNOWN),
    )


def _read_system(fields: Fields) -> tuple[Message, ...]:
    if "system" not in fields:
        return ()
    parts = read_content(fields, "system")
    for index, part in enumerate(parts):
        if not isinstance(part, Text):
            raise complaint(fields.at("system", index), "Input should be a text block")
    return (Message("system", parts),) if parts else ()


def _read_messages(fields: Fields, *, continues: bool, strict: bool) -> list[Message]:
    given = fields.objects("messages", required=True)
    if not given:
        raise complaint("messages", "at least one message is required")
    read: list[ReadMessage] = []
    messages: list[Message] = []
    for message in given:
        said = message.text("role")
        role = _ROLES.get(said)
        if role is None:
            raise complaint(message.at("role"), f"Input should be 'user', 'assistant' or 'system', not '{said}'")
        parts = read_content(message)
        for index, part in enumerate(parts):
            if isinstance(part, ToolCall) and not part.id:
                raise complaint(f"{message.at('content', index)}.id", "Field required")
        read.append(ReadMessage(message, role, parts))
        messages.extend(_split(role, parts, message.rest("role", "content")))
    if strict:
        check_pairs(read, continues=continues)
    return messages


def _split(role: Role, parts: tuple[Part, ...], extras: dict[str, Json]) -> list[Message]:
    results = tuple(part for part in parts if isinstance(part, ToolResult)) if role == "user" else ()
    if not results:
        return [Message(role, parts, extras=extras)]
    messages = [Message("tool", (result,)) for result in results]
    rest = tuple(part for part in parts if not isinstance(part, ToolResult))
    if rest:
        messages.append(Message("user", rest, extras=extras))
    elif extras:
        messages[0] = Message("tool", messages[0].parts, extras=extras)
    return messages


def _read_sampling(fields: Fields) -> Sampling:
    max_tokens = fields.integer("max_tokens")
    if max_tokens < 0:  # 0 is legal: it only warms the cache
        raise complaint("max_tokens", "Input should be greater than or equal to 0")
    return Sampling(
        max_tokens=max_tokens,
        temperature=fields.number("temperature", None),
        top_p=fields.number("top_p", None),
        top_k=fields.integer("top_k", None),
        stop=tuple(fields.texts("stop_sequences")),
    )


def _read_format(fields: Fields) -> ReplyFormat | None:
    config = fields.child("output_config")
    # `output_format` is what the beta called it
    format = (config.child("format") if config is not None else None) or fields.child("output_format")
    if format is None or format.text("type") != "json_schema":
        return None
    return ReplyFormat("json_schema", schema=dict(format.needed_child("schema").value), strict=True)


def _previous(fields: Fields) -> str:
    thread = fields.child("thread")
    if thread is None:
        return ""
    match thread.one_of("type", ("create", "continue"), "create"):
        case "continue":
            return thread.text("previous_message_id")
        case _:
            return ""
