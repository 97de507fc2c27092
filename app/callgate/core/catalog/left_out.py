"""Tools that a model was not offered in a round, and why: what a person asks first when a tool "is not there". Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NAMED: Final = 60
"""Names kept for one reason: a catalog of thousands must not be written down with every round."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Tools of one source that were left out for one reason."""

    why: str
    source: str = ""
    """Empty: of all sources."""
    tools: tuple[str, ...] = ()
    """The first of them."""
    total: int = 0
    """How many there are in all."""


def gathered(found: Iterable[tuple[str, str, str]]) -> tuple[LeftOut, ...]:
    """From (tool, source, reason) to one value for each source and reason, in the order in which they come."""
    names: dict[tuple[str, str], list[str]] = {}
    for tool, source, why in found:
        names.setdefault((source, why), []).append(tool)
    return tuple(LeftOut(why, source, tuple(tools[:NAMED]), len(tools)) for (source, why), tools in names.items())
