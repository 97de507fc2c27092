"""Whole answers, both ways. Reading takes the road of streams, so that both always mean the same."""

import time
from collections.abc import Mapping

from callgate.core.assembly import Assembly
from callgate.core.deltas import Delta, Failed, Started, UsageReported
from callgate.core.errors import Fault, PeerFault
from callgate.core.ids import new_id
from callgate.core.messages import Json, Message, Reasoning, Refusal, Text, ToolCall
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.openai_chat.annotations import annotations_of
from callgate.wire.openai_chat.choice_reader import ChoiceReader
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_chat.errors import fault_of
from callgate.wire.openai_chat.finish import write_finish
from callgate.wire.openai_chat.thought_signature import SIGNER, write_signature
from callgate.wire.openai_chat.usage import COUNTED, read_usage, write_usage
from callgate.wire.openai_logprobs import write_logprobs
from callgate.wire.unknown_fields import Beside, unread

KNOWN = frozenset(("id", "object", "created", "model", "choices", "usage"))
_KNOWN_OF_CHOICE = ("index", "message", "finish_reason")
_READ_OF_CHOICE = frozenset((*_KNOWN_OF_CHOICE, "logprobs"))
_KNOWN_OF_MESSAGE = ("role", "content", "refusal", "tool_calls", "function_call", "reasoning_content")


def read_response(body: Mapping[str, Json]) -> ChatResponse:
    if body.get("error") or body.get("object") == "error":
        raise PeerFault(fault_of(dict(body)))
    choices = body.get("choices")
    choices = choices if isinstance(choices, list) else []
    messages = [choice for choice in choices if isinstance(choice, dict)]
    if not messages:
        raise PeerFault(Fault("upstream", "the provider's answer has no choices"))
    assembly = Assembly()
    assembly.add(Started(text_of(body.get("id")), text_of(body.get("model")), number_of(body.get("created"))))
    ids: set[str] = set()
    repairs: list[str] = [] if len(messages) == len(choices) else ["a choice was no object"]
    beside = [*unread(body, KNOWN), *unread_usage(body.get("usage"))]
    for index, choice in enumerate(messages):
        for delta in _read_choice(choice, index, ids, repairs, beside):
            if isinstance(delta, Failed):
                raise PeerFault(delta.fault)
            assembly.add(delta)
    usage = read_usage(body.get("usage"))
    if usage is not None:
        assembly.add(UsageReported(usage))
    response = assembly.response
    return ChatResponse(
        response.id,
        response.model,
        response.choices,
        usage,
        response.created,
        _own_extras(body, messages),
        tuple(dict.fromkeys(repairs)),
        tuple(beside),
    )


def unread_usage(usage: Json) -> list[Beside]:
    return unread(usage, COUNTED, "usage.") if isinstance(usage, dict) else []


def _read_choice(
    choice: Mapping[str, Json], index: int, ids: set[str], repairs: list[str], beside: list[Beside]
) -> list[Delta]:
    beside += unread(choice, _READ_OF_CHOICE, "choices.")
    message = choice.get("message")
    if not isinstance(message, dict):
        repairs.append("a choice had no message")
        message = choice.get("delta")  # some servers say it as a piece of a stream
    if not isinstance(message, dict):
        return [Failed(Fault("upstream", "the provider's answer has a choice without a message"))]
    piece = dict(message)
    calls = piece.get("tool_calls")
    if isinstance(calls, list):  # in a whole message the place is the index
        piece["tool_calls"] = [
            {**call, "index": place} for place, call in enumerate(call for call in calls if isinstance(call, dict))
        ]
    piece.setdefault("role", "assistant")
    finish = choice.get("finish_reason")
    if not finish:
        repairs.append("the answer had no finish_reason")
        finish = "stop"
    return ChoiceReader(index, ids).take(piece, finish, repairs, choice.get("logprobs"), beside)


def _own_extras(body: Mapping[str, Json], choices: list[dict[str, Json]]) -> dict[str, Json]:
    """What the neutral form does not hold, under this wire's name, lest another wire's writer takes it for its own."""
    extras = {key: value for key, value in body.items() if key not in KNOWN}
    kept: list[Json] = []
    for choice in choices:
        rest = {key: value for key, value in choice.items() if key not in _KNOWN_OF_CHOICE}
        message = choice.get("message")
        if isinstance(message, dict):
            within = {key: value for key, value in message.items() if key not in _KNOWN_OF_MESSAGE}
            if within:
                rest["message"] = within
        kept.append(rest)
    if any(kept):
        extras["choices"] = kept
    if isinstance(usage := body.get("usage"), dict):
        extras["usage"] = usage
    return {WIRE: extras} if extras else {}


def write_response(response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    extras = _section(response.extras.get(WIRE))
    kept = extras.pop("choices", None)
    kept = kept if isinstance(kept, list) else []
    counted = _section(extras.pop("usage", None))
    body: dict[str, Json] = {
        "id": response.id or new_id("chatcmpl").replace("_", "-"),
        "object": "chat.completion",
        "created": response.created or int(time.time()),
        "model": response.model or request.model,
        "choices": [
            _write_choice(choice, index, _section(kept[index] if index < len(kept) else None), request)
            for index, choice in enumerate(response.choices)
        ],
    }
    if response.usage is not None:
        body["usage"] = {**counted, **_merged(write_usage(response.usage), counted)}
    return {**body, **extras}


def _write_choice(choice: Choice, index: int, extras: dict[str, Json], request: ChatRequest) -> Json:
    within = _section(extras.pop("message", None))
    legacy = request.legacy_functions
    called = bool(choice.message.calls)
    return {
        "index": index,
        "message": {**_write_message(choice, legacy, within), **within},
        "logprobs": _write_logprobs(choice),
        "finish_reason": write_finish(choice.finish, called=called, legacy=legacy),
        **extras,
    }


def _write_message(choice: Choice, legacy: bool, within: Mapping[str, Json]) -> dict[str, Json]:
    message = choice.message
    refusal = _refusal(choice)
    body: dict[str, Json] = {
        "role": "assistant",
        "content": message.text or (None if message.calls or refusal else ""),
        "refusal": refusal or None,
    }
    if annotations := annotations_of(tuple(part for part in message.parts if isinstance(part, Text))):
        body["annotations"] = annotations
    thoughts = "".join(part.text for part in message.parts if isinstance(part, Reasoning))
    if thoughts and "reasoning" not in within:
        body["reasoning_content"] = thoughts
    if message.calls and legacy:
        first = message.calls[0]
        body["function_call"] = {"name": first.name, "arguments": first.arguments}
    elif message.calls:
        body["tool_calls"] = [_write_call(call) for call in message.calls]
    return body


def _write_logprobs(choice: Choice) -> Json:
    tokens = [token for part in choice.message.parts if isinstance(part, Text) for token in part.tokens]
    return {"content": write_logprobs(tokens, always_bytes=False), "refusal": None} if tokens else None


def _refusal(choice: Choice) -> str:
    message: Message = choice.message
    said = "".join(part.text for part in message.parts if isinstance(part, Refusal))
    return said or (choice.detail if choice.finish == "refusal" else "")


def _write_call(call: ToolCall) -> dict[str, Json]:
    spelled = "arguments" if call.variant == "function" else "input"
    body: dict[str, Json] = {
        "id": call.id,
        "type": call.variant,
        call.variant: {"name": call.name, spelled: call.arguments},
    }
    if call.signature and call.wire == SIGNER:
        body["extra_content"] = write_signature(call.signature)
    return body


def _merged(counted: dict[str, Json], given: Mapping[str, Json]) -> dict[str, Json]:
    """Our counts, with what the server counts beside them (audio, predictions)."""
    return {
        key: {**_section(given.get(key)), **value} if isinstance(value, dict) else value
        for key, value in counted.items()
    }


def _section(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, dict) else {}


def text_of(value: Json) -> str:
    return value if isinstance(value, str) else ""


def number_of(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0
