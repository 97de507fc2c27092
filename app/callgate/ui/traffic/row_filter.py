"""An expression asked of many rows at once: the same answers as `holds`, at a fraction of the price.

A table holds few different agents, models and tools, so each distinct value is judged once, however many slices the
rows are looked at in. Pure.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import not_
from typing import Final, assert_never

from callgate.core.rules.expression import Always, And, Compare, Expression, FieldValue, Not, Or, Word
from callgate.ui.traffic.row import NUMBERS, TrafficRow
from callgate.ui.traffic.row_columns import TEXT, Places, RowColumns

_MIRRORED: Final = {">": "__lt__", "<": "__gt__", ">=": "__le__", "<=": "__ge__"}
"""What the number is asked about the value, so that no line of Python runs for a row: `value > 5` is `5 < value`."""
SLICE: Final = 3000
"""Rows between two looks at the clock: a few milliseconds for the dearest expressions."""


def fits(expression: Expression, row: TrafficRow) -> bool:
    return expression.holds(row)


def fitting(expression: Expression, rows: Sequence[TrafficRow]) -> list[TrafficRow]:
    """The rows that fit, in their order; may raise `MatchTimeout`, as the expression itself may."""
    job = FilterJob(expression, RowColumns(rows))
    job.run(float("inf"))
    return job.found


class FilterJob:
    """Filtering that can be done in slices; `run` goes on where it left off."""

    def __init__(self, expression: Expression, columns: RowColumns) -> None:
        self._expression, self._columns = expression, columns
        self._place = 0
        self._known: dict[Compare, dict[object, bool]] = {}
        """What has been judged of each comparison."""
        self.found: list[TrafficRow] = []

    @property
    def is_done(self) -> bool:
        return self._place >= len(self._columns)

    def run(self, seconds: float) -> bool:
        """Works for so long at most; True: it is done. May raise `MatchTimeout`."""
        until = time.thread_time() + seconds
        if isinstance(self._expression, Always):
            self.found, self._place = list(self._columns.rows), len(self._columns)
            return True
        while not self.is_done:
            end = min(self._place + SLICE, len(self._columns))
            places = range(self._place, end)
            answers = self._answers(self._expression, places)
            self.found += compress(self._columns.rows[self._place : end], answers)
            self._place = end
            if time.thread_time() >= until:
                break
        return self.is_done

    def _answers(self, expression: Expression, places: Places) -> list[bool]:
        match expression:
            case Always():
                return [True] * len(places)
            case Word():
                needle = expression.text.casefold()
                return [needle in text for text in self._columns.at(TEXT, places)]  # type: ignore[operator]
            case Compare():
                return self._compared(expression, places)
            case Not():
                return list(map(not_, self._answers(expression.inner, places)))
            case And():
                return self._settled(expression.parts, places, by=False)
            case Or():
                return self._settled(expression.parts, places, by=True)
            case _:
                assert_never(expression)

    def _settled(self, parts: Sequence[Expression], places: Places, *, by: bool) -> list[bool]:
        """Asks part after part, and only of rows that no part has settled yet: an `or` is settled by a yes."""
        answers = self._answers(parts[0], places)
        for part in parts[1:]:
            left = [index for index, answer in enumerate(answers) if answer is not by]
            if not left:
                break
            if len(left) == len(answers):
                answers = self._answers(part, places)
                continue
            for index, answer in zip(left, self._answers(part, [places[at] for at in left]), strict=True):
                answers[index] = answer
        return answers

    def _compared(self, compare: Compare, places: Places) -> list[bool]:
        if compare.field in NUMBERS:
            return self._measured(compare, places)
        told = self._columns.at(compare.field, places)
        known, fits = self._known.setdefault(compare, {}), compare.fits
        for values in set(told).difference(known):
            alone = len(values) == 1  # type: ignore[arg-type]
            known[values] = fits(values[0]) if alone else compare.holds(_Values(values))  # type: ignore[index, arg-type]
        return list(map(known.__getitem__, told))

    def _measured(self, compare: Compare, places: Places) -> list[bool]:
        told = self._columns.at(compare.field, places)
        if compare.operator in _MIRRORED and compare.number is not None:
            asked: Callable[[object], bool] = getattr(float(compare.number), _MIRRORED[compare.operator])
            return list(map(asked, told))
        # not a number is what is not known: it fits nothing
        return [value == value and compare.holds(_Values((value,))) for value in told]  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Values:
    """A subject that has one field."""

    held: tuple[FieldValue, ...]

    def values(self, field: str) -> tuple[FieldValue, ...]:
        return self.held

    def text(self) -> str:
        return ""
