"""The messages of a request, and that calls and results belong together the way the provider demands it."""

import hashlib
from dataclasses import dataclass, field
from typing import assert_never

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_text
from callgate.core.messages import (
    Extras,
    File,
    Image,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ResultPart,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.wire.openai_chat.content import WIRE, ContentPart, read_content
from callgate.wire.openai_chat.read_tools import read_arguments, read_call
from callgate.wire.openai_chat.thought_signature import SIGNER, read_signature

_SPEAKERS: dict[str, Role] = {"system": "system", "user": "user", "developer": "developer"}
_ROLES = (*_SPEAKERS, "assistant", "tool", "function")
_REASONING_KEYS = ("reasoning_content", "reasoning", "reasoning_details")
_ASSISTANT_KEYS = ("role", "content", "name", "refusal", "tool_calls", "function_call", *_REASONING_KEYS)


@dataclass(slots=True)
class _Pairing:
    """Which calls of the last assistant turn still wait for their results."""

    strict: bool = True
    """False: nothing is demanded."""
    turn: Fields | None = None
    known: set[str] = field(default_factory=set[str])
    unanswered: list[str] = field(default_factory=list[str])

    def begin(self, turn: Fields, ids: list[str]) -> None:
        self.turn, self.known, self.unanswered = turn, set(ids), list(ids)

    def end(self) -> None:
        """Something other than a result comes: every call must have been answered."""
        if self.strict and self.unanswered and self.turn is not None:
            raise BadRequest(
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                "'tool_call_id'. The following tool_call_ids did not have response messages: "
                + ", ".join(self.unanswered),
                self.turn.at("tool_calls"),
            )
        self.known.clear()

    def answer(self, call_id: str, index: int) -> None:
        if not self.strict:
            return
        if not self.known:
            raise BadRequest(
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
                "'tool_calls'.",
                f"messages.[{index}].role",
            )
        if call_id not in self.known:
            raise BadRequest(
                f"Invalid parameter: 'tool_call_id' of '{call_id}' not found in 'tool_calls' of previous message.",
                f"messages[{index}].tool_call_id",
            )
        if call_id in self.unanswered:
            self.unanswered.remove(call_id)


class _Reader:
    def __init__(self, strict: bool) -> None:
        self._pairing = _Pairing(strict)
        self._legacy: ToolCall | None = None
        self._legacy_count = 0

    def read(self, fields: Fields, index: int) -> Message:
        role = fields.one_of("role", _ROLES)
        if role == "tool":
            return self._tool(fields, index)
        if role == "function":
            return self._function(fields)
        self._pairing.end()
        return self._assistant(fields) if role == "assistant" else _plain(fields, _SPEAKERS[role])

    def finish(self) -> None:
        self._pairing.end()

    def _tool(self, fields: Fields, index: int) -> Message:
        call_id = fields.text("tool_call_id")
        self._pairing.answer(call_id, index)
        extras = fields.rest("role", "content", "name", "tool_call_id")
        return _result(fields, call_id, fields.text("name", ""), extras)

    def _function(self, fields: Fields) -> Message:
        """A result in the old style knows only the function's name."""
        name = fields.text("name")
        call = self._legacy
        if call is None or call.name != name or call.id not in self._pairing.known:
            if not self._pairing.strict:
                return _result(fields, "", name, fields.rest("role", "content", "name"))
            raise BadRequest(
                "Invalid parameter: messages with role 'function' must be a response to a preceding message with "
                "'function_call'.",
                fields.at("role"),
            )
        self._pairing.unanswered.clear()
        return _result(fields, call.id, name, fields.rest("role", "content", "name"))

    def _assistant(self, fields: Fields) -> Message:
        parts: list[Part] = [*_read_reasoning(fields), *read_content(fields)]
        refusal = fields.text("refusal", "")
        if refusal:
            parts.append(Refusal(refusal))
        calls = [_read_tool_call(call) for call in fields.objects("tool_calls")]
        if (legacy := fields.child("function_call")) is not None:
            calls.append(self._legacy_call(legacy))
        if calls:
            self._pairing.begin(fields, [call.id for call in calls])
        return Message("assistant", (*parts, *calls), fields.text("name", ""), fields.rest(*_ASSISTANT_KEYS))

    def _legacy_call(self, fields: Fields) -> ToolCall:
        """The old style has no ids; the same history must give the same id each time it is sent."""
        name, arguments = fields.text("name"), read_arguments(fields)
        self._legacy_count += 1
        digest = hashlib.sha256(f"{self._legacy_count}:{name}:{arguments}".encode("utf-8", "replace")).hexdigest()
        self._legacy = ToolCall(f"call_{digest[:24]}", name, arguments)
        return self._legacy


def read_messages(body: Fields, *, strict: bool = True) -> tuple[Message, ...]:
    """Raises `BadRequest` for anything that the provider would refuse, before it is asked."""
    messages = body.objects("messages", required=True)
    if not messages:
        raise BadRequest(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "messages",
            code="empty_array",
        )
    reader = _Reader(strict)
    read = tuple(reader.read(fields, index) for index, fields in enumerate(messages))
    reader.finish()
    return read


def _plain(fields: Fields, role: Role) -> Message:
    if "content" not in fields:
        fields.text("content")  # complains: only an assistant may say nothing
    extras = fields.rest("role", "content", "name")
    return Message(role, read_content(fields), fields.text("name", ""), extras)


def _result(fields: Fields, call_id: str, name: str, extras: Extras) -> Message:
    content = fields.raw("content")
    if content is None or isinstance(content, str | list):
        parts = tuple(_result_part(part) for part in read_content(fields))
    else:
        parts = (Text(dump_text(content)),)  # sloppy clients send the value itself
    return Message("tool", (ToolResult(call_id, parts, name=name, extras=extras),))


def _result_part(part: ContentPart) -> ResultPart:
    match part:
        case Text() | Image() | File():
            return part
        case Refusal():
            return Text(part.text)
        case Opaque():
            return Text(dump_text(part.value))
        case _:
            assert_never(part)


def _read_tool_call(fields: Fields) -> ToolCall:
    call_id = fields.text("id")
    if not call_id:
        raise BadRequest(f"Invalid '{fields.at('id')}': empty string.", fields.at("id"), code="empty_string")
    name, arguments, variant, extras = read_call(fields)
    signature = read_signature(extras.get("extra_content"))
    if signature:
        extras.pop("extra_content")
    return ToolCall(
        call_id, name, arguments, variant, signature=signature, wire=SIGNER if signature else "", extras=extras
    )


def _read_reasoning(fields: Fields) -> list[Part]:
    """Thinking that a server gave and its client sends back, under whichever name the server has for it."""
    if fields.value.keys().isdisjoint(_REASONING_KEYS) or not any(key in fields for key in _REASONING_KEYS):
        return []
    texts = [fields.text(key, "") for key in ("reasoning_content", "reasoning")]
    details = fields.items("reasoning_details")
    extras = {key: fields.raw(key) for key in _REASONING_KEYS if key in fields and key != "reasoning_details"}
    signature = dump_text(details) if details else ""
    return [Reasoning(next(filter(None, texts), ""), signature, wire=WIRE, extras=extras)]
