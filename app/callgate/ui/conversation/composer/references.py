"""`#name` in a message: what can be named, and what is meant by a few letters of it. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from callgate.core.tool import Tool
from callgate.core.toolset import Toolset

MOST: Final = 50
_BEGUN: Final = re.compile(r"(?<![\w#&/])#([\w.-]*)$")
NAMED: Final = re.compile(r"(?<![\w#&/])#([A-Za-z_][\w.-]*)")


@dataclass(frozen=True, slots=True)
class Reference:
    name: str
    about: str
    """In a line."""
    is_set: bool = False
    count: int = 1
    """How many tools it stands for."""


def references_of(tools: Iterable[Tool], toolsets: Iterable[Toolset]) -> tuple[Reference, ...]:
    """Sets first, then tools by name; what is switched off or can't be named is left out."""
    sets = [Reference(one.name, one.description or ", ".join(one.tools[:6]), True, len(one.tools)) for one in toolsets]
    single = [
        Reference(tool.reference, _line(tool.user_description or tool.description))
        for tool in tools
        if tool.enabled and tool.referable and not tool.private and not tool.unavailable
    ]
    by_name = {one.name: one for one in sorted(single, key=lambda one: one.name)}
    return (*sorted(sets, key=lambda one: one.name), *by_name.values())


def begun(text: str) -> str | None:
    """The letters after the `#` that the text ends with; None = it ends with none."""
    found = _BEGUN.search(text)
    return found[1] if found else None


def matching(references: Iterable[Reference], letters: str) -> tuple[Reference, ...]:
    """The best first: what begins with the letters, then words in it that do, then what has them in order."""
    scored = [(score(one.name, letters), number, one) for number, one in enumerate(references)]
    found = sorted((entry for entry in scored if entry[0] is not None), key=lambda entry: (entry[0], entry[1]))
    return tuple(one for _, _, one in found[:MOST])


def score(name: str, letters: str) -> tuple[int, int] | None:
    """Smaller is better; None = the letters are not in it."""
    low, wanted = name.casefold(), letters.casefold()
    if low.startswith(wanted):
        return 0, len(low)
    words = re.split(r"[_.\-]", low)
    if any(word.startswith(wanted) for word in words):
        return 1, len(low)
    at = low.find(wanted)
    if at >= 0:
        return 2, at
    place = -1
    gaps = 0
    for letter in wanted:
        after = low.find(letter, place + 1)
        if after < 0:
            return None
        gaps += after - place - 1
        place = after
    return 3, gaps


def _line(text: str) -> str:
    return " ".join(text.split())[:160]
