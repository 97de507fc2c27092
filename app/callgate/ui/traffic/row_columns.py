"""What expressions look at, field by field, of all rows at once: taken out of the rows once, asked at every keystroke.

Columns are filled from the front, as far as they are asked for, so that the work can be done in slices. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final

from callgate.core.json.dotted_path import reach
from callgate.core.messages import Json
from callgate.core.rules.expression import FieldValue
from callgate.ui.traffic.row import NUMBERS, TrafficRow

TEXT: Final = "text"
"""The column that bare words search."""
_ABSENT: Final = object()

Values = tuple[FieldValue, ...]
Places = range | list[int]


class RowColumns:
    def __init__(self, rows: Sequence[TrafficRow] = ()) -> None:
        self.rows = rows
        self._columns: dict[str, list[object]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, field: str, places: Places) -> list[object]:
        """The values of a field in some rows: texts, numbers (those of `NUMBERS`), else tuples of values."""
        column = self._columns.setdefault(field, [])
        if not places:
            return []
        self.fill(field, places[-1] + 1)
        if isinstance(places, range):
            return column[places.start : places.stop]
        return [column[place] for place in places]

    def fill(self, field: str, until: int) -> None:
        """Takes the field out of the rows up to a place."""
        column = self._columns.setdefault(field, [])
        if len(column) < until:
            column.extend(_taken(field)(self.rows[len(column) : until]))

    def filled(self, field: str) -> int:
        return len(self._columns.get(field, ()))

    def values(self, field: str) -> set[object]:
        """All different ones of a field that has several in a row."""
        return {value for values in set(self.at(field, range(len(self.rows)))) for value in values}  # type: ignore[attr-defined]


def _taken(field: str) -> Callable[[Sequence[TrafficRow]], Iterable[object]]:
    root, dot, path = field.partition(".")
    if not dot:
        take = attrgetter(f"facts.{field}")
        return lambda rows: map(take, rows)
    held, steps = attrgetter(f"facts.{root}"), path.split(".")
    return lambda rows: _under(map(held, rows), steps)


def _under(held: Iterable[tuple[Json, ...]], steps: list[str]) -> list[Values]:
    """What lies under a path, row by row; nearly always one call with a plain value, so that goes without a detour."""
    first, alone = steps[0], len(steps) == 1
    found: list[Values] = []
    for values in held:
        if not values:
            found.append(())
        elif not alone:
            found.append(_all_under(values, steps))
        elif len(values) == 1 and isinstance(only := values[0], dict):
            value = only.get(first, _ABSENT)
            # first what is nearly always so
            found.append((value,) if type(value) is str else _plain_under(values, first))
        else:
            found.append(_plain_under(values, first))
    return found


def _plain_under(values: tuple[Json, ...], key: str) -> Values:
    """Of several calls, what each has under a key of its own; lists and objects there are looked into."""
    told: list[FieldValue] = []
    for item in values:
        if type(item) is not dict:
            told += map(_keyed, reach(item, [key]))
            continue
        value = item.get(key, _ABSENT)  # type: ignore[arg-type]
        if value is _ABSENT:
            continue
        if isinstance(value, dict | list):
            told += map(_keyed, reach(value, []))
        else:
            told.append(_keyed(value))  # type: ignore[arg-type]
    return tuple(told)


def _all_under(values: tuple[Json, ...], steps: list[str]) -> Values:
    return tuple([_keyed(one) for item in values for one in reach(item, steps)])


def _keyed(value: FieldValue) -> FieldValue:
    return str(value).lower() if isinstance(value, bool) else value


__all__ = ["NUMBERS", "TEXT", "Places", "RowColumns", "Values"]
