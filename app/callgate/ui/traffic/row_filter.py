"""An expression asked of many rows at once: the same answers as `holds`, at a fraction of the price.

A table holds few different agents, models and tools, so each distinct value is judged once. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter, not_
from typing import Final, assert_never

from callgate.core.expression import Always, And, Compare, Expression, FieldValue, Not, Or, Word
from callgate.ui.traffic.row import NUMBERS, TrafficRow

_MIRRORED: Final = {">": "__lt__", "<": "__gt__", ">=": "__le__", "<=": "__ge__"}
"""What the number is asked about the value, so that no line of Python runs for a row: `value > 5` is `5 < value`."""
_text = attrgetter("facts.text")


def fitting(expression: Expression, rows: Sequence[TrafficRow]) -> list[TrafficRow]:
    """The rows that fit, in their order; may raise `MatchTimeout`, as the expression itself may."""
    match expression:
        case Always():
            return list(rows)
        case And():
            left = rows
            for part in expression.parts:
                left = fitting(part, left)
            return list(left)
        case _:
            return list(compress(rows, _answers(expression, rows)))


def fits(expression: Expression, row: TrafficRow) -> bool:
    return expression.holds(row)


def _answers(expression: Expression, rows: Sequence[TrafficRow]) -> list[bool]:
    match expression:
        case Always():
            return [True] * len(rows)
        case Word():
            needle = expression.text.casefold()
            return [needle in text for text in map(_text, rows)]
        case Compare():
            return _compared(expression, rows)
        case Not():
            return list(map(not_, _answers(expression.inner, rows)))
        case And():
            return _settled(expression.parts, rows, by=False)
        case Or():
            return _settled(expression.parts, rows, by=True)
        case _:
            assert_never(expression)


def _settled(parts: Sequence[Expression], rows: Sequence[TrafficRow], *, by: bool) -> list[bool]:
    """Asks part after part, and only of rows that no part has settled yet: an `or` is settled by a yes."""
    answers = [not by] * len(rows)
    open_rows = list(range(len(rows)))
    for part in parts:
        told = _answers(part, [rows[place] for place in open_rows])
        for place, answer in zip(open_rows, told, strict=True):
            answers[place] = answer
        open_rows = [place for place, answer in zip(open_rows, told, strict=True) if answer is not by]
    return answers


def _compared(compare: Compare, rows: Sequence[TrafficRow]) -> list[bool]:
    if compare.operator in _MIRRORED and compare.number is not None and compare.field in NUMBERS:
        asked: Callable[[float], bool] = getattr(float(compare.number), _MIRRORED[compare.operator])
        return list(map(asked, map(attrgetter(f"facts.{compare.field}"), rows)))
    told = list(map(_reader(compare.field), rows))
    known = {values: compare.holds(_Values(values)) for values in set(told)}
    return list(map(known.__getitem__, told))


def _reader(field: str) -> Callable[[TrafficRow], tuple[FieldValue, ...]]:
    root, dot, path = field.partition(".")
    if field in NUMBERS:
        return lambda row: row.values(field)
    if not dot:
        return attrgetter(f"facts.{field}")
    steps = path.split(".")
    return lambda row: row.facts.under(root, steps)


@dataclass(frozen=True, slots=True)
class _Values:
    """A subject that has one field."""

    held: tuple[FieldValue, ...]

    def values(self, field: str) -> tuple[FieldValue, ...]:
        return self.held

    def text(self) -> str:
        return ""
