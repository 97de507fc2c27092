"""Whole answers, both ways. Reading takes the road of streams, so that both always mean the same."""

import time
from collections.abc import Mapping

from callgate.core.assembly import Assembly
from callgate.core.deltas import Failed
from callgate.core.errors import Fault, PeerFault
from callgate.core.failure_notice import broken_reply
from callgate.core.messages import Json, Reasoning, Refusal, Text, ToolCall
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.ollama_chat.calls import is_whole, write_call
from callgate.wire.ollama_chat.errors import error_under_200
from callgate.wire.ollama_chat.reply_reader import ReplyReader
from callgate.wire.ollama_chat.written_part import Spelled, end, moment
from callgate.wire.openai_logprobs import write_logprobs
from callgate.wire.unknown_fields import Beside


def read_response(body: Mapping[str, Json]) -> ChatResponse:
    reader = ReplyReader()
    assembly = Assembly()
    repairs: list[str] = []
    beside: list[Beside] = []
    for delta in reader.take(body, repairs, beside):
        if isinstance(delta, Failed):
            raise PeerFault(delta.fault)
        assembly.add(delta)
    if not reader.finished:
        raise PeerFault(Fault("upstream", "the provider's answer is not 'done'"))
    response = assembly.response
    return ChatResponse(
        response.id,
        response.model,
        response.choices,
        response.usage,
        response.created,
        repairs=tuple(dict.fromkeys(repairs)),
        beside=tuple(beside),
    )


def write_response(response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    choice = response.choices[0]
    parts = choice.message.parts
    if choice.finish == "length":  # cut off in mid-call: an object cannot hold half of its arguments
        parts = tuple(part for part in parts if not isinstance(part, ToolCall) or is_whole(part.arguments))
    texts = [part.text for part in parts if isinstance(part, Text | Refusal)]
    refused = any(isinstance(part, Refusal) for part in parts)
    if choice.finish == "refusal" and not refused:
        texts.append(choice.detail)
    message: Spelled = {"role": "assistant", "content": "".join(texts)}
    if thoughts := "".join(part.text for part in parts if isinstance(part, Reasoning)):
        message["thinking"] = thoughts
    if calls := [write_call(part, own=False) for part in parts if isinstance(part, ToolCall)]:
        message["tool_calls"] = calls
    body: dict[str, Json] = {
        "model": response.model or request.model,
        "created_at": moment(response.created or time.time()),
        "message": message,
    }
    if tokens := [token for part in parts if isinstance(part, Text) for token in part.tokens]:
        body["logprobs"] = write_logprobs(tokens, always_bytes=False)
    return {**body, **end(choice.finish, response.usage, 1, refused=refused)}


def write_failure(fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    """A whole answer that says what failed: official packages look for `error` in streams only."""
    return {**write_response(broken_reply(fault, said), request), **error_under_200(fault)}
