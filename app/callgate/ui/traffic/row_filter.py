"""An expression asked of many rows at once: the same answers as `holds`, at a fraction of the price.

A table holds few different agents, models and tools, so each distinct value is judged once. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import and_, attrgetter, ge, gt, le, lt, not_, or_
from typing import Final, assert_never

from callgate.core.expression import Always, And, Compare, Expression, FieldValue, Not, Or, Word
from callgate.ui.traffic.row import TrafficRow

_ORDER: Final = {">": gt, "<": lt, ">=": ge, "<=": le}
_NUMBERS: Final = frozenset({"dur", "tokens", "cost"})
"""Fields that hold one number or nothing."""
_text = attrgetter("facts.text")


def fitting(expression: Expression, rows: Sequence[TrafficRow]) -> list[TrafficRow]:
    """The rows that fit, in their order; may raise `MatchTimeout`, as the expression itself may."""
    return list(rows) if isinstance(expression, Always) else list(compress(rows, _answers(expression, rows)))


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
            return _all(expression.parts, rows)
        case Or():
            answers = _answers(expression.parts[0], rows)
            for part in expression.parts[1:]:
                answers = list(map(or_, answers, _answers(part, rows)))
            return answers
        case _:
            assert_never(expression)


def _all(parts: Sequence[Expression], rows: Sequence[TrafficRow]) -> list[bool]:
    answers = _answers(parts[0], rows)
    for part in parts[1:]:
        answers = list(map(and_, answers, _answers(part, rows)))
    return answers


def _compared(compare: Compare, rows: Sequence[TrafficRow]) -> list[bool]:
    number, order = compare.number, _ORDER.get(compare.operator)
    if order is not None and number is not None and compare.field in _NUMBERS:
        numbers: Callable[[TrafficRow], tuple[float, ...]] = attrgetter(f"facts.{compare.field}")
        return [bool(held) and order(held[0], number) for held in map(numbers, rows)]
    told = list(map(_reader(compare.field), rows))
    known = {values: compare.holds(_Values(values)) for values in set(told)}
    return list(map(known.__getitem__, told))


def _reader(field: str) -> Callable[[TrafficRow], tuple[FieldValue, ...]]:
    root, dot, path = field.partition(".")
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
