"""One call at a time, for targets that cannot be told so: of each choice, the calls behind the first are left out."""

from dataclasses import replace
from typing import assert_never

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.messages import ToolCall

Place = tuple[int, int]
"""Choice and part."""


class FirstCallOnly:
    """Parts are numbered anew, so that they stay dense without those that are left out."""

    def __init__(self) -> None:
        self._called: set[int] = set()
        self._numbers: dict[Place, int | None] = {}
        """The new number of a part; None = left out."""
        self._next: dict[int, int] = {}

    def restore(self, delta: Delta) -> list[Delta]:
        match delta:
            case Started() | UsageReported() | Finished() | Failed():
                return [delta]
            case CallStarted() | PartArrived(value=ToolCall()):
                return self._numbered(delta, is_call=True)
            case (
                TextDelta()
                | Cited()
                | TokensWeighed()
                | RefusalDelta()
                | ReasoningDelta()
                | ReasoningSigned()
                | ArgumentsDelta()
                | CallEnded()
                | PartArrived()
            ):
                return self._numbered(delta, is_call=False)
            case _:
                assert_never(delta)

    def _numbered(
        self,
        delta: TextDelta
        | Cited
        | TokensWeighed
        | RefusalDelta
        | ReasoningDelta
        | ReasoningSigned
        | CallStarted
        | ArgumentsDelta
        | CallEnded
        | PartArrived,
        *,
        is_call: bool,
    ) -> list[Delta]:
        place = (delta.choice, delta.part)
        if place not in self._numbers:
            self._numbers[place] = self._number(delta.choice, is_call)
        number = self._numbers[place]
        return [] if number is None else [replace(delta, part=number)]

    def _number(self, choice: int, is_call: bool) -> int | None:
        if is_call and choice in self._called:
            return None
        if is_call:
            self._called.add(choice)
        number = self._next.get(choice, 0)
        self._next[choice] = number + 1
        return number
