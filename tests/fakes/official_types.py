"""What the official packages' own types say of a piece of JSON, read as strictly as they can be.

The packages themselves are lenient: they keep unknown keys, look into lists of parameters only when somebody walks
through them, and convert values. Here the same types allow no key that they do not name, and convert nothing.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParams
from google.genai import types as genai
from ollama import _types as ollama_types
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParams
from openai.types.responses import Response, ResponseStreamEvent
from openai.types.responses.response_create_params import ResponseCreateParams
from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, SchemaValidator, ValidationError
from pydantic_core.core_schema import CoreConfig

from callgate.core.json.text import dump_bytes
from callgate.core.request import WireName

_TAGS = ("type", "role", "object")
"""Keys whose value says which of several types is meant."""
_Place = tuple[str | int, ...]
_UNION = "union:"
"""What the places in a union are called in complaints."""
_FIELDS = ("typed-dict", "model-fields")


class GenerateContentBody(BaseModel):
    """The body as the package sends it: it has types for all that stands in it, and none for the whole."""

    model_config = ConfigDict(alias_generator=to_camel)
    contents: list[genai.Content]
    system_instruction: genai.Content | None = None
    tools: list[genai.Tool] | None = None
    tool_config: genai.ToolConfig | None = None
    safety_settings: list[genai.SafetySetting] | None = None
    generation_config: genai.GenerationConfig | None = None
    cached_content: str | None = None
    labels: dict[str, str] | None = None


REQUESTS: Mapping[WireName, tuple[Any, Any]] = {
    "openai-chat": get_args(CompletionCreateParams),
    "openai-responses": get_args(ResponseCreateParams),
    "anthropic": get_args(MessageCreateParams),
    "gemini": (GenerateContentBody, GenerateContentBody),
    "ollama": (ollama_types.ChatRequest, ollama_types.ChatRequest),
}
"""Plain and streamed."""
RESPONSES: Mapping[WireName, Any] = {
    "openai-chat": ChatCompletion,
    "openai-responses": Response,
    "anthropic": Message,
    "gemini": genai.GenerateContentResponse,
    "ollama": ollama_types.ChatResponse,
}
EVENTS: Mapping[WireName, Any] = {
    "openai-chat": ChatCompletionChunk,
    "openai-responses": ResponseStreamEvent,
    "anthropic": RawMessageStreamEvent,
    "gemini": genai.GenerateContentResponse,
    "ollama": ollama_types.ChatResponse,
}


def request_violations(wire: WireName, body: Mapping[str, Any]) -> list[str]:
    return violations(REQUESTS[wire][body.get("stream") is True], body)


def violations(official: Any, value: Any) -> list[str]:
    """Where the value is not what the type says, and how: "place: complaint"."""
    try:
        _validator(official).validate_json(dump_bytes([value]), strict=True, by_alias=True, by_name=False)
    except ValidationError as refused:
        return [f"{_spelled(place)}: {text}" for place, text in _telling(refused.errors(include_url=False))]
    return []


@cache
def _validator(official: Any) -> SchemaValidator:
    # in a list: the schema of a bare model is only built when it is first used
    return SchemaValidator(_strict(TypeAdapter(list[official]).core_schema), CoreConfig(val_json_bytes="base64"))


def _strict(node: Any) -> Any:
    """The same schema without leniency."""
    if isinstance(node, list | tuple):
        return type(node)(_strict(inner) for inner in node)
    if not isinstance(node, dict):
        return node
    kind = node.get("type")
    if not isinstance(kind, str):
        return {key: _strict(inner) for key, inner in node.items()}  # the fields of something, by name
    if kind in ("model", "function-before"):
        # what is within alone: the class brings its own, lenient validator, and a function mends what it is given
        return _strict(node["schema"]) | ({"ref": node["ref"]} if "ref" in node else {})
    if kind == "union":
        choices = [one[0] if isinstance(one, tuple) else one for one in node["choices"]]
        return {"type": kind, "choices": [(_strict(one), f"{_UNION}{number}") for number, one in enumerate(choices)]}
    if kind == "generator":
        return {"type": "list", "items_schema": _strict(node["items_schema"])}
    if kind == "enum":
        return {"type": "literal", "expected": [member.value for member in node["members"]]}
    changed = {key: _strict(inner) for key, inner in node.items() if key not in ("metadata", "serialization")}
    if kind in _FIELDS:
        changed.pop("extras_schema", None)
        changed["extra_behavior"] = "forbid"
    return changed


def _telling(errors: list[ErrorDetails]) -> list[tuple[_Place, str]]:
    """Without what is said of members of a union that were not meant: of another tag, or nothing with fields at all."""
    strangers = {error["loc"][:-1]: str(error["input"]) for error in errors if _is_tag(error)}
    told = [(error["loc"], error["msg"]) for error in errors if not _within(error["loc"], strangers)]
    meant = [(place, text) for place, text in told if not _is_member(place[-1])] or told
    for place, tag in strangers.items():
        union = place[:-1]
        if not _within(union, strangers) and not any(_within(place, [union]) for place, _ in meant):
            meant.append((union, f"Is none of the types, with the tag {tag}"))
    return meant


def _is_tag(error: ErrorDetails) -> bool:
    place = error["loc"]
    return place[-1] in _TAGS and _is_member(place[-2]) and error["type"] != "extra_forbidden"


def _is_member(step: str | int) -> bool:
    return str(step).startswith(_UNION)


def _within(place: _Place, outer: Iterable[_Place]) -> bool:
    return any(place[: len(one)] == one for one in outer)


def _spelled(place: _Place) -> str:
    return ".".join(str(step) for step in place[1:] if not _is_member(step))
