"""What a client asks in fields that only its own wire has: refused where the answer would be to another question, and
named in a warning everywhere else. Nothing is lost in silence.

What is not a field of its own (tools, messages, sampling, thinking, the shape of the answer) is lowered elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.lowering.asides import asides
from callgate.wire.lowering.chances import IN_RESPONSES, UNKNOWN_TO, wanted_chances
from callgate.wire.openai_responses.read_request import UNTRANSLATABLE
from callgate.wire.openai_shared import shared_fields


@dataclass(frozen=True, slots=True)
class _Fields:
    """How the fields of one wire are to be taken. All others are named where they are lost."""

    refused: tuple[str, ...] = ()
    """They stand for something that only this wire's providers keep or run."""
    heeded: tuple[str, ...] = ()
    """By their paths. Read into the neutral form, or done by Callgate itself; of one that is longer than a name, only
    what it leads to."""
    usual: Mapping[str, tuple[Json, ...]] = field(default_factory=dict[str, tuple[Json, ...]])
    """Values that ask for what happens anyway."""
    switches: tuple[str, ...] = ()
    """Asked for by being there, however empty."""


_OF_CLIENT: dict[WireName, _Fields] = {
    "openai-chat": _Fields(
        heeded=(
            "max_tokens",
            "stream_options",
            "response_format.type",
            *(f"response_format.json_schema.{name}" for name in ("name", "schema", "strict", "description")),
        ),
        usual={"modalities": (["text"],), "service_tier": ("auto",)},
        switches=("web_search_options",),
    ),
    "openai-responses": _Fields(
        refused=UNTRANSLATABLE,
        heeded=("tool_choice", "stream_options", "reasoning.generate_summary", "text.@format.type"),
        usual={
            "truncation": ("disabled",),
            "service_tier": ("auto",),
            "include": (["reasoning.encrypted_content"],),
            "reasoning.mode": ("standard",),
        },
    ),
    "anthropic": _Fields(
        refused=("mcp_servers",),
        heeded=(
            *(f"thinking.{name}" for name in ("type", "budget_tokens", "display")),
            "thread",
            *(f"output_format.{name}" for name in ("type", "schema")),
            "output_config.effort",
            *(f"output_config.format.{name}" for name in ("type", "schema")),
        ),
        usual={"service_tier": ("auto",)},
    ),
    "gemini": _Fields(
        refused=("cachedContent",),
        heeded=(
            *(f"toolConfig.functionCallingConfig.{name}" for name in ("mode", "allowedFunctionNames")),
            *(
                f"generationConfig.{name}"
                for name in ("responseMimeType", "responseSchema", "responseJsonSchema", "responseFormat")
            ),
            *(
                f"generationConfig.thinkingConfig.{name}"
                for name in ("thinkingLevel", "thinkingBudget", "includeThoughts")
            ),
        ),
        usual={"generationConfig.responseModalities": (["TEXT"], ["text"])},
    ),
}
_SECTIONS: dict[WireName, frozenset[str]] = {
    wire: frozenset(
        ".".join(path.split(".")[:length]) for path in fields.heeded for length in range(1, path.count(".") + 1)
    )
    for wire, fields in _OF_CLIENT.items()
}
"""Fields that hold heeded ones: what else they hold is named by itself."""
_CHANCES = ("logprobs", "top_logprobs", "responseLogprobs")


def refuse_unanswerable(request: ChatRequest) -> None:
    for name in _OF_CLIENT[request.wire].refused:
        if request.extras.get(name):
            raise BadRequest(f"'{name}' cannot be used with this model: its provider does not know it.", name)


def unsaid(request: ChatRequest, target: WireName, dialect: Dialect = PLAIN) -> list[str]:
    """A warning that names everything that the target is not told; none if there is nothing."""
    told = shared_fields(request, target, dialect)
    fields = (name for name in _fields(request, target) if name.removeprefix("text.") not in told)
    names = [*fields, *_shape(request), *asides(request, target)]
    if not names:
        return []
    shown = ", ".join(dict.fromkeys(names))
    return [f"{shown}: {target} has no word for {'it' if len(set(names)) == 1 else 'them'}; left out"]


def _fields(request: ChatRequest, target: WireName) -> Iterator[str]:
    weighed = target not in UNKNOWN_TO and wanted_chances(request) is not None
    for path, value in _lost(request.extras, request.wire):
        if request.reply_format is None and path.startswith("response_format"):
            continue  # of no use in pieces
        if weighed and path.rpartition(".")[2] in _CHANCES:
            continue
        if weighed and path == "include" and isinstance(value, list):
            value = [one for one in value if one != IN_RESPONSES]
            if not value or value in _OF_CLIENT[request.wire].usual["include"]:
                continue
        yield path
    if request.wire == "openai-chat" and request.store:
        yield "store"


def _lost(section: Mapping[str, Json], wire: WireName, above: str = "") -> Iterator[tuple[str, Json]]:
    """What nobody heeds of a section of the request, by its path."""
    known = _OF_CLIENT[wire]
    for key, value in section.items():
        path = f"{above}{key}"
        if path in _SECTIONS[wire] and isinstance(value, dict):
            yield from _lost(value, wire, f"{path}.")
        elif value in known.usual.get(path, ()) or path in (*known.heeded, *known.refused):
            continue
        elif (value or (path in known.switches and value is not None)) and not key.startswith("@"):
            yield path.replace("@", ""), value


def _shape(request: ChatRequest) -> Iterator[str]:
    """A shape of the answer that the neutral form does not know."""
    if request.reply_format is not None:
        return
    if request.extras.get("response_format"):
        yield "response_format"
    config = request.extras.get("generationConfig")
    if isinstance(config, dict) and config.get("responseMimeType") not in (None, "", "text/plain"):
        yield "generationConfig.responseMimeType"
    if isinstance(config, dict) and config.get("responseFormat"):
        yield "generationConfig.responseFormat"
