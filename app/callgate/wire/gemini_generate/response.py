"""Whole replies, both ways. Reading takes the road of streams, so that both always mean the same."""

from collections.abc import Mapping

from callgate.core.assembly import Assembly
from callgate.core.deltas import Failed
from callgate.core.errors import Fault, PeerFault
from callgate.core.ids import new_id
from callgate.core.messages import Json, Refusal, Text, TokenLogprob, ToolCall
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.gemini_generate.arguments import is_whole
from callgate.wire.gemini_generate.finish import write_finish
from callgate.wire.gemini_generate.grounding import Grounded, segment_of, write_grounding
from callgate.wire.gemini_generate.logprobs import write_logprobs
from callgate.wire.gemini_generate.reply_reader import ReplyReader
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.gemini_generate.usage import COUNTED, write_usage
from callgate.wire.gemini_generate.written_part import spell
from callgate.wire.unknown_fields import Beside

_KNOWN = ("candidates", "responseId", "modelVersion", "usageMetadata", "error")
_KNOWN_OF_CANDIDATE = ("content", "finishReason", "finishMessage", "index")
_USAGE = "usageMetadata"


def read_response(body: Mapping[str, Json]) -> ChatResponse:
    reader = ReplyReader()
    assembly = Assembly()
    beside: list[Beside] = []
    repairs: list[str] = []
    for delta in reader.take(dict(body), repairs, beside):
        if isinstance(delta, Failed):
            raise PeerFault(delta.fault)
        assembly.add(delta)
    if not reader.complete:
        raise PeerFault(Fault("upstream", "the provider's answer has no candidates, or one without a finishReason"))
    response = assembly.response
    own = _own_extras(body)
    # under this wire's name, so that no other wire takes them for its own
    extras: dict[str, Json] = {WIRE: own} if own else {}
    return ChatResponse(
        response.id,
        response.model,
        response.choices,
        response.usage,
        extras=extras,
        repairs=tuple(dict.fromkeys(repairs)),
        beside=tuple(beside),
    )


def _own_extras(body: Mapping[str, Json]) -> dict[str, Json]:
    extras = {key: value for key, value in body.items() if key not in _KNOWN}
    candidates = body.get("candidates")
    kept: list[Json] = [
        {key: value for key, value in candidate.items() if key not in _KNOWN_OF_CANDIDATE}
        for candidate in (candidates if isinstance(candidates, list) else ())
        if isinstance(candidate, dict)
    ]
    if any(kept):
        extras["candidates"] = kept
    usage = _section(body.get(_USAGE))
    if uncounted := {key: value for key, value in usage.items() if key not in COUNTED}:
        extras[_USAGE] = uncounted
    return extras


def write_response(response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    extras = _section(response.extras.get(WIRE))
    kept = extras.pop("candidates", None)
    beside = kept if isinstance(kept, list) else []
    uncounted = _section(extras.pop(_USAGE, None))
    body: dict[str, Json] = {
        "candidates": [
            {**_write_candidate(choice, index), **_section(beside[index] if index < len(beside) else None)}
            for index, choice in enumerate(response.choices)
        ],
    }
    if response.usage is not None:
        body[_USAGE] = {**write_usage(response.usage), **uncounted}
    body["modelVersion"] = response.model or request.model
    body["responseId"] = response.id or new_id("resp")
    return {**body, **extras}


def _write_candidate(choice: Choice, index: int) -> dict[str, Json]:
    parts: list[Json] = []
    cited: list[Grounded] = []
    tokens: list[TokenLogprob] = []
    for part in choice.message.parts:
        if isinstance(part, ToolCall) and choice.finish == "length" and not is_whole(part.arguments):
            continue  # cut off in mid-call: an object cannot hold half of its arguments
        spelled = spell(part)
        if spelled is None:
            continue
        if isinstance(part, Text):
            place = len(parts)
            cited += [Grounded(one, segment_of(one, part.text, part=place)) for one in part.citations]
            tokens += part.tokens
        parts.append(spelled)
    refused = any(isinstance(part, Refusal) for part in choice.message.parts)
    if choice.finish == "refusal" and choice.detail and not refused:
        parts.append({"text": choice.detail})  # the wire has no other place for the explanation
    return {
        "content": {"role": "model", "parts": parts or [{"text": ""}]},
        **write_finish(choice.finish, choice.detail, refused=refused),
        "index": index,
        **write_grounding(cited, with_parts=True),
        **write_logprobs(tokens),
    }


def _section(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, dict) else {}
