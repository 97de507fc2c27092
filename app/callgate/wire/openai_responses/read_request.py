"""A client's body → `ChatRequest`. Raises `BadRequest` in the words that OpenAI uses, naming the field."""

from collections.abc import Mapping, Sequence

from callgate.core.json.fields import Fields, wrong_type
from callgate.core.messages import Json, Message, Text
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields
from callgate.wire.openai_responses.marks import CONTENT, FORMAT, INPUT, INSTRUCTIONS, WIRE, leftover
from callgate.wire.openai_responses.pairing import check_pairs, has_references
from callgate.wire.openai_responses.read_items import read_items
from callgate.wire.openai_responses.tools import read_tool_choice, read_tools

KNOWN = (
    "model",
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "max_output_tokens",
    "temperature",
    "top_p",
    "reasoning",
    "text",
    "previous_response_id",
    "store",
)

UNTRANSLATABLE = ("background", "conversation", "prompt")
"""Fields in `extras` that no other wire can honour and that must not be ignored: a translator has to refuse them."""

_FORMAT_FIELDS = ("type", "name", "schema", "strict", "description")


def read_request(
    body: Mapping[str, Json], *, model: str = "", stream: bool | None = None, strict: bool = True
) -> ChatRequest:
    fields = Fields(body)
    gate = read_gate_fields(fields)
    extras = {key: value for key, value in leftover(fields, *KNOWN).items() if key not in GATE_FIELDS}
    _keep_spelling(fields, extras)
    messages = _read_messages(fields)
    previous_id = fields.text("previous_response_id", "")
    if strict and not previous_id and "conversation" not in fields and not has_references(messages):
        check_pairs(messages)
    choice, choice_extras = read_tool_choice(fields)
    return ChatRequest(
        WIRE,
        model or fields.text("model"),
        messages,
        tools=_read_all_tools(fields),
        tool_choice=choice,
        parallel_calls=fields.boolean("parallel_tool_calls", None),
        stream=fields.boolean("stream", False) if stream is None else stream,
        include_usage=True,
        sampling=Sampling(
            max_tokens=fields.integer("max_output_tokens", None, minimum=1),
            temperature=fields.number("temperature", None),
            top_p=fields.number("top_p", None),
        ),
        thinking=_read_thinking(fields, extras),
        reply_format=_read_format(fields, extras),
        previous_id=previous_id,
        store=fields.boolean("store", None),
        gate=gate,
        extras={**extras, **choice_extras},
    )


def _keep_spelling(fields: Fields, extras: dict[str, Json]) -> None:
    """What says nothing, but was said."""
    for name in ("input", "tools"):
        if fields.raw(name) == []:
            extras[name] = []
    if fields.raw("stream") is False:
        extras["stream"] = False


def _read_messages(fields: Fields) -> tuple[Message, ...]:
    given = fields.raw("input")
    match given:
        case str():
            messages: tuple[Message, ...] = (Message("user", (Text(given),), extras={INPUT: "text", CONTENT: "text"}),)
        case list():
            messages = read_items(given)
        case None if any(name in fields for name in ("previous_response_id", *UNTRANSLATABLE)):
            messages = ()
        case None:
            fields.items("input", required=True)
            messages = ()
        case _:
            raise wrong_type("input", "a string or an array", given)
    instructions = fields.text("instructions", None)
    if instructions is None:
        return messages
    return (Message("system", (Text(instructions),), extras={INSTRUCTIONS: True}), *messages)


def _read_all_tools(fields: Fields) -> tuple[ToolSpec | HostedTool, ...]:
    """Those of the field and those that came as items of the input."""
    tools = read_tools(fields.items("tools"))
    given = fields.raw("input")
    items: Sequence[Json] = given if isinstance(given, list) else ()
    for index, value in enumerate(items):
        if isinstance(value, dict) and value.get("type") == "additional_tools":
            item = Fields(value, "input", index=index)
            tools += read_tools(item.items("tools", required=True), item.at("tools"), additional=True)
    return tuple(tools)


def _read_thinking(fields: Fields, extras: dict[str, Json]) -> Thinking | None:
    reasoning = fields.child("reasoning")
    if reasoning is None:
        return None
    extras["reasoning"] = leftover(reasoning, "effort", "summary")
    return Thinking(reasoning.text("effort", ""), summary=reasoning.text("summary", ""))


def _read_format(fields: Fields, extras: dict[str, Json]) -> ReplyFormat | None:
    text = fields.child("text")
    if text is None:
        return None
    rest = leftover(text, "format")
    extras["text"] = rest
    shape = text.child("format")
    if shape is None:
        return None
    match shape.text("type"):
        case "text" | "json_object" as kind:
            _keep_unknown(shape, rest, "type")
            return ReplyFormat(kind)
        case "json_schema":
            _keep_unknown(shape, rest, *_FORMAT_FIELDS)
            return ReplyFormat(
                "json_schema",
                shape.text("name"),
                dict(shape.needed_child("schema").value),
                shape.boolean("strict", None),
                shape.text("description", ""),
            )
        case _:
            rest["format"] = dict(shape.value)
            return None


def _keep_unknown(shape: Fields, rest: dict[str, Json], *known: str) -> None:
    unknown = leftover(shape, *known)
    if unknown:
        rest[FORMAT] = unknown
