"""Time as length: long stretches in which nothing happened are folded, so that what happened can be seen. Pure."""

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

FOLDED_FROM: Final = 8.0
"""Seconds of idleness that are worth folding."""
FOLDED_SHARE: Final = 0.12
"""And at least this share of the busy time: beside an hour of work ten seconds are nothing."""
FOLDED_LENGTH: Final = 0.04
"""How long a fold is drawn, as a share of the busy time."""
_STEPS: Final = (1, 2, 5)
_ROUND_STEPS: Final = (15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 21600.0, 86400.0)


@dataclass(frozen=True, slots=True)
class Fold:
    """A stretch of idle time, drawn short."""

    start: float
    end: float
    at: float
    """Where it begins on the scale."""
    length: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class TimeScale:
    """From seconds since the epoch to lengths, which are seconds but for the folds; and back."""

    start: float = 0.0
    end: float = 0.0
    folds: tuple[Fold, ...] = ()
    _starts: tuple[float, ...] = field(init=False, repr=False, compare=False)
    _ats: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Looked up for every bar at every repaint."""
        object.__setattr__(self, "_starts", tuple(fold.start for fold in self.folds))
        object.__setattr__(self, "_ats", tuple(fold.at for fold in self.folds))

    @classmethod
    def of(cls, busy: Iterable[tuple[float, float]]) -> "TimeScale":
        """Scale for stretches of time in which something happened."""
        stretches = sorted(busy)
        if not stretches:
            return cls()
        merged = [list(stretches[0])]
        for start, end in stretches[1:]:
            if start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        worked = sum(end - start for start, end in merged)
        least = max(FOLDED_FROM, FOLDED_SHARE * worked)
        length = max(0.2, FOLDED_LENGTH * worked)
        folds: list[Fold] = []
        saved = 0.0
        for before, after in pairwise(merged):
            idle = after[0] - before[1]
            if idle >= least:
                folds.append(Fold(before[1], after[0], before[1] - merged[0][0] - saved, length))
                saved += idle - length
        return cls(merged[0][0], merged[-1][1], tuple(folds))

    @property
    def length(self) -> float:
        return self.place(self.end)

    def place(self, at: float) -> float:
        """Where a moment stands; what lies before the start or after the end keeps its distance."""
        number = bisect_right(self._starts, at) - 1
        if number < 0:
            return at - self.start
        fold = self.folds[number]
        if at >= fold.end:
            return fold.at + fold.length + (at - fold.end)
        return fold.at + fold.length * (at - fold.start) / fold.seconds

    def moment(self, place: float) -> float:
        """The moment that stands there."""
        number = bisect_right(self._ats, place) - 1
        if number < 0:
            return self.start + place
        fold = self.folds[number]
        past = place - fold.at
        if past >= fold.length:
            return fold.end + past - fold.length
        return fold.start + fold.seconds * past / fold.length


def tick_step(per_tick: float) -> float:
    """The round number of seconds that is at least as long."""
    if per_tick <= 0:
        return 1.0
    if per_tick > _ROUND_STEPS[0] / 2:
        return next((step for step in _ROUND_STEPS if step >= per_tick), math.ceil(per_tick / 86400.0) * 86400.0)
    power = 10.0 ** math.floor(math.log10(per_tick))
    return next((step * power for step in _STEPS if step * power >= per_tick), 10 * power)
