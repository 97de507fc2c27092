"""Arguments of a tool that are worth keeping, under a name. A value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolExample:
    name: str
    arguments: str
    """JSON, exactly as it was saved."""
