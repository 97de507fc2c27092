"""An expression made ready for many rows: the same answers as `holds`, at a fraction of the price.

A table holds few different agents, models and tools, so each distinct value is judged once. Pure.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from callgate.core.match import Always, And, Compare, Expression, FieldValue, Not, Or, Word
from callgate.ui.traffic.row import TrafficRow, Values, values_of

Keep = Callable[[TrafficRow], bool]

_ORDER: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


@dataclass(frozen=True, slots=True)
class _Values:
    """A subject of one field."""

    held: tuple[FieldValue, ...]

    def values(self, field: str) -> tuple[FieldValue, ...]:
        return self.held

    def text(self) -> str:
        return ""


def row_filter(expression: Expression) -> Keep:
    """Whether a row fits; may raise `MatchTimeout`, as the expression itself may."""
    match expression:
        case Always():
            return lambda row: True
        case Word():
            needle = expression.text.casefold()
            return lambda row: needle in row.folded
        case Compare():
            return _compare(expression)
        case Not():
            inner = row_filter(expression.inner)
            return lambda row: not inner(row)
        case And():
            parts = tuple(row_filter(part) for part in expression.parts)
            return lambda row: all(part(row) for part in parts)
        case Or():
            parts = tuple(row_filter(part) for part in expression.parts)
            return lambda row: any(part(row) for part in parts)
        case _:
            assert_never(expression)


def _compare(compare: Compare) -> Keep:
    values = values_of(compare.field)
    if compare.operator in _ORDER and compare.number is not None:
        return _ordered(values, _ORDER[compare.operator], compare.number)
    known: dict[tuple[FieldValue, ...], bool] = {}

    def keep(row: TrafficRow) -> bool:
        held = values(row)
        answer = known.get(held)
        if answer is None:
            answer = known[held] = compare.holds(_Values(held))
        return answer

    return keep


def _ordered(values: Values, fits: Callable[[float, float], bool], number: float) -> Keep:
    def keep(row: TrafficRow) -> bool:
        for value in values(row):
            if isinstance(value, int | float) and not isinstance(value, bool) and fits(value, number):
                return True
        return False

    return keep
