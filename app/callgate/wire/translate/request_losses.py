"""What a client asks in fields that only its own wire has: refused where the answer would be to another question, and
named in a warning everywhere else. Nothing is lost in silence.

What is not a field of its own (tools, messages, sampling, thinking, the shape of the answer) is lowered elsewhere.
"""

from collections.abc import Iterator, Mapping

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.openai_responses.request_fields import LOGPROBS_INCLUDED
from callgate.wire.openai_shared import shared_fields
from callgate.wire.registry import CODECS, TRAITS
from callgate.wire.translate.side_fields import side_fields

_CHANCES = ("logprobs", "top_logprobs", "responseLogprobs")


def refuse_unanswerable(request: ChatRequest) -> None:
    for name in CODECS[request.wire].request_fields.refused:
        if request.extras.get(name):
            raise BadRequest(f"'{name}' cannot be used with this model: its provider does not know it.", name)


def request_losses(request: ChatRequest, target: WireName, dialect: Dialect = PLAIN) -> list[str]:
    """A warning that names everything that the target is not told; none if there is nothing."""
    told = shared_fields(request, target, dialect)
    fields = (name for name in _fields(request, target) if name.removeprefix("text.") not in told)
    names = [*fields, *_shape(request), *side_fields(request, target)]
    if not names:
        return []
    shown = ", ".join(dict.fromkeys(names))
    return [f"{shown}: {target} has no word for {'it' if len(set(names)) == 1 else 'them'}; left out"]


def _fields(request: ChatRequest, target: WireName) -> Iterator[str]:
    weighed = TRAITS[target].logprobs and CODECS[request.wire].request_fields.logprobs(request.extras) is not None
    for path, value in _lost(request.extras, request.wire):
        if request.reply_format is None and path.startswith("response_format"):
            continue  # of no use in pieces
        if weighed and path.rpartition(".")[2] in _CHANCES:
            continue
        if weighed and path == "include" and isinstance(value, list):
            value = [one for one in value if one != LOGPROBS_INCLUDED]
            if not value or value in CODECS[request.wire].request_fields.usual["include"]:
                continue
        yield path
    if request.wire == "openai-chat" and request.store:
        yield "store"


def _lost(section: Mapping[str, Json], wire: WireName, above: str = "") -> Iterator[tuple[str, Json]]:
    """What nobody heeds of a section of the request, by its path."""
    known = CODECS[wire].request_fields
    for key, value in section.items():
        path = f"{above}{key}"
        if path in known.sections and isinstance(value, dict):
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
