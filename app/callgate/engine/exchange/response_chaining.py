"""What a request leaves out because the server is meant to know it: found again before the exchange starts."""

from dataclasses import replace
from itertools import takewhile

from callgate.core.errors import BadRequest
from callgate.core.history_repair import repaired
from callgate.core.messages import Json, Message
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.replies import Replies
from callgate.upstream.routing import Routing
from callgate.wire.codec import Chaining
from callgate.wire.registry import CODECS


class ResponseChaining:
    def __init__(self, replies: Replies, routing: Routing) -> None:
        self._replies = replies
        self._routing = routing

    async def complete(self, arrival: Arrival) -> Arrival:
        """The arrival with everything that its `previous_id` stands for.

        The client's bytes may still go on as they are where the provider itself knows that reply; a reply that is
        unknown here is left to a provider that speaks the same wire.
        """
        request = arrival.request
        chaining = CODECS[request.wire].chaining
        if not request.previous_id or chaining is None:
            return arrival
        route = self._routing.pick(request.model, request.wire)
        native = route.wire == request.wire
        try:
            kept = await self._replies.find(request.previous_id, arrival.identity)
        except BadRequest as foreign:
            raise chaining.unknown(request.previous_id) from foreign
        if kept is None:
            if native:
                return arrival
            raise chaining.unknown(request.previous_id)
        earlier = chaining.carried_on(await self._replies.said_until(kept))
        leading = len(list(takewhile(chaining.is_leading, request.messages)))
        told, said = request.messages[:leading], chaining.in_order(request.messages[leading:], earlier)
        knows = native and kept.endpoint == route.endpoint.name
        repairs: tuple[str, ...] = ()
        history = (*earlier, *said)
        if not knows:  # else it is the provider's own history, and its own to judge
            history, repairs = _matched(chaining, earlier, said, repair=arrival.repairs_history)
        whole = replace(request, messages=(*told, *history), previous_id="")
        chain = await self._replies.chain(kept)
        whole = chaining.with_earlier_tools(whole, [reply.request for reply in chain])
        return replace(
            arrival,
            request=whole,
            chain=(),
            pristine=arrival.pristine and knows,
            continues=request.previous_id,
            recalled=range(leading, leading + len(earlier)),
            repairs=repairs,
        )

    async def resolve_references(self, chaining: Chaining, body: dict[str, Json], agent: str) -> dict[str, Json]:
        """Items that were given out here stand in the body instead of the references to them."""
        found = {
            named: item
            for named in chaining.references(body)
            if (item := await self._replies.find_item(named, agent)) is not None
        }
        return chaining.resolved(body, found) if found else body


def _matched(
    chaining: Chaining, earlier: tuple[Message, ...], said: tuple[Message, ...], *, repair: bool
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """A history put together here, whose calls and results nobody has compared yet; raises `BadRequest`."""
    try:
        chaining.check(earlier, said)
    except BadRequest:
        mended = repaired((*earlier, *said))
        if not repair or not mended.repairs:
            raise
        return mended.messages, mended.repairs
    return (*earlier, *said), ()
