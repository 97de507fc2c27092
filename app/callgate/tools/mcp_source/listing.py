"""What a server offers, as it was last listed."""

from dataclasses import dataclass

from callgate.core.tool import Tool


@dataclass(frozen=True, slots=True)
class ToolProblem:
    tool: str
    """Its name as the server gave it; empty = it has none."""
    reason: str

    def __str__(self) -> str:
        return f"{self.tool or 'a tool without a name'}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Listing:
    tools: tuple[Tool, ...] = ()
    problems: tuple[ToolProblem, ...] = ()
