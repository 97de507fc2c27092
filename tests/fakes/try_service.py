"""A desk for tries over a pretended console: nothing runs until a test says so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.tool_example import ToolExample
from callgate.core.errors import UserFault
from callgate.core.tool import Tool


@dataclass
class FakeTryService:
    """Implements `TryService`."""

    address: str = "http://127.0.0.1:8080"
    needs_token: bool = False
    refusal: str = ""
    """Why no tool can be tried."""
    ran: list[tuple[str, str]] = field(default_factory=list)
    """Every `run`: tool and arguments."""
    cancelled: list[str] = field(default_factory=list)
    past: list[Invocation] = field(default_factory=list)
    kept: dict[str, list[ToolExample]] = field(default_factory=dict)
    ended: Callable[[str], None] = lambda _: None
    """Called with the invocation's id while a try runs."""

    def why_not(self, tool: Tool) -> str:
        return self.refusal

    async def run(self, tool: Tool, arguments: str, begun: Callable[[str], None]) -> None:
        if self.refusal:
            raise UserFault(self.refusal)
        self.ran.append((tool.name, arguments))
        invocation_id = f"try_{len(self.ran)}"
        begun(invocation_id)
        self.ended(invocation_id)

    def cancel(self, invocation_id: str) -> None:
        self.cancelled.append(invocation_id)

    async def tries(self, tool: Tool) -> Sequence[Invocation]:
        return [one for one in self.past if one.tool == tool.name]

    def examples(self, tool: Tool) -> tuple[ToolExample, ...]:
        return tuple(self.kept.get(tool.name, ()))

    def save_example(self, tool: Tool, example: ToolExample) -> None:
        self.kept.setdefault(tool.name, []).append(example)

    def delete_example(self, tool: Tool, name: str) -> None:
        self.kept[tool.name] = [one for one in self.kept.get(tool.name, []) if one.name != name]
