"""What could be typed next in a filter: names of fields, and the values that the table holds. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.match import FIELDS, ROOTS
from callgate.core.tool_kinds import TARGET_FIELDS

_TERM: Final = re.compile(r"(?:^|[\s(])(?P<term>[A-Za-z_.]*)$")
_VALUE: Final = re.compile(r"(?:^|[\s(])(?P<field>[a-z]+)[:=](?P<value>[^\s()\"'*?]*)$")
_MOST: Final = 50
_NUMBERS: Final = ("dur", "tokens", "cost")
TRAFFIC_FIELDS: Final = tuple(field for field in FIELDS if field not in TARGET_FIELDS)
"""Without those that mean the parts of one call: rules ask them of a call at a time, a table of thousands at once."""

ValuesOf = Callable[[str], Sequence[str]]
"""The different values of a field that are on the table now."""


@dataclass(frozen=True, slots=True)
class Completion:
    start: int
    """Where the text begins that a choice replaces; it ends at the caret."""
    choices: tuple[str, ...]


def complete(text: str, caret: int, values_of: ValuesOf) -> Completion | None:
    """Choices for what stands before the caret; None = nothing to offer."""
    before = text[:caret]
    value = _VALUE.search(before)
    if value is not None and value["field"] in TRAFFIC_FIELDS:
        return _offer(value.start("value"), value["value"], [_quoted(held) for held in values_of(value["field"])])
    term = _TERM.search(before)
    if term is None or not term["term"]:
        return None
    names = [f"{name}:" for name in TRAFFIC_FIELDS if name not in _NUMBERS]
    numbers = [f"{name}>" for name in _NUMBERS]
    return _offer(term.start("term"), term["term"], [*names, *numbers, *(f"{root}." for root in ROOTS)])


def _offer(start: int, typed: str, choices: Sequence[str]) -> Completion | None:
    fitting = tuple(choice for choice in choices if choice.startswith(typed) and choice != typed)[:_MOST]
    return Completion(start, fitting) if fitting else None


def _quoted(value: str) -> str:
    return value if value and not re.search(r"[\s()\"']", value) else '"' + value.replace('"', '\\"') + '"'
