"""What previews are made of: rows of text with a mark at the edge. Values only; knows nothing of Qt."""

from dataclasses import dataclass
from typing import Literal

RowKind = Literal["plain", "added", "removed", "skipped", "grave", "mind"]
"""`grave` and `mind` are notes about the row above: something to stop at, something to know."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    """For the screen: hidden characters are revealed already."""
    mark: str = ""
    """What stands at the edge: line numbers, a sign. Nothing of the text can be there."""
    kind: RowKind = "plain"
    strong: tuple[Span, ...] = ()
    """Stretches that should be seen first."""
    dim: tuple[Span, ...] = ()
    """Stretches that matter less."""
    twin: str | None = None
    """What the row replaces, or what replaces it: the words that differ are looked for when it is on the screen."""
