"""An exchange: one client request, from its arrival to its last byte, over as many rounds as it takes.

It runs as a task of its own and fills an outbox; whoever serves the client reads that. One way to end it early:
`cancel`, whether the client has gone, the person has stopped it or the program ends.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from callgate.core.calls.invocation import Decider, Invocation
from callgate.core.calls.patience import gives_up_after, was_a_timeout
from callgate.core.catalog.usage_estimate import request_tokens
from callgate.core.deltas import Failed, Started
from callgate.core.errors import BadRequest, Fault, NotRecorded, PeerFault, RefusedReply, UserFault
from callgate.core.events import Outcome
from callgate.core.ids import new_id
from callgate.core.messages import Message, ToolResult
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.sub_agent import thread_of
from callgate.core.tool import ToolSpec
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.call_run import CallDeps
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.early_start import EarlyStart
from callgate.engine.exchange.exchange_record import ExchangeRecord
from callgate.engine.exchange.history import Attachment, History
from callgate.engine.exchange.outbox import Outbox, Piece
from callgate.engine.exchange.replies import Replies
from callgate.engine.exchange.round import Round, RoundContext, RoundPolicy, Turn
from callgate.engine.exchange.upstream_request import (
    UpstreamRequest,
    UpstreamRequestBuilder,
    dresser,
    own_reply_id,
    reply_id,
)
from callgate.engine.gate.result_review import ResultReview, answers_in, asking
from callgate.engine.off_loop import off_the_loop
from callgate.engine.offer.offer import Offer
from callgate.engine.offer.offering import Offering
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import KeyFor
from callgate.upstream.headers import told_headers
from callgate.upstream.routing import Route, Routing
from callgate.wire.dialect_rewrite import needs_rewrite
from callgate.wire.registry import TRAITS
from callgate.wire.translate import carries_foreign_proofs
from callgate.wire.translate.fresh_ids import ids_in
from callgate.wire.translate.reply_losses import ReplyLosses

DEFAULT_ROUNDS = 10
STOPPED = "stopped_by_person"
"""The code of a fault that is nobody's failure, so that programs can tell it from one."""
NOT_RECORDED = "journal: it cannot be written, so this exchange is not recorded"
RETRY_GRACE_SECONDS = 30.0
"""SDKs come back within 8 seconds, agents within 20."""


@dataclass(slots=True)
class ExchangeDeps:
    """Everything an exchange works with; built once by the composition root."""

    machinery: CallDeps
    offering: Offering
    history: History
    routing: Routing
    upstream: UpstreamClient
    request_builder: UpstreamRequestBuilder
    replies: Replies
    key_for: KeyFor
    retry_grace_seconds: float = RETRY_GRACE_SECONDS
    clock: Callable[[], float] = time.time


class Exchange:
    def __init__(self, arrival: Arrival, around: ExchangeDeps, named: frozenset[str] = frozenset()) -> None:
        """`named`: tools whose first call of the first round is the person's own act, where it may be."""
        self._named = named
        self.id = new_id("exch")
        self.outbox = Outbox()
        self.warnings: list[str] = list(arrival.repairs)
        """What is changed or lost between client and provider: of the request, and once the answer is whole, of that
        too."""
        self._unheard: tuple[str, ...] = ()
        self.arrival = arrival
        self._arrival = arrival
        self.readers = 0
        self._leaving: asyncio.Task[None] | None = None
        self._patience = gives_up_after(arrival.agent, arrival.request.stream, arrival.headers)
        self._client_until: float | None = None
        self._around = around
        self._attachment: Attachment = around.history.attach(arrival.request, arrival.identity, arrival.chain)
        self._thread = thread_of(arrival.headers)
        self._turn = ""
        """The exchange that began the turn which it belongs to."""
        self._record = ExchangeRecord(
            self.id,
            self._attachment.conversation_id,
            arrival,
            around.machinery.bus,
            around.history,
            around.replies,
            around.clock,
        )
        self._told_results: tuple[ToolResult, ...] = ()
        """The client's new results as the model has them, where a person has changed some."""
        self._splice = DeltaRenumbering()
        self._task: asyncio.Task[None] | None = None
        self._same_wire = False
        self._begun_early = False
        """The reply was begun before the provider was asked, so its own beginning can't be relayed."""
        self.reply_headers: dict[str, str] = {}
        """The provider's headers that a client of the same wire may want: request ids, rate limits."""
        self._kept_by = ""
        """The endpoint that knows the reply under the id that the client got; empty = none does."""
        self._ended_by: tuple[Decider, str] = ("shutdown", "the program is closing")

    @property
    def conversation_id(self) -> str:
        return self._attachment.conversation_id

    @property
    def agent(self) -> str:
        return self._arrival.agent

    def start(self) -> None:
        self._client_until = self._patience_ends()
        fresh = self._arrival.request.messages[self._attachment.known :]
        self._turn = self._around.machinery.gate.enter_turn(self.conversation_id, self.id, fresh)
        self._record.started(self._attachment)
        self._task = self._around.machinery.tasks.start(self._run(), f"exchange {self.id}")
        self._task.add_done_callback(self._over)

    def cancel(self, by: Decider, explanation: str) -> None:
        """Ends the exchange now; harmless when it has ended, or is ending, already."""
        if self._task is not None and not self._task.done() and not self._task.cancelling():
            self._ended_by = (by, explanation)
            self._task.cancel()

    @property
    def stopped_by_person(self) -> bool:
        """Whether a person ended it before its time, alone or with the program: no failure to them."""
        return self._ended_by[0] in ("person", "leaving")

    @property
    def is_held(self) -> bool:
        """Whether it waits for a person now, or for a client that gave up while it did and may ask again."""
        return bool(self._waiting()) or self.was_given_up

    @property
    def was_given_up(self) -> bool:
        """Whether its client has run into its own time limit and is expected to ask again."""
        return self._leaving is not None

    def join(self) -> None:
        """A client reads it: the one that asked, or the same one asking again, with all its patience."""
        self.readers += 1
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
            self._client_until = self._patience_ends()
            self._around.machinery.gate.client_came_back(self.id, self._client_until)

    def _patience_ends(self) -> float | None:
        return None if self._patience is None else self._around.clock() + self._patience

    def leave(self) -> None:
        """A client has gone. If it ran into its own time limit it will ask again, so the question stays for a while."""
        self.readers -= 1
        if self.readers or self._task is None or self._task.done():
            return
        waiting, now = self._waiting(), self._around.clock()
        held = now - min((i.phases[-1].since for i in waiting), default=now)
        left = None if self._client_until is None else self._client_until - now
        if waiting and was_a_timeout(held, self._arrival.headers, left):
            self._leaving = self._around.machinery.tasks.start(self._leave_later(), f"grace of {self.id}")
            self._around.machinery.gate.client_left(self.id)
        else:
            self.cancel("client", "the client hung up")

    async def _leave_later(self) -> None:
        await asyncio.sleep(self._around.retry_grace_seconds)
        self._leaving = None
        self.cancel("client", "the client gave up and did not come back")

    def _waiting(self) -> list[Invocation]:
        return [i for i in self._around.machinery.gate.waiting() if i.exchange_id == self.id]

    async def recorded(self) -> None:
        """Returns when everything of it so far is in the journal, or cannot be: an answer in words goes out anyway."""
        with contextlib.suppress(NotRecorded):
            await self._around.machinery.committed()

    def warn_unrecorded(self) -> None:
        """Adds to its warnings where it is known by now that it cannot be recorded."""
        if not self._around.machinery.gate.is_recorded and NOT_RECORDED not in self.warnings:
            self.warnings.append(NOT_RECORDED)

    async def wait(self) -> None:
        """Returns when the exchange is over, however it ended, and nobody is expected to ask for it again."""
        if self._task is not None:
            await asyncio.wait({self._task})
        if self._leaving is not None:
            await asyncio.wait({self._leaving})

    # ---- the whole -------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        true_turns: list[Message] = []
        try:
            await self._rounds(true_turns)
            self._end("completed", true_turns, None)
            self.outbox.close()
        except asyncio.CancelledError:
            self._end("cancelled", [], self._stopped())
            raise
        except PeerFault as failure:
            self._fail(failure.fault, failure.reply if self._same_wire else None)
        except UserFault as failure:
            self._end("failed", [], getattr(failure, "fault", Fault("invalid_request", str(failure))))
            self.outbox.close(failure)
        except Exception:
            self._fail(Fault("upstream", "Callgate itself failed on this request; its log has the details."))
            raise

    def _stopped(self) -> Fault:
        """Why it was cancelled. Clients try again by themselves after a server's error, but not after a refusal."""
        explanation = self._ended_by[1]
        if self.stopped_by_person:
            return Fault("permission", explanation, code=STOPPED)
        return Fault("upstream", explanation)

    def _over(self, task: "asyncio.Task[None]") -> None:
        if not self.outbox.closed:
            # cancelled before its first step: nothing of it has run, and its client waits
            self._end("cancelled", [], self._stopped())

    async def _rounds(self, true_turns: list[Message]) -> None:
        arrival, around = self._arrival, self._around
        route = around.routing.pick(arrival.request.model, arrival.request.wire)
        client_wire = arrival.request.wire
        self._same_wire = client_wire == route.wire
        self._splice = DeltaRenumbering(
            reply_id(client_wire, route.wire), dresser(client_wire, route.wire, route.model)
        )
        asked = replace(arrival.request, messages=await self._reviewed(route))
        offered = around.offering.offer(asked, arrival.agent, self.conversation_id)
        if offered.catalog and arrival.request.gate.execution == "auto" and not _can_ask_again(arrival.request):
            raise BadRequest("Tools can't be run for several answers at once: leave n out.", "n")
        limit = DEFAULT_ROUNDS if arrival.request.gate.max_rounds is None else arrival.request.gate.max_rounds
        number = 0
        while True:
            number += 1
            request = _continued(offered.request, true_turns)
            if limit and number > limit + 1:
                raise PeerFault(Fault("upstream", f"the model still calls tools after {limit} tool rounds"))
            if limit and number == limit + 1 and request.tools:
                request = replace(request, tool_choice=ToolChoice("none"), parallel_calls=None)
            try:
                turn = await self._ask(number, route, offered, request)
            except PeerFault as failure:
                self._record.refused(number, failure)
                raise
            self._unheard = tuple(dict.fromkeys((*self._unheard, *turn.unheard)))
            around.request_builder.remember(turn.message, arrival.identity)
            true_turns.append(turn.message)
            true_turns.extend(Message("tool", (result,)) for result in turn.results)
            if turn.finished:
                self._kept_by = route.endpoint.name if number == 1 and turn.relayed else ""
                return
            around.offering.said(turn.message, self.conversation_id)
            offered = around.offering.offer(asked, arrival.agent, self.conversation_id)

    async def _reviewed(self, route: Route) -> tuple[Message, ...]:
        """The client's messages after the second gate; a result that was changed must not go up as it came."""
        attachment = self._attachment
        fresh = self._arrival.request.messages[attachment.known :]
        sender = replace(
            asking(self.id, self.conversation_id, self._arrival.agent, route.model, self._client_until),
            agent_proven=self._arrival.agent_proven,
            turn=self._turn,
            sub_agent=self._thread.sub_agent,
            parent_agent=self._thread.parent,
        )
        gate, review = self._around.machinery.gate, ResultReview(self._around.machinery.gate, self._around.clock)
        answering = await off_the_loop(partial(answers_in, fresh), len(self._arrival.body))
        try:
            with EarlyStart(self.outbox, self._splice, self._started) as opening:
                messages, self._told_results = await review.messages(attachment.messages, answering, sender)
            self._begun_early = opening.begun
        except BaseException:
            gate.cancel_exchange(self.id, *self._ended_by)
            raise
        if self._told_results:
            self._attachment = replace(attachment, messages=messages, restored=True)
        return messages

    def _started(self) -> Started | None:
        """The beginning of a streamed reply that no provider has begun yet."""
        request = self._arrival.request
        return Started(own_reply_id(request.wire), request.model, int(self._around.clock())) if self._begins else None

    @property
    def _begins(self) -> bool:
        """Whether its client's wire can begin a reply before there is anything to say in it."""
        return self._arrival.request.stream and TRAITS[self._arrival.request.wire].begins_early

    async def _ask(self, number: int, route: Route, offered: Offer, request: ChatRequest) -> Turn:
        arrival, around = self._arrival, self._around
        spelled = await self._spell(number, route, offered, request)
        tokens, taken = await off_the_loop(partial(_counted, len(spelled.body), request.messages), len(arrival.body))
        key = around.key_for(route.endpoint)
        self._record.round_started(number, route, replace(offered, request=request), spelled, keyed=bool(key))
        same_wire = route.wire == arrival.request.wire
        conduct = RoundPolicy(
            run_here=arrival.request.gate.execution == "auto",
            relay=same_wire
            and number == 1
            and not arrival.request.legacy_functions
            and not spelled.restores
            and not self._begun_early,
            relay_usage=spelled.untouched or arrival.request.include_usage or not TRAITS[route.wire].usage_asked,
            asked_tokens=tokens,
            # ids that are made from the turn that they stand in must come out the same each time
            taken_ids=frozenset() if TRAITS[route.wire].makes_call_ids else taken,
            streamed=request.stream,
            begins=self._begins,
            ask_again=_can_ask_again(request),
            continue_pauses=not TRAITS[arrival.request.wire].pauses,
            named=self._named if number == 1 else frozenset(),
        )
        place = RoundContext(
            self.id, self.conversation_id, arrival.agent, route.model, number, self._client_until, arrival.agent_proven,
            self._turn, self._thread,
        )  # fmt: skip
        specs = {tool.name: tool for tool in offered.request.tools if isinstance(tool, ToolSpec)}
        round_ = Round(
            place, around.machinery, offered.catalog, specs, conduct, spelled.restorer, self._splice, self.outbox,
            ReplyLosses(
                arrival.request.wire, route.wire, streamed=request.stream, seeded=request.sampling.seed is not None
            ),
        )  # fmt: skip
        async with around.upstream.open(
            route.endpoint,
            route.wire,
            route.model,
            spelled.body,
            stream=request.stream,
            client_headers=arrival.headers,
            client_wire=arrival.request.wire,
            query=arrival.query if same_wire else "",
            key=key,
            tools=spelled.tools,
        ) as reply:
            if same_wire and number == 1:
                self.reply_headers = told_headers(reply.headers)
            try:
                return await round_.run(reply)
            except BaseException:
                round_.cancel(*self._ended_by)
                raise

    async def _spell(self, number: int, route: Route, offered: Offer, request: ChatRequest) -> UpstreamRequest:
        """The request for the provider: the client's own bytes wherever nothing had to change."""
        arrival, request_builder = self._arrival, self._around.request_builder
        as_it_came = (
            number == 1
            and route.wire == arrival.request.wire
            and bool(arrival.body)
            and arrival.pristine
            and not arrival.request.legacy_functions
            and not offered.changed
            and not self._attachment.restored
            and await off_the_loop(partial(_fits, arrival.request, route), len(arrival.body))
        )
        spelled = (
            request_builder.untouched(arrival, route)
            if as_it_came
            else await request_builder.spell(request, route, arrival)
        )
        spelled = replace(spelled, warnings=(*arrival.repairs, *spelled.warnings))
        self.warnings.extend(warning for warning in spelled.warnings if warning not in self.warnings)
        return spelled

    # ---- telling ---------------------------------------------------------------------------------------------------

    def _fail(self, fault: Fault, reply: RefusedReply | None = None) -> None:
        """The provider broke off: said inside the stream once it has begun, by status code before."""
        self._end("failed", [], fault)
        if len(self.outbox):
            if self.outbox.reply.fault is None:  # else the client has it in the provider's own words
                self.outbox.put(Piece((Failed(fault),)))
            self.outbox.close()
        else:
            self.outbox.close(PeerFault(fault, reply))

    def _end(self, outcome: Outcome, true_turns: list[Message], fault: Fault | None) -> None:
        shown, usage = self.outbox.reply.response, self._splice.usage
        if outcome == "completed":
            self.warnings.extend(self._unheard)
            before = self._attachment.lineage
            self._record.completed(shown, true_turns, before, usage, self._kept_by, self._unheard, self._told_results)
        else:
            in_words = self.outbox.held and not self._arrival.request.stream
            before = self._attachment.lineage if in_words else ""
            self._record.broken_off(outcome, shown, usage, fault, before, self._told_results)
        if outcome == "cancelled":
            self.outbox.close(PeerFault(fault or Fault("upstream", "cancelled")))


def _fits(request: ChatRequest, route: Route) -> bool:
    """Whether the endpoint would understand the client's own bytes."""
    dialect = route.endpoint.dialect
    return not carries_foreign_proofs(request.messages, route.wire, dialect) and not needs_rewrite(request, dialect)


def _counted(size: int, messages: tuple[Message, ...]) -> tuple[int, frozenset[str]]:
    """About how many tokens a request has, and the ids of the calls in it."""
    return request_tokens(size, messages), ids_in(messages)


def _can_ask_again(request: ChatRequest) -> bool:
    """False where the model can't be told what became of its calls: several answers, or a history kept elsewhere."""
    return (request.sampling.n or 1) == 1 and not request.previous_id


def _continued(request: ChatRequest, turns: list[Message]) -> ChatRequest:
    if not turns:
        return request
    choice = request.tool_choice
    if choice is not None and choice.mode == "required" and any(turn.calls for turn in turns):
        # it was made to call and has called: made again it would never come to an answer
        choice = ToolChoice("auto")
    return replace(request, messages=(*request.messages, *turns), tool_choice=choice)
