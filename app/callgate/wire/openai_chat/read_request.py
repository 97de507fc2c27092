"""A client's request body → `ChatRequest`, with every complaint naming its field.

Normalised, and so written differently afterwards: `null` is absent, one text part is a string, `stop` is a list,
`functions` are tools, an empty `content` beside calls is null, `max_tokens` keeps its spelling.
"""

from collections.abc import Mapping

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, wrong_type
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_chat.read_messages import read_messages
from callgate.wire.openai_chat.read_tools import check_choice, read_tool_choice, read_tools

MOST_CHOICES = 128
"""OpenAI's own limit; each is opened with a chunk before anything is said."""

_KNOWN = (
    *GATE_FIELDS,
    "model",
    "messages",
    "tools",
    "functions",
    "tool_choice",
    "function_call",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "max_completion_tokens",
    "max_tokens",
    "temperature",
    "top_p",
    "top_k",
    "stop",
    "seed",
    "n",
    "presence_penalty",
    "frequency_penalty",
    "reasoning_effort",
    "response_format",
    "store",
)


def read_request(
    body: Mapping[str, Json], *, model: str = "", stream: bool | None = None, strict: bool = True
) -> ChatRequest:
    fields = Fields(body)
    gate = read_gate_fields(fields)
    tools = read_tools(fields)
    choice = read_tool_choice(fields)
    parallel = fields.boolean("parallel_tool_calls", None)
    if not gate.use_tools:
        check_choice(fields, tools, choice)
    options = fields.child("stream_options")
    reply_format, format_extras = _read_reply_format(fields)
    effort = fields.text("reasoning_effort", "")
    return ChatRequest(
        WIRE,
        _read_model(fields, model),
        read_messages(fields, strict=strict),
        tools,
        choice,
        parallel,
        stream=fields.boolean("stream", False) if stream is None else stream,
        include_usage=options is not None and options.boolean("include_usage", False),
        sampling=_read_sampling(fields),
        thinking=Thinking(effort) if effort else None,
        reply_format=reply_format,
        legacy_functions="functions" in fields or "function_call" in fields,
        store=fields.boolean("store", None),
        gate=gate,
        extras={**fields.rest(*_KNOWN), **_spelling(fields, options), **format_extras},
    )


def _read_model(fields: Fields, model: str) -> str:
    name = model or fields.text("model")
    if not name:
        raise BadRequest("you must provide a model parameter", "model", code="missing_required_parameter")
    return name


def _read_sampling(fields: Fields) -> Sampling:
    limit = fields.integer("max_completion_tokens", None)
    old_limit = fields.integer("max_tokens", None)
    return Sampling(
        max_tokens=old_limit if limit is None else limit,
        temperature=fields.number("temperature", None),
        top_p=fields.number("top_p", None),
        top_k=fields.integer("top_k", None),
        stop=_read_stop(fields),
        seed=fields.integer("seed", None),
        n=fields.integer("n", None, minimum=1, maximum=MOST_CHOICES),
        presence_penalty=fields.number("presence_penalty", None),
        frequency_penalty=fields.number("frequency_penalty", None),
    )


def _read_stop(fields: Fields) -> tuple[str, ...]:
    value = fields.raw("stop")
    match value:
        case None:
            return ()
        case str():
            return (value,)
        case list():
            return tuple(fields.texts("stop"))
        case _:
            raise wrong_type("stop", "a string or an array of strings", value)


def _spelling(fields: Fields, options: Fields | None) -> dict[str, Json]:
    """How the client spelled what has several spellings, so that the same wire gets it back."""
    extras: dict[str, Json] = {}
    if "max_tokens" in fields:
        extras["max_tokens"] = fields.raw("max_tokens")
    if fields.raw("tools") == []:
        extras["tools"] = []
    if options is not None and (more := options.rest("include_usage")):
        extras["stream_options"] = more
    return extras


def _read_reply_format(fields: Fields) -> tuple[ReplyFormat | None, dict[str, Json]]:
    """The demanded shape; what is not of OpenAI's own making is kept word for word."""
    shape = fields.child("response_format")
    if shape is None:
        return None, {}
    verbatim: dict[str, Json] = {"response_format": dict(shape.value)}
    match shape.text("type"):
        case "text":
            return ReplyFormat("text"), verbatim if shape.rest("type") else {}
        case "json_object":
            return ReplyFormat("json_object"), verbatim if shape.rest("type") else {}
        case "json_schema":
            inner = shape.needed_child("json_schema")
            schema = inner.child("schema")
            unknown = inner.rest("name", "schema", "strict", "description") or shape.rest("type", "json_schema")
            reply_format = ReplyFormat(
                "json_schema",
                inner.text("name"),
                None if schema is None else dict(schema.value),
                inner.boolean("strict", None),
                inner.text("description", ""),
            )
            return reply_format, verbatim if unknown else {}
        case _:
            return None, verbatim
