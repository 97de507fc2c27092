"""A history in which calls and results do not add up, made whole: for clients that lose some and cannot be mended.

A call without its result gets one that says so; a result without its call is left out. Nothing else is touched.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from callgate.core.messages import Message, Text, ToolCall, ToolResult

LOST = "Error: the result of this call was lost. Whether it ran, and what it did, is not known."


def mended_history(messages: Sequence[Message]) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The messages, and what was done to them; none of the latter where they add up."""
    mender = _Mender()
    for speaks, run in groupby(messages, lambda message: message.role == "assistant"):
        if speaks:
            mender.hear_model(list(run))
        else:
            mender.hear_others(list(run))
    mender.end_turn()
    return tuple(mender.messages), tuple(mender.notes)


class _Mender:
    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.notes: list[str] = []
        self._open: dict[str, ToolCall] = {}
        """Calls of the model's last turn that have no result yet."""
        self._late: set[str] = set()
        """Calls whose results may come whenever they are there."""

    def hear_model(self, turn: list[Message]) -> None:
        self.end_turn()
        self.messages += turn
        for call in (call for message in turn for call in message.calls):
            if call.extras.get("async") is True or call.variant == "built_in":
                self._late.add(call.id)
            else:
                self._open[call.id] = call

    def hear_others(self, said: list[Message]) -> None:
        """Results stand directly behind the turn that they answer, whatever was said in between."""
        rest: list[Message] = []
        for message in said:
            if not message.results:
                rest.append(message)
            elif kept := [part for part in message.parts if not isinstance(part, ToolResult) or self._belongs(part)]:
                self.messages.append(message if len(kept) == len(message.parts) else message.with_parts(kept))
                if rest and message.role == "tool":
                    self.notes.append(f"the result for {message.results[0].call_id} was moved to its call")
        self.end_turn()
        self.messages += rest

    def end_turn(self) -> None:
        for call in self._open.values():
            self.notes.append(f"the call {call.id} of {call.name} had no result: the model is told that it was lost")
            lost = ToolResult(call.id, (Text(LOST),), is_error=True, name=call.name)
            self.messages.append(Message("tool", (replace(lost, variant=call.variant),)))
        self._open.clear()

    def _belongs(self, result: ToolResult) -> bool:
        if self._open.pop(result.call_id, None) is not None or result.call_id in self._late:
            return True
        if result.variant == "built_in":
            return True  # its call may be the provider's own
        self.notes.append(f"the result for {result.call_id or 'no call at all'} answers no open call: left out")
        return False
