"""What a model is offered: the client's own tools, and the catalog's where they were asked for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from callgate.core.request import ChatRequest
from callgate.core.settings import MAX_TOOLS
from callgate.core.tool import Tool, ToolSpec

_REFERENCE = re.compile(r"(?<!\S)#([A-Za-z_][\w.-]*)")


@dataclass(frozen=True, slots=True)
class Offer:
    request: ChatRequest
    """The request with the tools that will really be offered."""
    catalog: dict[str, Tool]
    """Those of them that the catalog can run, by name."""
    changed: bool
    """True if the tools are not exactly the client's."""


def offer(request: ChatRequest, catalog: Iterable[Tool], *, tools_enabled: bool) -> Offer:
    """Adds the catalog's tools if the client asked for them; a client's own tool wins over one of the same name."""
    if not tools_enabled:
        bare = replace(request, tools=(), tool_choice=None, parallel_calls=None)
        return Offer(bare, {}, changed=bool(request.tools))
    if not request.gate.use_tools:
        return Offer(request, {}, changed=False)
    own = {tool.name for tool in request.tools if isinstance(tool, ToolSpec)}
    room = max(MAX_TOOLS - len(request.tools), 0)
    added = [tool for tool in _referenced_first(request, catalog) if tool.name not in own][:room]
    if not added:
        return Offer(request, {}, changed=False)
    tools = (*request.tools, *(tool.spec for tool in added))
    return Offer(replace(request, tools=tools), {tool.name: tool for tool in added}, changed=True)


def _referenced_first(request: ChatRequest, catalog: Iterable[Tool]) -> list[Tool]:
    """`#name` in the person's words puts a tool first, so that a crowded request does not lose it."""
    last = next((message for message in reversed(request.messages) if message.role == "user"), None)
    named = set(_REFERENCE.findall(last.text)) if last else set[str]()
    return sorted(catalog, key=lambda tool: tool.reference not in named)
