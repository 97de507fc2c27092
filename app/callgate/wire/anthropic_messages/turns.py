"""Neutral messages → this wire's turns.

The same wire gets its messages back as they were. A foreign history is brought into the shape that the provider
demands: sides alternate, results come first and all together, calls come last, nothing is empty.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

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
from callgate.wire.anthropic_messages.arguments import write_call_input
from callgate.wire.anthropic_messages.blocks import (
    WIRE,
    as_string,
    fitting_extras,
    write_file,
    write_image,
    write_result,
    write_text,
    write_thinking,
)
from callgate.wire.anthropic_messages.ids import CallIds
from callgate.wire.dialects import Dialect

Block = dict[str, Json]
_THINKING = ("thinking", "redacted_thinking")


class Turn:
    __slots__ = ("extras", "head", "role", "tail")

    def __init__(self, role: str, *said: Block) -> None:
        self.role = role
        self.head: list[Block] = []
        """What must come first: results, or an assistant's words before its calls."""
        self.tail: list[Block] = list(said)
        self.extras: dict[str, Json] = {}

    @property
    def blocks(self) -> list[Block]:
        return self.head + self.tail

    def has(self, type: str) -> bool:
        return any(block.get("type") == type for block in self.blocks)

    def spelled(self) -> Block:
        return {"role": self.role, "content": as_string(self.blocks), **self.extras}


class TurnWriter:
    def __init__(self, same: bool, dialect: Dialect, warnings: list[str]) -> None:
        self._same = same
        self._dialect = dialect
        self._warnings = warnings
        self._ids = CallIds()
        self._turns: list[Turn] = []

    def write(self, messages: Iterable[Message]) -> list[Turn]:
        for message in messages:
            if message.role == "assistant":
                self._assistant(message)
            elif message.role in ("system", "developer") and self._same:
                self._system(message)
            else:
                self._input(message)
        turns = [turn for turn in self._turns if turn.head or turn.tail]
        return turns if self._same else _alternating(turns)

    def _assistant(self, message: Message) -> None:
        turn = self._turn("assistant", joins=not self._same)
        self._keep_extras(turn, message)
        for part in message.parts:
            block = self._spoken(part)
            if block is None:
                continue
            # only a foreign history is put in order; the provider's own order is part of what it signed
            before = not self._same and not isinstance(part, ToolCall)
            (turn.head if before else turn.tail).append(block)

    def _system(self, message: Message) -> None:
        turn = self._turn("system", joins=False)
        self._keep_extras(turn, message)
        turn.tail += [block for part in message.parts if (block := self._said(part)) is not None]

    def _input(self, message: Message) -> None:
        """What is said to the model: results, the user's words, and instructions in mid-conversation."""
        last = self._turns[-1] if self._turns else None
        after_results = last is not None and bool(last.head) and not last.tail
        turn = self._turn("user", joins=not self._same or after_results)
        self._keep_extras(turn, message)
        for part in message.parts:
            if isinstance(part, ToolResult):
                turn.head.append(write_result(part, self._ids.result(part.call_id), self._same))
            elif (block := self._said(part)) is not None:
                turn.tail.append(block)

    def _turn(self, role: str, *, joins: bool) -> Turn:
        if joins and self._turns and self._turns[-1].role == role:
            return self._turns[-1]
        if role == "assistant":
            self._ids.new_turn()
        self._turns.append(Turn(role))
        return self._turns[-1]

    def _keep_extras(self, turn: Turn, message: Message) -> None:
        if self._same and message.extras:
            turn.extras.update(message.extras)

    def _spoken(self, part: Part) -> Block | None:
        """A part of the assistant's own."""
        match part:
            case ToolCall():
                call: Block = {
                    "type": "tool_use",
                    "id": self._ids.call(part.id),
                    "name": part.name,
                    "input": write_call_input(part),
                }
                return call | fitting_extras(part.extras, self._same)
            case Reasoning():
                return self._thinking(part)
            case Image() | File() if not self._same:
                self._warnings.append(f"messages: {part.kind} in an assistant message left out")
                return None
            case _:
                return self._said(part)

    def _thinking(self, part: Reasoning) -> Block | None:
        """Thinking without the provider's own proof is refused by it, so it is not sent."""
        signed = part.wire == WIRE and bool(part.signature)
        if not signed and not (self._dialect.replay_reasoning and part.text):
            return None
        block = write_thinking(part, part.signature if signed else "")
        return block | (dict(part.extras) if self._same else {})

    def _said(self, part: Part) -> Block | None:
        match part:
            case Text():
                return write_text(part, self._same)
            case Refusal():
                return write_text(Text(part.text), self._same)
            case Image():
                return write_image(part, self._same)
            case File():
                return write_file(part, self._same)
            case Opaque():
                return self._opaque(part)
            case Reasoning() | ToolCall() | ToolResult():
                self._warnings.append(f"messages: a {part.kind} on the wrong side left out")
                return None
            case _:
                assert_never(part)

    def _opaque(self, part: Opaque) -> Block | None:
        if part.wire == WIRE and isinstance(part.value, dict):
            return part.value
        type_ = part.value.get("type") if isinstance(part.value, dict) else None
        self._warnings.append(f"messages: {type_ or 'a part'} of {part.wire} left out")
        return None


def _alternating(turns: list[Turn]) -> list[Turn]:
    """Turns between which another was that said nothing are one."""
    joined: list[Turn] = []
    for turn in turns:
        if joined and joined[-1].role == turn.role:
            joined[-1].tail += turn.blocks
        else:
            joined.append(turn)
    return joined


def lacks_thinking(turns: Sequence[Turn]) -> bool:
    """Whether the tool round under way began without thinking: the provider then refuses thinking with a budget."""
    begin = max((i for i, turn in enumerate(turns) if turn.role == "user" and not turn.has("tool_result")), default=-1)
    spoken = [turn for turn in turns[begin + 1 :] if turn.role == "assistant"]
    if not any(turn.has("tool_use") for turn in spoken):
        return False
    return spoken[0].blocks[0].get("type") not in _THINKING
