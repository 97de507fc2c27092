"""All exchanges that run now: starts them, finds them, stops them."""

from dataclasses import replace

from callgate.core.calls.invocation import Decider
from callgate.core.errors import BadRequest
from callgate.core.events import Event, InvocationChanged, QuestionAsked
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchange import Exchange, ExchangeDeps
from callgate.engine.exchange.response_chaining import ResponseChaining
from callgate.engine.exchange.retries import find_retried
from callgate.engine.offer.offering import Offering
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.routing import Routing


def _no_key(_endpoint: Endpoint) -> str:
    return ""


class Exchanges:
    def __init__(self, around: ExchangeDeps) -> None:
        self._around = around
        self.recall = ResponseChaining(around.replies, around.routing)
        self._running: dict[str, Exchange] = {}
        self._revoked: set[str] = set()
        """Tokens that have been revoked: a request that came just before may still be on its way to here."""
        around.machinery.bus.subscribe(self._hear)

    async def receive(self, arrival: Arrival) -> Exchange:
        """Starts an exchange, after looking up what the client left out; raises `BadRequest`."""
        asked, history = arrival.request.gate.conversation, self._around.history
        if asked and not history.knows(asked) and (owner := await self._around.replies.owner_of(asked)):
            history.belongs(asked, owner)
        complete = await self.recall.complete(arrival)
        if arrival.agent_token in self._revoked:
            raise BadRequest("This agent token was revoked.", code="invalid_api_key", kind="authentication")
        return find_retried(complete, self._running.values()) or self.start(complete)

    def start(self, arrival: Arrival, named: frozenset[str] = frozenset()) -> Exchange:
        """`named`: tools that the person has named in the message, with the click that sent it; never from a port."""
        return self._started(Exchange(arrival, self._around, named))

    def start_apart(self, arrival: Arrival, routing: Routing, offering: Offering) -> Exchange:
        """With endpoints and tools of its own instead of those of this engine, and without a key."""
        around = replace(self._around, routing=routing, offering=offering, key_for=_no_key)
        return self._started(Exchange(arrival, around))

    def _started(self, exchange: Exchange) -> Exchange:
        self._running[exchange.id] = exchange
        exchange.start()
        self._around.machinery.tasks.start(self._until_over(exchange), f"end of {exchange.id}")
        return exchange

    def stop_conversation(self, conversation_id: str, by: Decider, explanation: str) -> None:
        for exchange in tuple(self._running.values()):
            if exchange.conversation_id == conversation_id:
                exchange.cancel(by, explanation)

    def stop_token(self, token_id: str, by: Decider, explanation: str) -> None:
        """Stops what came with an agent's token, and what still comes."""
        self._revoked.add(token_id)
        for exchange in tuple(self._running.values()):
            if exchange.arrival.agent_token == token_id:
                exchange.cancel(by, explanation)

    def stop_all(self, by: Decider, explanation: str) -> None:
        for exchange in tuple(self._running.values()):
            exchange.cancel(by, explanation)

    def readers(self) -> int:
        """How many clients are being served."""
        return sum(exchange.readers for exchange in self._running.values())

    def __len__(self) -> int:
        return len(self._running)

    def _hear(self, event: Event) -> None:
        """Where a person is asked nobody can say how long it takes: from then on the client is kept waiting."""
        match event:
            case InvocationChanged() if event.invocation.is_waiting:
                exchange = self._running.get(event.invocation.exchange_id)
                if exchange is not None:
                    exchange.outbox.hold()
            case QuestionAsked() if event.conversation_id:
                for exchange in self._running.values():
                    if exchange.conversation_id == event.conversation_id:
                        exchange.outbox.hold()
            case _:
                pass

    async def _until_over(self, exchange: Exchange) -> None:
        try:
            await exchange.wait()
        finally:
            del self._running[exchange.id]
