"""Several rounds, one reply: renumbers the deltas of each round so that the client sees one well-formed answer."""

from collections.abc import Callable
from dataclasses import replace

from callgate.core.deltas import Delta, Failed, Finished, Started, TextDelta, UsageReported
from callgate.core.messages import Usage

_BETWEEN_ROUNDS = "\n\n"


class Splice:
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
        self.usage: Usage | None = None
        self._earlier = Usage()

    def begin_round(self, number: int) -> None:
        self._round = number
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
            case Finished() | Failed():
                return [delta]
            case TextDelta():
                part = self._number(delta.choice, delta.part)
                text = delta.text
                spoke_in = self._text_in_round.get(delta.choice)
                if text and spoke_in is not None and spoke_in != self._round:
                    text = _BETWEEN_ROUNDS + text
                if text:
                    self._text_in_round[delta.choice] = self._round
                return [TextDelta(part, text, delta.choice)]
            case _:
                return [replace(delta, part=self._number(delta.choice, delta.part))]

    def _number(self, choice: int, part: int) -> int:
        key = (self._round, choice, part)
        if key not in self._numbers:
            self._numbers[key] = self._next.get(choice, 0)
            self._next[choice] = self._numbers[key] + 1
        return self._numbers[key]
