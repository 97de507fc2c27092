"""The tools that agents bring along themselves: which, from whom, and when they were last offered and called.

A fold of events: live ones as they happen, earlier ones from the journal. Nothing here is offered to anybody.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from callgate.core.events import Event, ExchangeStarted, InvocationChanged
from callgate.core.tool import CLIENT_SOURCE, HostedTool, ToolSpec

MOST_KEPT = 5000
"""Agents and tools have the names that clients give them; beyond this the longest unoffered are forgotten."""


@dataclass(frozen=True, slots=True)
class ClientTool:
    agent: str
    name: str
    tool: ToolSpec | HostedTool
    """As it was last offered."""
    first_offered: float
    last_offered: float
    times_offered: int = 1
    """In how many requests."""
    last_called: float | None = None
    calls: int = 0
    """Calls that are over, however they ended."""


class ClientTools:
    def __init__(self, earlier: Iterable[Event] = ()) -> None:
        self._tools: dict[tuple[str, str], ClientTool] = {}
        self._offers: dict[tuple[str, str], None] = {}
        """The same keys, the longest unoffered first."""
        for event in earlier:
            self.apply(event)

    def apply(self, event: Event) -> None:
        match event:
            case ExchangeStarted():
                for tool in event.tools[-MOST_KEPT:]:
                    self._offered(event.agent, tool, event.at)
            case InvocationChanged() if event.invocation.source == CLIENT_SOURCE and not event.invocation.is_live:
                self._called(event.invocation.agent, event.invocation.tool, event.at)
            case _:
                pass

    def tools(self) -> tuple[ClientTool, ...]:
        """By agent, each agent's in the order in which it first offered them."""
        return tuple(sorted(self._tools.values(), key=lambda tool: tool.agent.casefold()))

    def find(self, agent: str, name: str) -> ClientTool | None:
        return self._tools.get((agent, name))

    def _offered(self, agent: str, tool: ToolSpec | HostedTool, at: float) -> None:
        name = _name_of(tool)
        self._offers.pop((agent, name), None)
        self._offers[agent, name] = None
        known = self._tools.get((agent, name))
        if known is not None:
            latest = tool if at >= known.last_offered else known.tool
            self._tools[agent, name] = replace(
                known,
                tool=latest,
                first_offered=min(known.first_offered, at),
                last_offered=max(known.last_offered, at),
                times_offered=known.times_offered + 1,
            )
            return
        if len(self._tools) >= MOST_KEPT:
            longest_unoffered = next(iter(self._offers))
            del self._tools[longest_unoffered], self._offers[longest_unoffered]
        self._tools[agent, name] = ClientTool(agent, name, tool, at, at)

    def _called(self, agent: str, name: str, at: float) -> None:
        known = self._tools.get((agent, name))
        if known is not None:  # a model may call what nobody offered
            last = max(at, known.last_called or at)
            self._tools[agent, name] = replace(known, last_called=last, calls=known.calls + 1)


def _name_of(tool: ToolSpec | HostedTool) -> str:
    """A provider's own tool has a type, and rarely a name."""
    if isinstance(tool, ToolSpec):
        return tool.name
    value = tool.value if isinstance(tool.value, dict) else {}
    said = value.get("name") or value.get("type") or next(iter(value), "")
    return str(said) or tool.wire
