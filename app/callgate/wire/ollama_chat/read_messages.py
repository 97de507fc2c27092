"""The messages of a request, every result tied to its call: by id where both have one, else by the tool's name."""

from dataclasses import replace

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Image, Message, Part, Reasoning, Role, Text, ToolCall, ToolResult
from callgate.wire.call_ids import NO_ID
from callgate.wire.ollama_chat.calls import read_call
from callgate.wire.ollama_chat.ids import TurnIds
from callgate.wire.ollama_chat.wire_traits import WIRE

NO_NAME = "ollama_no_name"
"""In a result's extras: it did not name its tool."""
_SPEAKERS: dict[str, Role] = {"system": "system", "user": "user", "developer": "developer"}
_ROLES = (*_SPEAKERS, "assistant", "tool")
_KNOWN = ("role", "content", "thinking", "images", "tool_calls")
_KNOWN_OF_RESULT = ("role", "content", "tool_name", "tool_call_id")
_BEGINNINGS = {"/9j/": "image/jpeg", "iVBORw0KGgo": "image/png", "R0lGOD": "image/gif", "UklGR": "image/webp"}
"""How the base64 of an image begins: the wire does not say its type."""


def read_messages(body: Fields, *, strict: bool = True) -> tuple[Message, ...]:
    """Not `strict`: calls and results need not match."""
    messages = body.objects("messages", required=True)
    if not messages:
        raise BadRequest("Invalid 'messages': there must be at least one message.", "messages", code="empty_array")
    reader = _Reader(strict)
    read = tuple(reader.read(fields) for fields in messages)
    reader.check_answered()
    return read


class _Reader:
    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._turns = 0
        self._waiting: list[ToolCall] = []
        """Calls of the last turn that have no result yet."""
        self._asker: Fields | None = None

    def read(self, fields: Fields) -> Message:
        role = fields.one_of("role", _ROLES)
        if role == "tool":
            return self._result(fields)
        self.check_answered()
        if role == "assistant":
            return self._assistant(fields)
        return Message(_SPEAKERS[role], tuple(_spoken(fields)), extras=fields.rest(*_KNOWN))

    def check_answered(self) -> None:
        """Something other than a result comes: all calls must have been answered."""
        waiting, self._waiting = self._waiting, []
        if waiting and self._strict and self._asker is not None:
            names = ", ".join(call.name for call in waiting)
            raise BadRequest(
                f"An assistant message with 'tool_calls' must be followed by a tool message for each of them. These "
                f"have none: {names}.",
                self._asker.at("tool_calls"),
            )

    def _assistant(self, fields: Fields) -> Message:
        ids = TurnIds(f"turn:{self._turns}")
        self._turns += 1
        calls: list[ToolCall] = []
        for entry in fields.objects("tool_calls"):
            call = read_call(entry)
            fresh = ids.next(call.name, call.id)
            calls.append(call if call.id else replace(call, id=fresh, extras={**call.extras, NO_ID: True}))
        self._waiting, self._asker = list(calls), fields
        thinking = fields.text("thinking", "")
        thought: list[Part] = [Reasoning(thinking, wire=WIRE)] if thinking else []
        return Message("assistant", (*thought, *_spoken(fields), *calls), extras=fields.rest(*_KNOWN))

    def _result(self, fields: Fields) -> Message:
        name, given = fields.text("tool_name", ""), fields.text("tool_call_id", "")
        extras = fields.rest(*_KNOWN_OF_RESULT, "images")
        called = self._find(name, given)
        if called is None and self._strict:
            named = name or given or "without a name"
            raise BadRequest(
                f"Invalid parameter: the tool message {named!r} answers no call of the assistant message before it.",
                fields.at("tool_call_id" if given else "tool_name"),
            )
        if called is not None:
            self._waiting.remove(called)
        if not name:
            extras[NO_NAME] = True
        if not given:
            extras[NO_ID] = True
        parts = tuple(part for part in _spoken(fields) if isinstance(part, Text | Image))
        call_id = given if called is None else called.id
        return Message("tool", (ToolResult(call_id, parts, name=called.name if called else name, extras=extras),))

    def _find(self, name: str, given: str) -> ToolCall | None:
        if given:
            by_id = [call for call in self._waiting if call.id == given]
            if by_id or not name:
                return by_id[0] if by_id else None
            # the id may be that of a stream, whose call the client has repeated without it
            return next((call for call in self._waiting if call.name == name and NO_ID in call.extras), None)
        return next((call for call in self._waiting if not name or call.name == name), None)


def _spoken(fields: Fields) -> list[Part]:
    text = fields.text("content", "")
    said: list[Part] = [Text(text)] if text else []
    return [*said, *(Image(_type_of(image), image) for image in fields.texts("images"))]


def _type_of(image: str) -> str:
    return next((kind for begin, kind in _BEGINNINGS.items() if image.startswith(begin)), "image/png")
