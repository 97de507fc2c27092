"""Stop sequences that a target cannot be told: the reply is cut here instead.

The cut is where the provider would have made it: at the sequence that is complete first.
"""

from dataclasses import dataclass
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
from callgate.core.messages import Text
from callgate.core.request import WireName
from callgate.wire.capabilities import Capabilities

_MOST: dict[WireName, int] = {"openai-chat": 4, "openai-responses": 0, "gemini": 5}
"""How many a wire takes; Responses has no field for them."""


def split_stops(
    stops: tuple[str, ...], target: WireName, capabilities: Capabilities
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those that the target is told, and those that are looked for here."""
    wanted = tuple(dict.fromkeys(stop for stop in stops if stop))
    # Anthropic refuses sequences of white space only
    sayable = [stop for stop in wanted if target != "anthropic" or stop.strip()] if capabilities.stop else []
    told = tuple(sayable[: _MOST.get(target, len(sayable))])
    return told, tuple(stop for stop in wanted if stop not in told)


@dataclass(slots=True)
class _Words:
    """The words of a choice that are still held back, as they may be the beginning of a stop sequence."""

    part: int
    held: str = ""


class StopEmulation:
    def __init__(self, stops: tuple[str, ...]) -> None:
        self._stops = stops
        self._longest = max(map(len, stops), default=0)
        self._words: dict[int, _Words] = {}
        self._going_on: set[int] = set()
        self._stopped: set[int] = set()

    def restore(self, delta: Delta) -> list[Delta]:
        match delta:
            case Started() | UsageReported():
                return [delta]
            case Failed():
                if self._stopped and not self._going_on:
                    return []  # all that the client wanted is there
                return [*(held for choice in list(self._words) for held in self._release(choice)), delta]
            case _ if delta.choice in self._stopped:
                return []
            case TextDelta():
                self._going_on.add(delta.choice)
                return self._say(delta)
            case PartArrived(value=Text(text=text)) if self._first_met(text):
                return self._say(TextDelta(delta.part, text, delta.choice))  # signed words come whole
            case TokensWeighed():
                return [delta]
            case Finished():
                self._going_on.discard(delta.choice)
                return [*self._release(delta.choice), delta]
            case (
                Cited()
                | RefusalDelta()
                | ReasoningDelta()
                | ReasoningSigned()
                | CallStarted()
                | ArgumentsDelta()
                | CallEnded()
                | PartArrived()
            ):
                self._going_on.add(delta.choice)
                return [*self._release(delta.choice), delta]
            case _:
                assert_never(delta)

    def _say(self, delta: TextDelta) -> list[Delta]:
        choice = delta.choice
        words = self._words.get(choice)
        before: list[Delta] = []
        if words is None or words.part != delta.part:
            before = self._release(choice)
            words = self._words[choice] = _Words(delta.part)
        text = words.held + delta.text
        met = self._first_met(text)
        if met is not None:
            end, stop = met
            self._stopped.add(choice)
            self._going_on.discard(choice)
            del self._words[choice]
            said = text[: end - len(stop)]
            cut: list[Delta] = [TextDelta(delta.part, said, choice)] if said else []
            return [*before, *cut, Finished("stop", stop, choice)]
        held = self._beginning(text)
        words.held = text[len(text) - held :]
        sure = text[: len(text) - held]
        return [*before, TextDelta(delta.part, sure, choice)] if sure or not delta.text else before

    def _release(self, choice: int) -> list[Delta]:
        words = self._words.pop(choice, None)
        return [TextDelta(words.part, words.held, choice)] if words is not None and words.held else []

    def _first_met(self, text: str) -> tuple[int, str] | None:
        """Where the first complete sequence ends; of several that end there, the longest."""
        met = [(at + len(stop), stop) for stop in self._stops if (at := text.find(stop)) >= 0]
        return min(met, key=lambda found: (found[0], -len(found[1])), default=None)

    def _beginning(self, text: str) -> int:
        """How many characters at the end may begin a sequence."""
        for length in range(min(self._longest - 1, len(text)), 0, -1):
            tail = text[len(text) - length :]
            if any(stop.startswith(tail) for stop in self._stops):
                return length
        return 0
