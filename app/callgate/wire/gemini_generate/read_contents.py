"""`contents` → messages, with every response tied to its call.

Clients that stream resend one content for each chunk they got, some of them empty: a run of model contents is one
assistant message. Responses come right after the calls they answer, whatever stood between them.
"""

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Part, Reasoning, Text, ToolCall, ToolResult
from callgate.core.value import value
from callgate.wire.call_ids import NO_ID
from callgate.wire.gemini_generate.ids import TurnIds
from callgate.wire.gemini_generate.parts import SIGNATURE, plain_text, read_part

_ROLES = {"": "user", "user": "user", "model": "model", "function": "user"}
"""`function` is what the first version called the role of responses."""


@value
class _Waiting:
    """A call without a response yet."""

    call: ToolCall
    content: Fields
    index: int
    """Of the call in its content."""


def read_contents(fields: Fields, *, strict: bool = True) -> list[Message]:
    """Not `strict`: a response that answers nothing, and a call without one, are read as they stand."""
    contents = fields.objects("contents", required=True)
    if not contents:
        raise BadRequest("contents is not specified: it must have at least one content.", "contents")
    reader = _ContentsReader(strict)
    for content in contents:
        reader.read(content)
    return reader.finish()


def read_parts(content: Fields) -> list[Part]:
    """A single part need not be in a list."""
    if isinstance(content.value.get("parts"), dict):
        return [read_part(content.needed_child("parts"))]
    return [
        plain_text(given) or read_part(Fields(given, "parts", within=content, index=index))
        for index, given in enumerate(content.items("parts"))
    ]


def part_path(content: Fields, index: int) -> str:
    """Where a part stands, for a complaint."""
    single = isinstance(content.value.get("parts"), dict)
    return content.at("parts", None if single else index)


def _with_id(call: ToolCall, id: str) -> ToolCall:
    """A call that came without one."""
    extras = {**call.extras, NO_ID: True}
    return ToolCall(id, call.name, call.arguments, signature=call.signature, wire=call.wire, extras=extras)


class _ContentsReader:
    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._messages: list[Message] = []
        self._turn: list[Part] = []
        """The model's turn in the making."""
        self._extras: dict[str, Json] = {}
        self._speaking = False
        self._turns = 0
        self._ids = TurnIds("")
        self._waiting: list[_Waiting] = []
        self._next_result = 0
        """Where in the messages the next response belongs."""

    def read(self, content: Fields) -> None:
        role = content.text("role", "")
        if role not in _ROLES:
            raise BadRequest("Please use a valid role: user, model.", content.at("role"), code="invalid_value")
        if _ROLES[role] == "model":
            self._read_model(content)
        else:
            self._read_user(content)

    def finish(self) -> list[Message]:
        if self._speaking:
            self._end_turn()
        else:
            self._check_answered()
        return self._messages

    def _read_model(self, content: Fields) -> None:
        if not self._speaking:
            self._check_answered()
            self._speaking = True
            self._ids = TurnIds(str(self._turns))
            self._turns += 1
        if extras := content.rest("role", "parts"):
            self._extras |= extras
        for index, part in enumerate(read_parts(content)):
            match part:
                case ToolCall():
                    self._call(part, content, index)
                case ToolResult():
                    place = part_path(content, index)
                    raise BadRequest("A functionResponse must be in a content of role 'user'.", place)
                case Text(text="", extras=extras) if not extras:
                    continue  # an empty chunk that the client has kept
                case Text():
                    signature = part.extras.get(SIGNATURE)
                    self._ids.saw(signature if isinstance(signature, str) else "")
                    self._turn.append(part)
                case Reasoning():
                    self._ids.saw(part.signature)
                    self._turn.append(part)
                case _:
                    self._turn.append(part)

    def _call(self, call: ToolCall, content: Fields, index: int) -> None:
        self._ids.saw(call.signature)
        if call.id:
            self._ids.skip()
        else:
            call = _with_id(call, self._ids.next(call.name))
        self._turn.append(call)
        self._waiting.append(_Waiting(call, content, index))

    def _end_turn(self) -> None:
        if self._turn:
            self._messages.append(Message("assistant", tuple(self._turn), extras=self._extras))
        self._turn, self._extras, self._speaking = [], {}, False
        self._next_result = len(self._messages)

    def _read_user(self, content: Fields) -> None:
        if self._speaking:
            self._end_turn()
        parts = read_parts(content)
        if not parts:
            raise BadRequest(f"{content.at('parts')} must not be empty.", content.at("parts"))
        extras = content.rest("role", "parts")
        said: list[Part] = []
        for index, part in enumerate(parts):
            match part:
                case ToolResult():
                    self._answer(part, content, index)
                case ToolCall():
                    place = part_path(content, index)
                    raise BadRequest("A functionCall must be in a content of role 'model'.", place)
                case _:
                    said.append(part)
        if said:
            self._messages.append(Message("user", tuple(said), extras=extras))

    def _answer(self, result: ToolResult, content: Fields, index: int) -> None:
        found = self._find(result)
        if found is None and not self._strict:
            self._messages.append(Message("tool", (result,)))
            return
        if found is None:
            field = "id" if result.call_id else "name"
            called = result.name or result.call_id
            raise BadRequest(
                f"The functionResponse '{called}' answers no functionCall of the turn before it.",
                f"{part_path(content, index)}.functionResponse.{field}",
            )
        self._waiting.remove(found)
        answer = result.answering(found.call.id, found.call.name, result.variant)
        self._messages.insert(self._next_result, Message("tool", (answer,)))
        self._next_result += 1

    def _find(self, result: ToolResult) -> _Waiting | None:
        """By id if there is one; else, or if the client made one up for a call without, by name and order."""
        for waiting in self._waiting:
            if result.call_id and waiting.call.id == result.call_id:
                return waiting
        for waiting in self._waiting:
            if waiting.call.name == result.name and (not result.call_id or NO_ID in waiting.call.extras):
                return waiting
        return None

    def _check_answered(self) -> None:
        """The user has spoken after calls: all of them must have been answered."""
        if not self._strict:
            self._waiting.clear()
        if not self._waiting:
            return
        first = self._waiting[0]
        names = ", ".join(waiting.call.name for waiting in self._waiting)
        raise BadRequest(
            "Please ensure that the number of function response parts is equal to the number of function call parts "
            f"of the function call turn. These calls have no response: {names}.",
            part_path(first.content, first.index),
        )
