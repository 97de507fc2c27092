"""What could be typed next in a filter: names of fields, and the values that the table holds. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.match import FIELDS, ROOTS

_TERM: Final = re.compile(r"(?:^|[\s(])(?P<term>[A-Za-z_.]*)$")
_VALUE: Final = re.compile(r"(?:^|[\s(])(?P<field>[a-z]+)[:=](?P<value>[^\s()\"'*?]*)$")
_MOST: Final = 50

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
    if value is not None and value["field"] in FIELDS:
        return _offer(value.start("value"), value["value"], [_quoted(held) for held in values_of(value["field"])])
    term = _TERM.search(before)
    if term is None or not term["term"]:
        return None
    names = [f"{name}:" for name in FIELDS if name not in ("dur", "tokens", "cost")]
    numbers = [f"{name}>" for name in ("dur", "tokens", "cost")]
    return _offer(term.start("term"), term["term"], [*names, *numbers, *(f"{root}." for root in ROOTS)])


def _offer(start: int, typed: str, choices: Sequence[str]) -> Completion | None:
    fitting = tuple(choice for choice in choices if choice.startswith(typed) and choice != typed)[:_MOST]
    return Completion(start, fitting) if fitting else None


def _quoted(value: str) -> str:
    return value if value and not re.search(r"[\s()\"']", value) else '"' + value.replace('"', '\\"') + '"'
