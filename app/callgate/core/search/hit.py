"""A conversation that was found, and why. A value."""

from dataclasses import dataclass

from callgate.core.search.passages import PassageKind
from callgate.core.search.snippet import Snippet


@dataclass(frozen=True, slots=True)
class SearchHit:
    conversation_id: str
    kind: PassageKind
    """What the words were found in."""
    snippet: Snippet
    """Empty where only fields were asked for."""
    score: float = 0.0
    """The higher, the better."""
