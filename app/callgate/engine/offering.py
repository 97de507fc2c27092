"""What a conversation is offered now: the catalog as its agent may see it, with toolsets, groups and limits applied."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from callgate.core.messages import Message
from callgate.core.request import ChatRequest
from callgate.core.toolset import Toolset
from callgate.engine.left_out import left_out
from callgate.engine.offer import Offer, OfferConduct, offer
from callgate.engine.tool_groups import ToolGroups
from callgate.tools.catalog import Catalog


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
