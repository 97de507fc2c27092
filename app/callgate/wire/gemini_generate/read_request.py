"""A client's request → `ChatRequest`. The model and whether to stream come from the path."""

from collections.abc import Mapping

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Text
from callgate.core.request import ChatRequest
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields
from callgate.wire.gemini_generate.field_names import Camel
from callgate.wire.gemini_generate.generation import (
    CONFIG,
    kept_config,
    read_config,
    read_format,
    read_sampling,
    read_wanted_thinking,
)
from callgate.wire.gemini_generate.read_contents import part_path, read_contents, read_parts
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.gemini_generate.tools import normal_config, read_choice, read_tools

_SYSTEM = "systemInstruction"
_KNOWN = ("model", "contents", _SYSTEM, "tools", CONFIG, *GATE_FIELDS)
"""All else is kept as it came, `toolConfig` too: the neutral choice says less than it does."""
_camel = Camel(_SYSTEM, CONFIG, "toolConfig", "safetySettings", "cachedContent")


def read_request(
    body: Mapping[str, Json], model: str = "", stream: bool | None = None, *, strict: bool = True
) -> ChatRequest:
    fields = _camel(Fields(body))
    name = model or fields.text("model", "")
    if not name:
        raise BadRequest("The path must name a model: models/{model}:generateContent.", "model")
    config = read_config(fields)
    extras = fields.rest(*_KNOWN)
    if (tool_config := fields.child("toolConfig")) is not None:
        extras["toolConfig"] = normal_config(tool_config)
    kept = kept_config(config)
    if kept:
        extras[CONFIG] = kept
    return ChatRequest(
        wire=WIRE,
        model=name,
        messages=(*_read_system(fields), *read_contents(fields, strict=strict)),
        tools=read_tools(fields),
        tool_choice=read_choice(fields),
        stream=bool(stream),
        include_usage=True,
        sampling=read_sampling(config),
        thinking=read_wanted_thinking(config),
        reply_format=read_format(config),
        gate=read_gate_fields(fields),
        extras=extras,
    )


def _read_system(fields: Fields) -> list[Message]:
    given = fields.raw(_SYSTEM)
    if isinstance(given, str):
        return [Message("system", (Text(given),))] if given else []
    content = fields.child(_SYSTEM)
    if content is None:
        return []
    parts = read_parts(content)
    for index, part in enumerate(parts):
        if not isinstance(part, Text):
            raise BadRequest("systemInstruction takes only text parts.", part_path(content, index))
    return [Message("system", tuple(parts), extras=content.rest("parts"))] if parts else []
