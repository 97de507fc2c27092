"""Whole replies, both ways."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from callgate.core.errors import BadRequest, Fault, PeerFault
from callgate.core.ids import new_id
from callgate.core.json.fields import Fields
from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.anthropic_messages.arguments import is_whole, write_call_input
from callgate.wire.anthropic_messages.blocks import WIRE, own_signature, read_content, write_text, write_thinking
from callgate.wire.anthropic_messages.citations import cited_blocks, read_citations
from callgate.wire.anthropic_messages.errors import fault_of
from callgate.wire.anthropic_messages.ids import fit_id, is_message_id
from callgate.wire.anthropic_messages.stop import is_known, read_stop, write_stop
from callgate.wire.anthropic_messages.unknown_fields import unread_block, unread_message, unread_usage
from callgate.wire.anthropic_messages.usage import COUNTED, read_usage, write_usage
from callgate.wire.unknown_fields import Beside

_KNOWN = ("type", "id", "role", "model", "content", "stop_reason", "stop_sequence", "usage")


def read_response(body: Mapping[str, Json]) -> ChatResponse:
    error = body.get("error")
    if body.get("type") == "error" or isinstance(error, dict) or ("error" in body and "content" not in body):
        raise PeerFault(fault_of(body, 0))
    try:
        return _read(Fields(body, join="."))
    except BadRequest as bad:
        raise PeerFault(Fault("upstream", f"unreadable reply: {bad.fault.message}")) from bad


def _read(fields: Fields) -> ChatResponse:
    repairs = _flaws(fields)
    parts = _with_distinct_ids((_cited(part) for part in read_content(fields) if not _is_empty(part)), repairs)
    reason = fields.raw("stop_reason")
    stop = read_stop(
        reason,
        fields.raw("stop_sequence"),
        fields.raw("stop_details"),
        called=any(isinstance(part, ToolCall) for part in parts),
    )
    repairs += [stop.repair] if stop.repair else []
    own = fields.rest(*_KNOWN)
    if not is_known(reason):
        own["stop_reason"] = reason
    usage = fields.child("usage")
    if usage is not None:
        own["usage"] = usage.rest(*COUNTED)
    return ChatResponse(
        fields.text("id", ""),
        fields.text("model", ""),
        (Choice(Message("assistant", parts), stop.finish, stop.detail),),
        None if usage is None else read_usage(usage.value),
        # under this wire's name, so that no other wire takes them for its own
        extras={WIRE: own},
        repairs=tuple(dict.fromkeys(repairs)),
        beside=(*unread_message(fields.value), *unread_usage(fields.raw("usage")), *_unread_blocks(fields)),
    )


def _flaws(fields: Fields) -> list[str]:
    """What clients of this wire look into without asking whether it is there."""
    content = fields.raw("content")
    if not isinstance(content, list):
        return ["content was no list"]
    called = [block for block in content if isinstance(block, dict) and block.get("type") == "tool_use"]
    flaws: list[str] = []
    if not all(isinstance(block.get("input"), dict) for block in called):
        flaws.append("a call had no arguments, not even an empty object")
    if not isinstance(fields.raw("usage"), dict):
        flaws.append("the reply had no usage")
    if fields.raw("stop_reason") is None:
        flaws.append("stop_reason is missing")
    return flaws


def _unread_blocks(fields: Fields) -> list[Beside]:
    content = fields.raw("content")
    blocks = content if isinstance(content, list) else []
    return [found for block in blocks if isinstance(block, dict) for found in unread_block(block)]


def _cited(part: Part) -> Part:
    if not isinstance(part, Text) or not part.extras.get("citations"):
        return part
    return replace(part, citations=read_citations(part.extras["citations"], len(part.text)))


def _with_distinct_ids(parts: Iterable[Part], repairs: list[str]) -> tuple[Part, ...]:
    seen: set[str] = set()
    distinct: list[Part] = []
    for part in parts:
        if isinstance(part, ToolCall):
            if not part.id or part.id in seen:
                repairs.append(f"the call id {part.id} was used before" if part.id else "the call has no id")
                part = replace(part, id=new_id("call"))
            seen.add(part.id)
        distinct.append(part)
    return tuple(distinct)


def _is_empty(part: Part) -> bool:
    return isinstance(part, Text) and not part.text


def message_id(id: str) -> str:
    """The id if it is one of this wire's, else a fresh one."""
    return id if is_message_id(id) else new_id("msg")


def write_response(response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    own = response.extras.get(WIRE)
    same = isinstance(own, dict)
    choice = response.choices[0] if response.choices else Choice(Message("assistant"), "stop")
    content: list[Json] = []
    called = False
    for part in choice.message.parts:
        if isinstance(part, ToolCall) and choice.finish == "length" and not is_whole(part.arguments):
            continue  # cut off in mid-call: an object cannot hold half of its arguments
        called = called or isinstance(part, ToolCall)
        if isinstance(part, Text) and part.citations and not same:
            content += cited_blocks(part)
            continue
        block = write_block(part, same)
        if block is not None:
            content.append(block)
    refused = any(isinstance(part, Refusal) for part in choice.message.parts)
    body: dict[str, Json] = {
        "id": message_id(response.id),
        "type": "message",
        "role": "assistant",
        "model": response.model or request.model,
        "content": content,
        **write_stop(choice.finish, choice.detail, called=called, refused=refused),
        "usage": write_usage(response.usage),
    }
    if isinstance(own, dict):
        usage = own.get("usage")
        body |= {key: value for key, value in own.items() if key != "usage"}
        if isinstance(usage, dict):
            body["usage"] = {**write_usage(response.usage), **usage}
    return body


def write_block(part: Part, same: bool) -> dict[str, Json] | None:
    """A part of a reply as a whole block; None for what a client of this wire cannot be shown."""
    match part:
        case Text():
            return write_text(part, same)
        case Refusal():
            return write_text(Text(part.text), same)
        case Reasoning():
            signature = own_signature(part.signature, part.wire)
            if not signature and (part.redacted or not part.text):
                return None
            return write_thinking(part, signature) | (dict(part.extras) if same else {})
        case ToolCall():
            call: dict[str, Json] = {
                "type": "tool_use",
                "id": fit_id(part.id),
                "name": part.name,
                "input": write_call_input(part),
            }
            return call | (dict(part.extras) if same else {})
        case Image() | File():
            return {"type": "text", "text": f"[{part.kind} {part.media_type or part.url} cannot be shown here]"}
        case Opaque():
            return part.value if part.wire == WIRE and isinstance(part.value, dict) else None
        case ToolResult():
            return None
        case _:
            assert_never(part)
