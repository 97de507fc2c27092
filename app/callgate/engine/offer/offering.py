"""What a conversation is offered now: the catalog as its agent may see it, with toolsets, groups and limits applied."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from callgate.core.catalog.left_out import LeftOut, gathered
from callgate.core.messages import Message
from callgate.core.request import ChatRequest
from callgate.core.tool import GROUP_SOURCE, Tool
from callgate.core.toolset import Toolset
from callgate.engine.offer.offer import Offer, OfferConduct, offer
from callgate.engine.offer.tool_groups import ToolGroups
from callgate.tools.catalog import Catalog

# Why a model was not offered what the catalog has: switches, lists, conditions, names, groups and limits in words.
NOT_ASKED = "the agent did not ask for Callgate's tools"
ALL_OFF = "tools are switched off: gate.tools_enabled"
OFF = "switched off"
OFF_FOR_AGENT = "switched off for this agent"
SAME_NAME = "the client brought one of the same name"


def left_out(
    request: ChatRequest, found: Offer, every: Iterable[Tool], allowed: Iterable[Tool], conduct: OfferConduct
) -> tuple[LeftOut, ...]:
    """`every`: the whole catalog; `allowed`: what the agent may see of it."""
    listed = [tool for tool in every if not tool.private]
    if not conduct.tools_enabled:
        total = len(listed) + len(request.tools)
        return (LeftOut(ALL_OFF, total=total),) if total else ()
    wanted = conduct.unasked if request.gate.use_tools is None else request.gate.use_tools
    if not wanted:
        return (LeftOut(NOT_ASKED, total=len(listed)),) if listed else ()
    return gathered(_reasons(request, found, listed, {tool.name for tool in allowed}, conduct))


def _reasons(
    request: ChatRequest, found: Offer, listed: list[Tool], allowed: set[str], conduct: OfferConduct
) -> Iterator[tuple[str, str, str]]:
    own = {tool.name for tool in request.tools if tool.kind == "spec"}
    sent = {tool.name for tool in found.request.tools if tool.kind == "spec"}
    grouped = any(name in sent and tool.source == GROUP_SOURCE for name, tool in found.catalog.items())
    crowded = f"behind a group: there are more than {conduct.most} tools" if grouped else "no room for more tools"
    narrowed = f"the request asks only for {', '.join(request.gate.tools)}"
    for tool in listed:
        name = tool.name
        if name in own:
            yield name, tool.source, SAME_NAME
        elif name in sent:
            continue
        elif tool.unavailable:
            yield name, tool.source, tool.unavailable
        elif name not in allowed:
            yield name, tool.source, OFF_FOR_AGENT if tool.enabled else OFF
        elif name in found.catalog:
            yield name, tool.source, crowded
        else:
            yield name, tool.source, narrowed


def _no_toolsets() -> tuple[Toolset, ...]:
    return ()


@dataclass(slots=True)
class Offering:
    catalog: Catalog
    conduct: OfferConduct = OfferConduct()
    toolsets: Callable[[], tuple[Toolset, ...]] = _no_toolsets
    groups: ToolGroups = field(default_factory=ToolGroups)

    def offer(self, request: ChatRequest, agent: str, conversation_id: str) -> Offer:
        """Anew for every round: a call may have opened a group of tools. Raises `BadRequest`."""
        allowed = self.catalog.offered(agent)
        conduct = replace(self.conduct, unasked=self.catalog.gets_unasked(agent))
        found = offer(
            request,
            allowed,
            conduct,
            toolsets=self.toolsets(),
            arrange=partial(self.groups.arrange, conversation_id),
        )
        found = replace(found, left_out=left_out(request, found, self.catalog.tools(), allowed, conduct))
        if len(found.request.tools) == found.available:
            return found
        return replace(found, catalog={**self.groups.openers(conversation_id), **found.catalog})

    def said(self, message: Message, conversation_id: str) -> None:
        """What a model has called stays at hand."""
        self.groups.used(conversation_id, (call.name for call in message.calls))
