"""A history in which calls and results do not match, put right: an agent that was interrupted would fail for ever.

Every provider refuses such a history, and so does Callgate unless it is told to repair. Works on the neutral form, one
way for all wires; must not know how any of them words its complaint.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from callgate.core.messages import Message, Text, ToolCall, ToolResult

NO_RESULT = "The result of this call was never recorded: it was interrupted, and nothing is known of what it did."


@dataclass(frozen=True, slots=True)
class Repaired:
    messages: tuple[Message, ...]
    repairs: tuple[str, ...]
    """What was changed, a sentence each; none: there was nothing to repair."""


def repaired(messages: Sequence[Message]) -> Repaired:
    """Each result behind its call, an error where there is none; results that answer nothing are left out."""
    repairing = _Repairing(messages)
    return Repaired(tuple(repairing.messages()), tuple(repairing.repairs))


class _Repairing:
    def __init__(self, messages: Sequence[Message]) -> None:
        self._given = messages
        self.repairs: list[str] = []
        self._free = {call.id for message in messages for call in message.calls if _answers_itself(call)}
        self._free |= {r.call_id for message in messages for r in message.results if r.variant == "built_in"}
        self._answers: dict[str, deque[Message]] = {}
        """Call id → its results in the order they came: some models use an id again."""
        for message in messages:
            if message.role == "tool" and _answered(message) not in self._free:
                self._answers.setdefault(_answered(message), deque()).append(message)

    def messages(self) -> list[Message]:
        out: list[Message] = []
        for at, message in enumerate(self._given):
            if message.role != "tool" or _answered(message) in self._free:
                out.append(message)
            out += [self._answer(call, at) for call in message.calls if call.id not in self._free]
        for call_id, left in self._answers.items():
            name = call_id or next((result.name for message in left for result in message.results), "")
            self.repairs += [f"history: the result of '{name}' answers no call; left out"] * len(left)
        return out

    def _answer(self, call: ToolCall, at: int) -> Message:
        waiting = self._answers.get(call.id)
        if not waiting:
            self.repairs.append(f"history: the call '{call.id}' of {call.name} had no result; it was given an error")
            error = ToolResult(call.id, (Text(NO_RESULT),), is_error=True, name=call.name, variant=call.variant)
            return Message("tool", (error,))
        answer = waiting.popleft()
        if not any(answer is near for near in self._batch(at)):
            self.repairs.append(f"history: the result of the call '{call.id}' was moved behind its call")
        return answer

    def _batch(self, at: int) -> Sequence[Message]:
        """The results directly behind a turn."""
        end = at + 1
        while end < len(self._given) and self._given[end].role == "tool":
            end += 1
        return self._given[at + 1 : end]


def _answered(message: Message) -> str:
    """The call that a message of the role `tool` answers: in the neutral form each holds one result."""
    return next((result.call_id for result in message.results), "")


def _answers_itself(call: ToolCall) -> bool:
    """OpenAI's own tools may be run by the provider, and calls that are `async` are answered whenever it comes."""
    return call.variant == "built_in" or call.extras.get("async") is True
