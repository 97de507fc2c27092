"""What could be typed next in the tool filter: names of fields, and the values that the tools have. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.ui.tools.query import FIELDS

_VALUE: Final = re.compile(r'(?:^|\s)-?(?P<field>[A-Za-z]+):(?P<value>"?[^\s"*?]*)$')
_FIELD: Final = re.compile(r"(?:^|\s)-?(?P<field>[A-Za-z]+)$")
_MOST: Final = 30
_ABOUT: Final = {
    "tag": "with a tag",
    "source": "of a source",
    "agent": "that an agent gets",
    "readonly": "by what they say of themselves",
    "enabled": "switched on or off",
    "used": "called before",
    "lint": "with findings",
}

ValuesOf = Callable[[str], Sequence[str]]
"""The values that a field has now."""


@dataclass(frozen=True, slots=True)
class Choice:
    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    start: int
    """Where the text begins that a choice replaces; it ends at the caret."""
    choices: tuple[Choice, ...]


def complete(text: str, caret: int, values_of: ValuesOf) -> Completion | None:
    """Choices for what stands before the caret; None = nothing to offer."""
    before = text[:caret]
    value = _VALUE.search(before)
    if value is not None and value["field"].lower() in FIELDS:
        typed = value["value"].strip('"').lower()
        held = [one for one in values_of(value["field"].lower()) if one.lower().startswith(typed)]
        held = [one for one in held if one.lower() != typed]
        return _offer(value.start("value"), [Choice(_quoted(one)) for one in held])
    field = _FIELD.search(before)
    if field is None:
        return None
    typed = field["field"].lower()
    fitting = [Choice(f"{name}:", _ABOUT[name]) for name in FIELDS if name.startswith(typed)]
    return _offer(field.start("field"), fitting)


def all_fields() -> tuple[Choice, ...]:
    return tuple(Choice(f"{name}:", _ABOUT[name]) for name in FIELDS)


def _offer(start: int, choices: Sequence[Choice]) -> Completion | None:
    return Completion(start, tuple(choices[:_MOST])) if choices else None


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"\s", value) else value
