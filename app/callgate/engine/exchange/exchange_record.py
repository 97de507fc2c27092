"""What is told and kept of an exchange: its beginning, its rounds, its end, and the reply that its client may refer to.

Knows nothing of how an exchange comes to its answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from callgate.core import lineage
from callgate.core.errors import Fault, PeerFault
from callgate.core.events import STATUS, ExchangeEnded, ExchangeStarted, Outcome, ReplyKept, RoundStarted, WireCaptured
from callgate.core.failure_notice import broken_reply
from callgate.core.messages import Message, ToolResult, Usage
from callgate.core.request import ChatResponse
from callgate.core.secrets.masking import mask, mask_head
from callgate.core.secrets.shown_url import shown_url
from callgate.core.sub_agent import thread_of
from callgate.engine.bus import Bus
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.history import Attachment, Ended, History, hidden_turns
from callgate.engine.exchange.replies import Replies
from callgate.engine.exchange.upstream_request import UpstreamRequest, upstream_head
from callgate.engine.offer.offer import Offer
from callgate.upstream.routing import Route
from callgate.wire.registry import CODECS


@dataclass(frozen=True, slots=True)
class ExchangeRecord:
    exchange_id: str
    conversation_id: str
    arrival: Arrival
    bus: Bus
    history: History
    replies: Replies
    clock: Callable[[], float]

    def started(self, attachment: Attachment) -> None:
        arrival, now = self.arrival, self.clock()
        request, thread = arrival.request, thread_of(arrival.headers)
        self.bus.publish(
            ExchangeStarted(
                self.exchange_id,
                self.conversation_id,
                arrival.agent,
                request.wire,
                request.model,
                request.stream,
                attachment.known,
                request.messages[attachment.known :],
                request.tools,
                now,
                attachment.parent_id,
                agent_proven=arrival.agent_proven,
                agent_process=arrival.agent_process,
                sub_agent=thread.sub_agent,
                parent_agent=thread.parent,
                agent_thread=thread.id,
            )
        )
        if arrival.body:
            head = mask_head(tuple(arrival.headers.items()))
            self.bus.publish(
                WireCaptured(self.exchange_id, self.conversation_id, 0, "client_request", arrival.body, now, head)
            )

    def round_started(
        self, number: int, route: Route, offered: Offer, spelled: UpstreamRequest, *, keyed: bool
    ) -> None:
        """`keyed`: Callgate has a key for the endpoint, so the client's own is not sent."""
        now = self.clock()
        self.bus.publish(
            RoundStarted(
                self.exchange_id,
                self.conversation_id,
                number,
                route.endpoint.name,
                route.wire,
                route.model,
                offered.request.tools,
                spelled.untouched,
                now,
                offered.available,
                offered.left_out,
                spelled.warnings,
                self._where(route, offered.request.stream),
            )
        )
        head = upstream_head(self.arrival, route, keyed)
        body = route.endpoint.body(route.wire, spelled.body, self.arrival.headers)
        self.bus.publish(
            WireCaptured(self.exchange_id, self.conversation_id, number, "upstream_request", body, now, head)
        )

    def refused(self, number: int, failure: PeerFault) -> None:
        """What a provider answered instead of a reply; nothing where it may not be shown, as it quotes a key."""
        refusal = failure.reply
        if refusal is not None:
            self.bus.publish(
                WireCaptured(
                    self.exchange_id,
                    self.conversation_id,
                    number,
                    "upstream_response",
                    mask(refusal.body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"),
                    self.clock(),
                    ((STATUS, str(refusal.status)),),
                )
            )

    def _where(self, route: Route, stream: bool) -> str:
        """The provider's address, as it may be written down."""
        query = self.arrival.query if route.wire == self.arrival.request.wire else ""
        return shown_url(route.endpoint.url(route.wire, route.model, stream, query))

    def completed(
        self,
        shown: ChatResponse,
        true_turns: Sequence[Message],
        before: str,
        usage: Usage | None,
        kept_by: str,
        unheard: tuple[str, ...] = (),
        told_results: tuple[ToolResult, ...] = (),
    ) -> None:
        """`before`: the lineage up to the answer. `kept_by`: the endpoint that knows the reply by the client's id."""
        answer = shown.choices[0].message
        hidden = hidden_turns(told_results, true_turns) if told_results or len(true_turns) > 1 else ()
        chain = lineage.extend(before, answer)
        agent = self.arrival.identity
        self.history.remember(Ended(self.exchange_id, self.conversation_id, agent, chain, answer, hidden))
        self._keep(shown, kept_by)
        self._ended("completed", answer, usage, None, hidden, chain, unheard)

    def broken_off(
        self,
        outcome: Outcome,
        shown: ChatResponse,
        usage: Usage | None,
        fault: Fault | None,
        told_after: str = "",
        told_results: tuple[ToolResult, ...] = (),
    ) -> None:
        """`told_after`: the lineage up to the answer, where the client got one that says what failed.

        It will send that back as if the model had said so, and then goes on in the same conversation.
        """
        chain, hidden = "", ()
        if fault is not None and told_after:
            told = broken_reply(fault, shown).choices[0].message
            chain = lineage.extend(told_after, told)
            hidden = hidden_turns(told_results, (told,)) if told_results else ()
            agent = self.arrival.identity
            self.history.remember(Ended(self.exchange_id, self.conversation_id, agent, chain, hidden=hidden))
        self._ended(outcome, shown.choices[0].message, usage, fault, hidden, chain)

    def _ended(
        self,
        outcome: Outcome,
        answer: Message,
        usage: Usage | None,
        fault: Fault | None,
        hidden: tuple[Message, ...] = (),
        chain: str = "",
        unheard: tuple[str, ...] = (),
    ) -> None:
        self.bus.publish(
            ExchangeEnded(
                self.exchange_id,
                self.conversation_id,
                outcome,
                self.clock(),
                answer if answer.parts else None,
                hidden,
                chain,
                usage,
                fault,
                unheard,
            )
        )

    def _keep(self, reply: ChatResponse, kept_by: str) -> None:
        """Keeps the reply where its client may refer to it by id."""
        request = self.arrival.request
        chaining = CODECS[request.wire].chaining
        if chaining is not None and chaining.keeps(request):
            self.replies.keep(
                ReplyKept(
                    reply.id,
                    self.exchange_id,
                    self.conversation_id,
                    replace(request, messages=self.arrival.sent),
                    reply,
                    self.clock(),
                    self.arrival.continues,
                    kept_by,
                    agent=self.arrival.identity,
                )
            )
