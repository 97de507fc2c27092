"""Whole replies: a provider's body → `ChatResponse`, and `ChatResponse` → a client's body."""

from collections.abc import Mapping
from dataclasses import replace

from callgate.core.errors import BadRequest, Fault, PeerFault
from callgate.core.ids import new_id
from callgate.core.messages import FinishReason, Json, Message, Part, Reasoning, Text, ToolCall, Usage, token_count
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.openai_logprobs import read_logprobs
from callgate.wire.openai_responses.annotations import read_annotations
from callgate.wire.openai_responses.built_in import built_in_id, is_built_in_call
from callgate.wire.openai_responses.envelope import ECHOED, Envelope, created_at, ending
from callgate.wire.openai_responses.errors import read_fault
from callgate.wire.openai_responses.ids import response_id
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.marks import WIRE, mapping
from callgate.wire.openai_responses.output import output_items
from callgate.wire.openai_responses.read_items import read_output_parts
from callgate.wire.openai_responses.unknown_fields import COMPUTED, unread_item, unread_response

_CALLS = ("function_call", "custom_tool_call")
_INCOMPLETE: dict[str, FinishReason] = {
    "max_output_tokens": "length",
    "max_messages": "length",
    "content_filter": "content_filter",
}


def read_response(body: Mapping[str, Json]) -> ChatResponse:
    """Raises `PeerFault` for a response that failed, and for a body that is none."""
    status = text_at(body, "status")
    if status in ("failed", "cancelled") or object_at(body, "error"):
        raise PeerFault(read_fault(body))
    if not isinstance(body.get("output"), list):
        raise PeerFault(Fault("upstream", "The provider's answer is no response: it has no 'output'."))
    items = objects_at(body, "output")
    try:
        parts = read_output_parts([mended(item) for item in items])
    except BadRequest as error:
        raise PeerFault(Fault("upstream", f"The provider's answer cannot be read: {error}")) from error
    repairs = _flaws(body, items)
    parts = tuple(_as_streamed(part) for part in _distinct(parts, repairs))
    return ChatResponse(
        text_at(body, "id"),
        text_at(body, "model"),
        (Choice(Message("assistant", parts), read_finish(body, called=_has_call(parts))),),
        read_usage(body),
        integer_at(body, "created_at"),
        {WIRE: {key: value for key, value in body.items() if key not in ECHOED and key not in COMPUTED}},
        repairs=tuple(dict.fromkeys(repairs)),
        beside=(*(found for item in items for found in unread_item(item)), *unread_response(body)),
    )


def write_response(response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    finish: FinishReason = response.choices[0].finish if response.choices else "stop"
    status, reason = ending(finish)
    body = Envelope(request).response(
        response_id(response.id),
        response.model,
        created_at(response.created),
        status,
        output=output_items(response),
        usage=response.usage,
        reason=reason,
    )
    return {**mapping(response.extras.get(WIRE)), **body} if request.wire == WIRE else body


def read_finish(body: Mapping[str, Json], *, called: bool) -> FinishReason:
    if text_at(body, "status") == "incomplete":
        return _INCOMPLETE.get(text_at(object_at(body, "incomplete_details"), "reason"), "stop")
    return "tool_calls" if called else "stop"


def read_usage(body: Mapping[str, Json]) -> Usage | None:
    usage = object_at(body, "usage")
    if not usage:
        return None
    inputs, outputs = object_at(usage, "input_tokens_details"), object_at(usage, "output_tokens_details")
    return Usage(
        token_count(usage.get("input_tokens")),
        token_count(usage.get("output_tokens")),
        token_count(inputs.get("cached_tokens")),
        token_count(inputs.get("cache_write_tokens")),
        token_count(outputs.get("reasoning_tokens")),
    )


def mended(item: dict[str, Json]) -> dict[str, Json]:
    """A call item as it should have been: with an id to answer to, and with arguments."""
    kind = text_at(item, "type")
    if kind not in _CALLS:
        unnamed = is_built_in_call(item) and not built_in_id(item)
        return {**item, "call_id": new_id("call")} if unnamed else item
    arguments: dict[str, Json] = {}
    if kind == "function_call" and item.get("arguments") in (None, ""):
        arguments = {"arguments": "{}"}
    return {**item, "call_id": text_at(item, "call_id") or new_id("call"), **arguments}


def _flaws(body: Mapping[str, Json], items: list[dict[str, Json]]) -> list[str]:
    """What clients of this wire look into without asking whether it is there."""
    flaws = [] if text_at(body, "status") else ["the response does not say its status"]
    for item in items:
        kind = text_at(item, "type")
        if kind in _CALLS:
            if not text_at(item, "call_id"):
                flaws.append("a call has no call_id")
            arguments = item.get("arguments" if kind == "function_call" else "input")
            if not isinstance(arguments, str) or (kind == "function_call" and not arguments):
                flaws.append("a call's arguments are no text, or none at all")
        elif kind == "message" and not isinstance(item.get("content"), list):
            flaws.append("the content of a message is no list")
    return flaws


def _distinct(parts: tuple[Part, ...], repairs: list[str]) -> tuple[Part, ...]:
    """Two calls under one id could not both be answered: the second gets its own."""
    seen: set[str] = set()
    out: list[Part] = []
    for part in parts:
        if isinstance(part, ToolCall) and part.id in seen:
            repairs.append("two calls have the same call_id")
            part = replace(part, id=new_id("call"))
        if isinstance(part, ToolCall):
            seen.add(part.id)
        out.append(part)
    return tuple(out)


def _as_streamed(part: Part) -> Part:
    """Reasoning without a proof is nobody's in particular; words have what they rest on, and how likely they were."""
    match part:
        case Reasoning(signature=""):
            return replace(part, wire="")
        case Text(extras=extras) if extras.get("annotations") or extras.get("logprobs"):
            citations = read_annotations(extras.get("annotations"))
            return replace(part, citations=citations, tokens=read_logprobs(extras.get("logprobs")))
        case _:
            return part


def _has_call(parts: tuple[Part, ...]) -> bool:
    return any(isinstance(part, ToolCall) for part in parts)
