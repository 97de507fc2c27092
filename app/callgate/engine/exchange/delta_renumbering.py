"""Several rounds, one reply: renumbers the deltas of each round so that the client sees one well-formed answer."""

from collections.abc import Callable
from dataclasses import replace

from callgate.core.deltas import Cited, Delta, Failed, Finished, PartArrived, Started, TextDelta, UsageReported
from callgate.core.messages import Text, Usage

_BETWEEN_ROUNDS = "\n\n"
_GAP = -1
"""The part of a round that holds nothing but what is between it and the round before."""


class DeltaRenumbering:
    """Deltas of one exchange, as the client may see them. Finish and usage come once, when the exchange says so."""

    def __init__(self, reply_id: str = "", dress: Callable[[Delta], Delta] | None = None) -> None:
        """`reply_id`: given where the provider's own id would not fit the client's wire; `dress`: a last touch."""
        self._reply_id = reply_id
        self._dress = dress
        self._started = False
        self._round = 0
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._next: dict[int, int] = {}
        self._text_in_round: dict[int, int] = {}
        self._paused: set[int] = set()
        """Choices that have spoken and whose provider wants to be asked to go on."""
        self._moved: dict[tuple[int, int], int] = {}
        """By how much the text of a part begins later than the provider knows."""
        self.usage: Usage | None = None
        self._earlier = Usage()

    def begin_round(self, number: int) -> None:
        self._round = number
        for choice in self._paused:
            self._text_in_round[choice] = number  # it goes on where it was: nothing stands between its words
        self._paused.clear()
        if self.usage is not None:
            self._earlier = self.usage

    def add(self, delta: Delta) -> list[Delta]:
        """What the client is told of a delta of the current round."""
        seen = self._renumbered(delta)
        return seen if self._dress is None else [self._dress(one) for one in seen]

    def _renumbered(self, delta: Delta) -> list[Delta]:
        match delta:
            case Started():
                if self._started:
                    return []
                self._started = True
                return [replace(delta, id=self._reply_id) if self._reply_id else delta]
            case UsageReported():
                self.usage = self._earlier + delta.usage
                return [UsageReported(self.usage)]
            case Finished():
                if delta.reason == "pause" and delta.choice in self._text_in_round:
                    self._paused.add(delta.choice)
                return [delta]
            case Failed():
                return [delta]
            case TextDelta():
                gap = self._gap(delta.choice) if delta.text else ""
                number = self._number(delta.choice, delta.part)
                if gap:
                    self._moved[delta.choice, number] = len(gap)
                return [TextDelta(number, gap + delta.text, delta.choice)]
            case Cited():
                number = self._number(delta.choice, delta.part)
                moved = delta.citation.moved(self._moved.get((delta.choice, number), 0))
                return [Cited(number, moved, delta.choice)]
            case PartArrived(value=Text() as text):
                # a text that comes whole may be signed: nothing can be added to it
                gap = self._gap(delta.choice) if text.text else ""
                before: list[Delta] = [TextDelta(self._number(delta.choice, _GAP), gap, delta.choice)] if gap else []
                return [*before, replace(delta, part=self._number(delta.choice, delta.part))]
            case _:
                return [replace(delta, part=self._number(delta.choice, delta.part))]

    def _gap(self, choice: int) -> str:
        """What stands between the words of an earlier round and those that come now."""
        spoke_in = self._text_in_round.get(choice)
        self._text_in_round[choice] = self._round
        return _BETWEEN_ROUNDS if spoke_in is not None and spoke_in != self._round else ""

    def _number(self, choice: int, part: int) -> int:
        key = (self._round, choice, part)
        if key not in self._numbers:
            self._numbers[key] = self._next.get(choice, 0)
            self._next[choice] = self._numbers[key] + 1
        return self._numbers[key]
