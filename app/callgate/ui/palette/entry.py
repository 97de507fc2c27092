"""One thing that the palette can do, and where such things come from. Knows no widget."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["action", "setting", "tool", "conversation"]
SIGNS: dict[str, Kind] = {">": "action", "!": "setting", "#": "tool", "@": "conversation"}
"""What a query may begin with to look among one kind only."""


@dataclass(frozen=True, slots=True)
class Entry:
    key: str
    """Lasting: by it the palette remembers what was used lately."""
    kind: Kind
    title: str
    run: Callable[[], None]
    detail: str = ""
    keys: str = ""
    """The shortcut that does the same."""
    icon: str = ""
    """By its meaning; empty = that of its kind."""
    checked: bool = False
    """Whether it is the choice that holds now."""


Ready = Callable[[], Iterable[Entry]]
"""Entries that are there at once."""
Fetched = Callable[[], Awaitable[Iterable[Entry]]]
"""Entries that have to be asked for."""
