"""What is known of the tool that a call will run, kept apart by how it is known. Pure.

*Declared*: what the tool's annotations claim. *Observed*: what Callgate does or has looked at itself. *Unknown*: what
neither tells. A tool is looked up by owner and source, never by its name alone: an agent's own `read_file` has nothing
in common with the built-in one, and a call that the agent runs has none of the facts of a tool that Callgate would run.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import DiffPreview, Preview
from callgate.core.tool import Annotations, HostedTool, Tool, ToolSpec, is_offline

FactKind = Literal[
    "destructive",
    "read_only",
    "changes",
    "not_destructive",
    "open_world",
    "idempotent",
    "hosted",
    "diff",
    "undo",
    "wall",
    "undeclared",
    "contradiction",
    "in_agent",
    "gone",
]


@dataclass(frozen=True, slots=True)
class Fact:
    kind: FactKind
    words: str


@dataclass(frozen=True, slots=True)
class ToolFacts:
    declared: tuple[Fact, ...] = ()
    """Claims: nothing checks them."""
    observed: tuple[Fact, ...] = ()
    unknown: tuple[Fact, ...] = ()


def tool_of(invocation: Invocation, tools: Iterable[Tool]) -> Tool | None:
    """The tool of the catalog that runs the call; None = the agent runs it, or there is no such tool any more."""
    return defined_by(invocation, tools) if invocation.owner == "gate" else None


def defined_by(invocation: Invocation, tools: Iterable[Tool]) -> Tool | None:
    """The tool of the catalog that the model was offered, whoever runs the call: its schema and tags.

    An agent may be offered a tool of the catalog and run its calls itself.
    """
    wanted = (invocation.tool, invocation.source)
    return next((tool for tool in tools if (tool.name, tool.source) == wanted), None)


def facts_of(
    invocation: Invocation,
    catalog_tool: Tool | None,
    client_tool: ToolSpec | HostedTool | None = None,
    preview: Preview | None = None,
) -> ToolFacts:
    """`catalog_tool`: as `tool_of` finds it. `client_tool`: as the agent brought it. `preview`: made by the tool."""
    if invocation.owner == "client":
        hosted = (Fact("hosted", "Defined by the model provider"),) if isinstance(client_tool, HostedTool) else ()
        return ToolFacts(hosted, (), (Fact("in_agent", "Unknown: runs in the agent, where Callgate cannot see it"),))
    observed = _observed(invocation, catalog_tool, preview)
    if catalog_tool is None:
        return ToolFacts((), observed, (Fact("gone", "Unknown: not in the catalog any more"),))
    said = catalog_tool.annotations
    return ToolFacts(declared_in(said, offline=is_offline(invocation.wall)), observed, undeclared_in(said))


def declared_in(said: Annotations, *, offline: bool = False) -> tuple[Fact, ...]:
    """What annotations claim. `offline`: a wall keeps the network away, whatever they say of it."""
    found: list[Fact] = []
    if said.destructive:
        found.append(Fact("destructive", "Declared destructive"))
    elif said.read_only:
        found.append(Fact("read_only", "Declared read-only"))
    elif said.destructive is False:
        found.append(Fact("not_destructive", "Declared not destructive"))
    elif said.read_only is False:
        found.append(Fact("changes", "Declared to change things"))
    if said.open_world and not offline:
        found.append(Fact("open_world", "Declared to reach other systems"))
    if said.idempotent and not said.read_only:
        found.append(Fact("idempotent", "Declared safe to repeat"))
    return tuple(found)


def undeclared_in(said: Annotations) -> tuple[Fact, ...]:
    if said.read_only is None and said.destructive is None:
        return (Fact("undeclared", "Unknown whether it changes anything"),)
    if said.read_only and said.destructive:
        return (Fact("contradiction", "Unknown: declared both read-only and destructive"),)
    return ()


def _observed(invocation: Invocation, tool: Tool | None, preview: Preview | None) -> tuple[Fact, ...]:
    found: list[Fact] = []
    if isinstance(preview, DiffPreview) and not preview.fragment:
        found.append(Fact("diff", "Observed: the exact change is shown"))
    if tool is not None and tool.undoable:
        found.append(Fact("undo", "Observed: undo available"))
    if invocation.wall:
        found.append(Fact("wall", invocation.wall))
    return tuple(found)
