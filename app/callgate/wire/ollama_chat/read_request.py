"""A client's request → `ChatRequest`, with every complaint naming its field. An answer is streamed by default."""

from collections.abc import Mapping

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, wrong_type
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields
from callgate.wire.ollama_chat.calls import read_tools
from callgate.wire.ollama_chat.read_messages import read_messages
from callgate.wire.ollama_chat.wire_traits import WIRE

_KNOWN = (*GATE_FIELDS, "model", "messages", "tools", "stream", "format", "options")
SAMPLED = ("num_predict", "temperature", "top_p", "top_k", "stop", "seed", "presence_penalty", "frequency_penalty")
"""The options that have a place in the neutral form."""


def read_request(
    body: Mapping[str, Json], *, model: str = "", stream: bool | None = None, strict: bool = True
) -> ChatRequest:
    fields = Fields(body)
    name = model or fields.text("model")
    if not name:
        raise BadRequest("model is required", "model", code="missing_required_parameter")
    options = fields.child("options") or Fields({}, "options")
    extras = fields.rest(*_KNOWN)
    if kept := options.rest(*SAMPLED):
        extras["options"] = kept
    limit = options.integer("num_predict", None)
    if limit is not None and limit < 0:  # as much as the model likes, or as fits
        extras["num_predict"] = limit
    return ChatRequest(
        WIRE,
        name,
        read_messages(fields, strict=strict),
        read_tools(fields),
        stream=fields.boolean("stream", True) if stream is None else stream,
        include_usage=True,
        sampling=Sampling(
            max_tokens=limit if limit is not None and limit >= 0 else None,
            temperature=options.number("temperature", None),
            top_p=options.number("top_p", None),
            top_k=options.integer("top_k", None),
            stop=_read_stop(options),
            seed=options.integer("seed", None),
            presence_penalty=options.number("presence_penalty", None),
            frequency_penalty=options.number("frequency_penalty", None),
        ),
        thinking=_read_thinking(fields),
        reply_format=_read_format(fields),
        gate=read_gate_fields(fields),
        extras=extras,
    )


def _read_stop(options: Fields) -> tuple[str, ...]:
    stop = options.raw("stop")
    return (stop,) if isinstance(stop, str) else tuple(options.texts("stop"))


def _read_thinking(fields: Fields) -> Thinking | None:
    match fields.raw("think"):
        case None:
            return None
        case True:
            return Thinking(budget=-1)
        case False:
            return Thinking(effort="none")
        case str() as effort:
            return Thinking(effort=effort)
        case other:
            raise wrong_type("think", "a boolean or a string", other)


def _read_format(fields: Fields) -> ReplyFormat | None:
    match fields.raw("format"):
        case None | "":
            return None
        case "json":
            return ReplyFormat("json_object")
        case dict() as schema:
            return ReplyFormat("json_schema", schema=schema)
        case other:
            raise wrong_type("format", "'json' or a JSON Schema", other)
