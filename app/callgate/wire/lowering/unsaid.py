"""What a client asks in fields that only its own wire has: refused where the answer would be to another question, and
named in a warning everywhere else. Nothing is lost in silence.

What is not a field of its own (tools, messages, sampling, thinking, the shape of the answer) is lowered elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from callgate.core.errors import BadRequest
from callgate.core.messages import Extras, Json
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.lowering.chances import IN_RESPONSES, UNKNOWN_TO, wanted_chances
from callgate.wire.openai_responses.read_request import UNTRANSLATABLE
from callgate.wire.openai_shared import shared_fields


@dataclass(frozen=True, slots=True)
class _Fields:
    """How the fields of one wire are to be taken. All others are named where they are lost."""

    refused: tuple[str, ...] = ()
    """They stand for something that only this wire's providers keep or run."""
    heeded: tuple[str, ...] = ()
    """Read into the neutral form, or done by Callgate itself."""
    usual: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Values that ask for what happens anyway."""
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Fields that hold fields, and those of them that are heeded."""


_OF_CLIENT: dict[WireName, _Fields] = {
    "openai-chat": _Fields(
        heeded=("max_tokens", "stream_options"),
        usual={"modalities": ["text"], "service_tier": "auto"},
    ),
    "openai-responses": _Fields(
        refused=UNTRANSLATABLE,
        heeded=("tool_choice", "stream_options"),
        usual={"truncation": "disabled", "service_tier": "auto", "include": ["reasoning.encrypted_content"]},
        sections={"reasoning": ("generate_summary",), "text": ()},
    ),
    "anthropic": _Fields(
        refused=("mcp_servers",),
        heeded=("thinking", "thread", "output_format"),
        usual={"service_tier": "auto"},
        sections={"output_config": ("effort", "format")},
    ),
    "gemini": _Fields(
        refused=("cachedContent",),
        sections={
            "toolConfig": ("functionCallingConfig",),
            "generationConfig": ("thinkingConfig", "responseMimeType", "responseSchema", "responseJsonSchema"),
        },
    ),
}
_IN_TOOLS = ("defer_loading", "allowed_callers", "input_examples", "cache_control")
_PLAIN_MESSAGES = ("anthropic", "gemini")
"""Wires whose readers leave nothing of their own beside a message: what stands there, the client has said."""
_ROLE = "role"
"""Beside a system instruction: says nothing. Gemini CLI has "user" there."""
_IN_PARTS = ("cache_control", "citations")
_CHANCES = ("logprobs", "top_logprobs", "responseLogprobs")
_KEEPS_CACHE_MARKS = "anthropic"
_USUAL_MODALITIES = (["TEXT"], ["text"])


def refuse_unanswerable(request: ChatRequest) -> None:
    for name in _OF_CLIENT[request.wire].refused:
        if request.extras.get(name):
            raise BadRequest(f"'{name}' cannot be used with this model: its provider does not know it.", name)


def unsaid(request: ChatRequest, target: WireName, dialect: Dialect = PLAIN) -> list[str]:
    """A warning that names everything that the target is not told; none if there is nothing."""
    told = shared_fields(request, target, dialect)
    fields = (name for name in _fields(request, target) if name.removeprefix("text.") not in told)
    names = [*fields, *_shape(request), *_marks(request, target)]
    if not names:
        return []
    shown = ", ".join(dict.fromkeys(names))
    return [f"{shown}: {target} has no word for {'it' if len(set(names)) == 1 else 'them'}; left out"]


def _fields(request: ChatRequest, target: WireName) -> Iterator[str]:
    known = _OF_CLIENT[request.wire]
    weighed = target not in UNKNOWN_TO and wanted_chances(request) is not None
    for name, value in request.extras.items():
        if weighed and name in _CHANCES:
            continue
        if weighed and name == "include" and isinstance(value, list):
            value = [one for one in value if one != IN_RESPONSES]
        if not value or name.startswith("@") or name in (*known.heeded, *known.refused, "response_format"):
            continue
        inner = known.sections.get(name)
        if inner is not None and isinstance(value, dict):
            heeded = (*inner, *_CHANCES) if weighed else inner
            yield from (f"{name}.{key}" for key, said in value.items() if _is_lost(key, said, heeded))
        elif name not in known.usual or value != known.usual[name]:
            yield name
    if request.wire == "openai-chat" and request.store:
        yield "store"


def _is_lost(key: str, said: Json, heeded: tuple[str, ...]) -> bool:
    unusual = key != "responseModalities" or said not in _USUAL_MODALITIES
    return bool(said) and unusual and key not in heeded and not key.startswith("@")


def _shape(request: ChatRequest) -> Iterator[str]:
    """A shape of the answer that the neutral form does not know."""
    if request.reply_format is not None:
        return
    if request.extras.get("response_format"):
        yield "response_format"
    config = request.extras.get("generationConfig")
    if isinstance(config, dict) and config.get("responseMimeType") not in (None, "", "text/plain"):
        yield "generationConfig.responseMimeType"


def _marks(request: ChatRequest, target: WireName) -> Iterator[str]:
    """What stands beside tools and words. Some clients put cache marks everywhere: each kind is named once."""
    for tool in request.tools:
        if isinstance(tool, ToolSpec):
            yield from (f"tools.{key}" for key in _IN_TOOLS if tool.extras.get(key))
    for message in request.messages:
        if message.name and target != "openai-chat":
            yield "messages.name"
        if message.extras and request.wire in _PLAIN_MESSAGES:
            yield from (f"messages.{key}" for key, said in message.extras.items() if said and key != _ROLE)
        for part in message.parts:
            if part.kind != "opaque" and part.extras:
                yield from _marks_of(part.extras, target)


def _marks_of(extras: Extras, target: WireName) -> Iterator[str]:
    for key in _IN_PARTS:
        if extras.get(key) and not (key == "cache_control" and target == _KEEPS_CACHE_MARKS):
            yield f"messages.{key}"
