"""Replies that clients refer to by id instead of sending them back: Responses' chains, Anthropic's threads."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from callgate.core.agent import may_continue
from callgate.core.errors import BadRequest
from callgate.core.events import ReplyKept
from callgate.core.messages import Json, Message
from callgate.engine.bus import Bus
from callgate.wire.registry import CODECS

MOST_IN_MEMORY = 500
"""Older ones are found in the journal."""
LONGEST_CHAIN = 10_000


@dataclass(frozen=True, slots=True)
class ReplyShelf:
    """Where replies are found again after a restart."""

    by_id: Callable[[str], Awaitable[ReplyKept | None]]
    by_item: Callable[[str], Awaitable[ReplyKept | None]]
    owner_of: Callable[[str], Awaitable[str]] | None = None
    """The identity of the agent whose conversation an id names; empty = there is none."""


class Replies:
    def __init__(self, bus: Bus, shelf: ReplyShelf) -> None:
        self._bus = bus
        self._shelf = shelf
        self._recent: OrderedDict[str, ReplyKept] = OrderedDict()

    def keep(self, reply: ReplyKept) -> None:
        reply = replace(reply, item_ids=tuple(item_id for item in _answered(reply) if (item_id := _id_of(item))))
        self._recent[reply.reply_id] = reply
        while len(self._recent) > MOST_IN_MEMORY:
            self._recent.popitem(last=False)
        self._bus.publish(reply)

    def forget(self, conversation_id: str) -> None:
        for reply_id in [key for key, reply in self._recent.items() if reply.conversation_id == conversation_id]:
            del self._recent[reply_id]

    def withdraw(self, reply: ReplyKept) -> None:
        """Nobody can refer to it from now on; what continued it goes on knowing what was said."""
        self._recent[reply.reply_id] = withdrawn = replace(reply, withdrawn=True)
        self._bus.publish(withdrawn)

    async def owner_of(self, conversation_id: str) -> str:
        return await self._shelf.owner_of(conversation_id) if self._shelf.owner_of else ""

    async def find(self, reply_id: str, agent: str) -> ReplyKept | None:
        """`agent`: the identity that asks. Raises `BadRequest` where the reply is another agent's."""
        found = await self._find(reply_id)
        if found is not None and not may_continue(found.agent, agent):
            # not left to the provider either, who may know it: the key it is asked with is the same for all agents
            raise BadRequest(
                f"Response with id '{reply_id}' not found.", "id", code="response_not_found", kind="not_found"
            )
        return None if found is None or found.withdrawn else found

    async def _find(self, reply_id: str) -> ReplyKept | None:
        return self._recent.get(reply_id) or await self._shelf.by_id(reply_id)

    async def find_item(self, item_id: str, agent: str) -> Json:
        """An item of a kept reply, as the client saw it; None if there is none. Raises `BadRequest` as `find`."""
        kept = next((reply for reply in self._recent.values() if item_id in reply.item_ids), None)
        kept = kept or await self._shelf.by_item(item_id)
        if kept is not None and not may_continue(kept.agent, agent):
            raise BadRequest(f"Item with id '{item_id}' not found.", "input", code="item_not_found", kind="not_found")
        items = _answered(kept) if kept and not kept.withdrawn else []
        return next((item for item in items if _id_of(item) == item_id), None)

    async def said_until(self, reply: ReplyKept) -> tuple[Message, ...]:
        """Every message up to and with a reply, oldest first, along the chain that it continues."""
        said: list[Message] = []
        for one in await self.chain(reply):
            said.extend(one.request.messages)
            said.extend(choice.message for choice in one.response.choices[:1])
        return tuple(said)

    async def items_before(self, reply: ReplyKept) -> list[dict[str, Json]]:
        """Every item that a reply answers, oldest first, each under the id that the client knows it by."""
        items: list[dict[str, Json]] = []
        for one in await self.chain(reply):
            chaining = CODECS[one.request.wire].chaining
            if chaining is not None:
                items.extend(chaining.items_said(one.request.messages))
            if one is not reply:
                items.extend(_answered(one))
        return items

    async def chain(self, reply: ReplyKept) -> list[ReplyKept]:
        """What it continues, and itself, oldest first."""
        chain = [reply]
        while chain[-1].previous_id and len(chain) < LONGEST_CHAIN:
            before = await self._find(chain[-1].previous_id)
            if before is None:
                break
            chain.append(before)
        return chain[::-1]


def _answered(reply: ReplyKept) -> list[dict[str, Json]]:
    chaining = CODECS[reply.request.wire].chaining
    return [] if chaining is None else chaining.items_answered(reply.response)


def _id_of(item: Json) -> str:
    value = item.get("id") if isinstance(item, dict) else None
    return value if isinstance(value, str) else ""
