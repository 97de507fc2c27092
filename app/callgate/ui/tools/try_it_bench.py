"""What lies on the table for each tool that is being tried: arguments, the last call, what it said. No widgets."""

from dataclasses import dataclass, field

from callgate.core.events import InvocationChanged, ToolOutput
from callgate.core.invocation import Invocation
from callgate.core.messages import Json
from callgate.core.tool import Tool

ToolKey = tuple[str, str]


def key_of(tool: Tool) -> ToolKey:
    """A tool keeps its bench while its definition changes."""
    return tool.source, tool.name


@dataclass(slots=True)
class Bench:
    """It is there again when one comes back to the tool."""

    arguments: Json | None = None
    unreadable: str = ""
    """JSON that was typed and can't be read."""
    invocation_id: str = ""
    invocation: Invocation | None = None
    said: list[ToolOutput] = field(default_factory=list[ToolOutput])
    fault: str = ""
    """Why the last try did not even begin."""
    running: bool = False

    def begin(self) -> None:
        """A new try; the last one is cleared away."""
        self.running, self.invocation_id, self.invocation, self.fault = True, "", None, ""
        self.said.clear()

    def told(self, invocation_id: str) -> None:
        self.invocation_id = invocation_id


class Benches:
    def __init__(self) -> None:
        self._benches: dict[ToolKey, Bench] = {}

    def of(self, tool: Tool) -> Bench:
        return self._benches.setdefault(key_of(tool), Bench())

    def apply(self, event: InvocationChanged | ToolOutput) -> Bench | None:
        """The bench that an event belongs to, with the event on it."""
        changed = isinstance(event, InvocationChanged)
        invocation_id = event.invocation.id if changed else event.invocation_id
        bench = next((one for one in self._benches.values() if one.invocation_id == invocation_id), None)
        if bench is not None:
            if changed:
                bench.invocation = event.invocation
            else:
                bench.said.append(event)
        return bench
