"""The tools that agents bring along themselves: which, from whom, and when they were last offered and called.

A fold of events: live ones as they happen, earlier ones from the journal. Nothing here is offered to anybody.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, ExchangeStarted, InvocationChanged
from callgate.core.tool import CLIENT_SOURCE, HostedTool, ToolSpec

MOST_KEPT = 5000
"""Agents and tools have the names that clients give them; beyond this the longest unoffered are forgotten."""
MOST_CONVERSATIONS = 200
"""Of so many it is remembered how they were offered their tools; the longest quiet one is forgotten first."""
MOST_REMEMBERED = 20_000
"""Definitions in all those conversations together."""
MOST_VERSIONS = 8
"""Definitions of one tool that a conversation is remembered to have been offered."""


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


@dataclass(slots=True)
class _Versions:
    """How one tool was offered in the requests of one conversation."""

    accepted: ToolSpec
    """The first one, or the latest of which a person has approved a call."""
    offered: list[ToolSpec]
    """The latest one last."""


class ClientTools:
    def __init__(self, earlier: Iterable[Event] = ()) -> None:
        self._tools: dict[tuple[str, str], ClientTool] = {}
        self._offers: dict[tuple[str, str], None] = {}
        """The same keys, the longest unoffered first."""
        self._conversations: OrderedDict[str, dict[str, _Versions]] = OrderedDict()
        self._remembered = 0
        """Definitions in them."""
        for event in earlier:
            self.apply(event)

    def apply(self, event: Event) -> None:
        match event:
            case ExchangeStarted():
                for tool in event.tools[-MOST_KEPT:]:
                    self._remember(event.conversation_id, self._offered(event.agent, tool, event.at))
                self._forget()
            case InvocationChanged() if event.ends and event.invocation.source == CLIENT_SOURCE:
                self._called(event.invocation.agent, event.invocation.tool, event.at)
                if event.invocation.state == "Released" and event.invocation.decided_by == "person":
                    self._accept(event.invocation)
            case _:
                pass

    def tools(self) -> tuple[ClientTool, ...]:
        """By agent, each agent's in the order in which it first offered them."""
        return tuple(sorted(self._tools.values(), key=lambda tool: tool.agent.casefold()))

    def find(self, agent: str, name: str) -> ClientTool | None:
        return self._tools.get((agent, name))

    def earlier(self, conversation_id: str, name: str, fingerprint: str) -> ToolSpec | None:
        """What a conversation was offered under a name before; None = nothing, or just this definition."""
        versions = self._conversations.get(conversation_id, {}).get(name)
        return None if versions is None or versions.accepted.fingerprint == fingerprint else versions.accepted

    def version(self, conversation_id: str, name: str, fingerprint: str) -> ToolSpec | None:
        """The definition with this fingerprint, as a conversation was offered it."""
        versions = self._conversations.get(conversation_id, {}).get(name)
        offered = () if versions is None else reversed(versions.offered)
        return next((tool for tool in offered if tool.fingerprint == fingerprint), None)

    def _remember(self, conversation_id: str, tool: ToolSpec | HostedTool) -> None:
        if not isinstance(tool, ToolSpec):
            return
        known = self._conversations.setdefault(conversation_id, {})
        self._conversations.move_to_end(conversation_id)
        versions = known.get(tool.name)
        if versions is None:
            known[tool.name] = _Versions(tool, [tool])
            self._remembered += 1
        elif not any(_same(offered, tool) for offered in versions.offered):
            versions.offered.append(tool)
            self._remembered += 1
            if len(versions.offered) > MOST_VERSIONS:
                del versions.offered[0]
                self._remembered -= 1

    def _forget(self) -> None:
        """The conversations that were quiet for longest, down to what may be kept."""
        while len(self._conversations) > MOST_CONVERSATIONS or self._remembered > MOST_REMEMBERED:
            _, oldest = self._conversations.popitem(last=False)
            self._remembered -= sum(len(versions.offered) for versions in oldest.values())

    def _accept(self, call: Invocation) -> None:
        approved = self.version(call.conversation_id, call.tool, call.fingerprint)
        if approved is not None:
            self._conversations[call.conversation_id][call.tool].accepted = approved

    def _offered(self, agent: str, tool: ToolSpec | HostedTool, at: float) -> ToolSpec | HostedTool:
        """Returns the tool, as the object that is kept: every request brings all of them along anew."""
        name = _name_of(tool)
        self._offers.pop((agent, name), None)
        self._offers[agent, name] = None
        known = self._tools.get((agent, name))
        if known is not None:
            tool = known.tool if known.tool == tool else tool
            latest = tool if at >= known.last_offered else known.tool
            self._tools[agent, name] = replace(
                known,
                tool=latest,
                first_offered=min(known.first_offered, at),
                last_offered=max(known.last_offered, at),
                times_offered=known.times_offered + 1,
            )
            return tool
        if len(self._tools) >= MOST_KEPT:
            longest_unoffered = next(iter(self._offers))
            del self._tools[longest_unoffered], self._offers[longest_unoffered]
        self._tools[agent, name] = ClientTool(agent, name, tool, at, at)
        return tool

    def _called(self, agent: str, name: str, at: float) -> None:
        known = self._tools.get((agent, name))
        if known is not None:  # a model may call what nobody offered
            last = max(at, known.last_called or at)
            self._tools[agent, name] = replace(known, last_called=last, calls=known.calls + 1)


def _same(known: ToolSpec, tool: ToolSpec) -> bool:
    """Comparing is a tenth of the work of a fingerprint, and requests with thousands of tools do come."""
    return known is tool or known == tool or known.fingerprint == tool.fingerprint


def _name_of(tool: ToolSpec | HostedTool) -> str:
    """A provider's own tool has a type, and rarely a name."""
    if isinstance(tool, ToolSpec):
        return tool.name
    value = tool.value if isinstance(tool.value, dict) else {}
    said = value.get("name") or value.get("type") or next(iter(value), "")
    return str(said) or tool.wire
