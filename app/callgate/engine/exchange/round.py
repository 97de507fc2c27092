"""One round: one request upstream, its reply read as it comes, and its calls held until they are settled.

Text goes to the client at once. From the first call that might be refused, everything is held: what the client gets
of it depends on the verdicts.
"""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace

from callgate.core.assembly import Assembly
from callgate.core.calls.invocation import Decider, Invocation, Phase
from callgate.core.calls.own_act import OwnAct
from callgate.core.catalog.usage_estimate import estimated_usage
from callgate.core.deltas import CallEnded, CallStarted, Delta, Failed, Finished, Started, UsageReported
from callgate.core.errors import PeerFault
from callgate.core.events import DeltaArrived, RoundEnded, WireCaptured
from callgate.core.ids import new_id
from callgate.core.messages import Message, ToolResult
from callgate.core.secrets.masking import mask_head
from callgate.core.sub_agent import AgentThread
from callgate.core.tool import RUN_BY_CALLGATE, Owner, Tool, ToolSpec
from callgate.engine.exchange.call_run import CallDeps, CallRun
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.early_start import EarlyStart
from callgate.engine.exchange.outbox import Outbox, Piece
from callgate.engine.exchange.round_calls import CallKey, RoundCalls
from callgate.engine.exchange.verdict_filter import VerdictFilter
from callgate.upstream.client import Reply
from callgate.wire.codec import Frame
from callgate.wire.translate import ReplyTranslator
from callgate.wire.translate.fresh_ids import with_fresh_ids
from callgate.wire.translate.reply_losses import ReplyLosses

FRAMES_AT_ONCE = 20
"""A burst arrives as one read of hundreds of frames; the window must get its turn in between."""


@dataclass(frozen=True, slots=True)
class RoundContext:
    """Where a round happens: what its events and invocations carry."""

    exchange_id: str
    conversation_id: str
    agent: str
    model: str
    round: int
    client_until: float | None = None
    agent_proven: bool = False
    turn: str = ""
    thread: AgentThread = AgentThread()

    @property
    def marks(self) -> tuple[str, str, int]:
        """What every event of the round begins with."""
        return self.exchange_id, self.conversation_id, self.round


@dataclass(frozen=True, slots=True)
class RoundPolicy:
    """What a round may do."""

    run_here: bool
    """Calls of the catalog's tools are run by Callgate; else the client gets them."""
    relay: bool
    """The client speaks the provider's wire and may get its very bytes."""
    relay_usage: bool
    """The client wants the usage chunk too."""
    streamed: bool
    """What the client asked for; a provider may do otherwise."""
    begins: bool
    """The client's wire can begin a reply before there is anything to say in it."""
    ask_again: bool
    """The model can be told what became of its calls."""
    continue_pauses: bool
    """A provider that pauses is asked to go on; only its own clients know how to do that themselves."""
    asked_tokens: int = 0
    """About how many the request has: for providers that do not count."""
    taken_ids: frozenset[str] = frozenset()
    """Of earlier calls: the provider's new ones must not have them."""
    named: frozenset[str] = frozenset()
    """Tools that the person has named in the message: the first call of each is their own act, where it may be."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How a round came out."""

    message: Message
    """What the model said, with edited calls as they were edited."""
    results: tuple[ToolResult, ...]
    """One for every call that did not go to the client."""
    released: int
    """How many calls the client got."""
    finished: bool
    """True: the client has its finish; False: the model must be asked again."""
    relayed: bool
    """True: the client got the provider's own bytes from beginning to end."""
    unheard: tuple[str, ...] = ()
    """What the provider said and the client could not be told."""


class Round:
    def __init__(
        self,
        place: RoundContext,
        machinery: CallDeps,
        catalog: Mapping[str, Tool],
        specs: Mapping[str, ToolSpec],
        conduct: RoundPolicy,
        restorer: ReplyTranslator | None,
        splice: DeltaRenumbering,
        outbox: Outbox,
        unheard: ReplyLosses,
    ) -> None:
        self._place = place
        self._parts = machinery
        self._catalog = catalog
        self._specs = specs
        self._conduct = conduct
        self._relaying = conduct.relay
        self._named = conduct.named
        self._restorer = restorer
        self._splice = splice
        self._outbox = outbox
        self._unheard = unheard
        self._assembly = Assembly()
        self._calls = RoundCalls()
        self._held: list[Frame] = []
        self._holding = False
        self._paused = False
        self._repairs: list[str] = []
        self._first_token_at: float | None = None
        self._reply_head: tuple[tuple[str, str], ...] = ()
        """The provider's headers, until its first bytes have taken them along."""
        self._run = CallRun(machinery, in_order=True)

    async def run(self, reply: Reply) -> Turn:
        """Reads the reply to its end and settles its calls; raises `PeerFault` when the provider failed."""
        self._splice.begin_round(self._place.round)
        self._reply_head = mask_head(tuple(reply.headers.items()))
        with EarlyStart(self._outbox, self._splice, self._held_beginning) as opening:
            await self._read(reply)
            await self._settle()
            await self._run.recorded(self._calls.settled.values())
        self._relaying = self._relaying and not opening.begun
        return self._release()

    def cancel(self, by: Decider, explanation: str) -> None:
        """Ends what is still live: the client has gone, the person has stopped it, or the program ends."""
        for task in self._calls.handling.values():
            task.cancel()
        for invocation_id in self._calls.invocations.values():
            self._parts.gate.cancel(invocation_id, by, explanation)

    # ---- reading ---------------------------------------------------------------------------------------------------

    async def _read(self, reply: Reply) -> None:
        taken = 0
        async with aclosing(reply.frames()) as frames:
            async for frame in frames:
                # a provider may answer a plain request with a stream, or the other way round
                self._relaying = self._relaying and reply.streamed == self._conduct.streamed
                await self._take(frame)
                taken += 1
                if taken % FRAMES_AT_ONCE == 0:
                    await asyncio.sleep(0)
        if self._assembly.fault is not None:
            self.cancel("provider", f"the provider failed: {self._assembly.fault.message}")
            raise PeerFault(self._assembly.fault)
        self._publish_end()

    async def _take(self, frame: Frame) -> None:
        now = self._parts.clock()
        head, self._reply_head = self._reply_head, ()
        self._parts.bus.publish(WireCaptured(*self._place.marks, "upstream_response", frame.raw, now, head))
        if self._restorer is not None:
            restored = tuple(d for delta in frame.deltas for d in self._restorer.restore(delta))
            frame = replace(frame, deltas=restored)
        if self._conduct.taken_ids:
            frame = with_fresh_ids(frame, self._conduct.taken_ids)
        for delta in frame.deltas:
            self._note(delta, now)
        if frame.repairs:
            self._repairs.extend(frame.repairs)
            self._relaying = False
        if self._assembly.fault is not None:
            # before the first byte its status says more, and most failures end in the middle of an event: those the
            # exchange reports in words of the client's wire
            if frame.confessed and self._relaying and not self._holding and len(self._outbox):
                self._pass(frame)
            return
        if self._holding:
            self._held.append(frame)
            return
        ended = [self._calls.handling[key] for key in _ended_in(frame) if key in self._calls.passing]
        if ended:
            # with this frame the client can act on the call: its decision must be in the journal first
            await self._run.recorded([await call for call in ended])
        self._pass(frame)

    def _note(self, delta: Delta, now: float) -> None:
        self._assembly.add(delta)
        self._parts.bus.publish(DeltaArrived(*self._place.marks, delta, now))
        match delta:
            case Finished(reason="pause") if self._conduct.continue_pauses:
                # the provider wants to be asked again with what it has said; only its own clients know how
                self._holding = self._paused = True
                return
            case Started() | UsageReported() | Finished() | Failed():
                return
            case CallStarted():
                self._open_call(delta, now)
            case CallEnded():
                self._handle((delta.choice, delta.part), delta.arguments)
            case _:
                pass
        self._first_token_at = self._first_token_at or now

    def _open_call(self, delta: CallStarted, now: float) -> None:
        place = self._place
        named = delta.variant != "built_in"  # its name is the wire's own, whatever tools are called
        tool = self._catalog.get(delta.name) if named else None
        offered = tool or (self._specs.get(delta.name) if named else None)
        fingerprint = offered.fingerprint if offered is not None else ""
        runs_here = tool is not None and (self._conduct.run_here or tool.source in RUN_BY_CALLGATE)
        owner: Owner = "gate" if runs_here else "client"
        source = tool.source if tool is not None else "client"
        invocation = Invocation(
            new_id("inv"),
            place.exchange_id,
            place.conversation_id,
            place.round,
            delta.part,
            delta.id,
            delta.name,
            owner,
            source,
            place.agent,
            place.model,
            variant=delta.variant,
            fingerprint=fingerprint,
            client_until=place.client_until,
            wall=tool.wall if tool is not None and runs_here else "",
            phases=(Phase("Streaming", now),),
            agent_proven=place.agent_proven,
            turn=place.turn,
            sub_agent=place.thread.sub_agent,
            parent_agent=place.thread.parent,
        )
        self._calls.invocations[delta.choice, delta.part] = invocation.id
        if tool is not None and runs_here and tool.name in self._named:
            self._named -= {tool.name}
            self._calls.own_acts[delta.choice, delta.part] = OwnAct(tool, by_model=True)
        self._parts.gate.open(invocation, tool if runs_here else None)
        could_refuse = self._parts.gate.could_refuse(
            delta.name,
            source,
            place.agent,
            fingerprint,
            owner_is_client=owner == "client",
            agent_proven=place.agent_proven,
            sub_agent=place.thread.sub_agent,
        )
        self._holding = self._holding or owner == "gate" or could_refuse
        if not self._holding:
            self._calls.passing.add((delta.choice, delta.part))

    def _handle(self, key: CallKey, arguments: str) -> None:
        """Judges a complete call at once, while the rest of the reply is still coming, and runs it if it may."""
        invocation_id = self._calls.invocations[key]
        self._calls.handling[key] = self._parts.tasks.start(
            self._run.judge_and_run(
                invocation_id, arguments, passing=key in self._calls.passing, own_act=self._calls.own_acts.get(key)
            ),
            f"call {invocation_id}",
        )

    # ---- after the reply -------------------------------------------------------------------------------------------

    def _publish_end(self) -> None:
        assembly = self._assembly
        self._parts.bus.publish(
            RoundEnded(
                *self._place.marks,
                assembly.message(),
                assembly.finish(),
                assembly.usage or estimated_usage(self._conduct.asked_tokens, assembly.message()),
                self._parts.clock(),
                self._first_token_at,
                tuple(dict.fromkeys(self._repairs)),
            )
        )

    async def _settle(self) -> None:
        for key in self._calls.unfinished:
            # cut off by the token limit: the call is not whole, so nobody may run it
            self._parts.gate.cancel(
                self._calls.invocations[key], "provider", "the model stopped before the call was whole"
            )
        for key, task in self._calls.handling.items():
            self._calls.settled[key] = await task

    def _held_beginning(self) -> Started | None:
        """Many providers begin a reply and its first call in one frame, and then both are held."""
        deltas = (delta for frame in self._held for delta in frame.deltas)
        return next((delta for delta in deltas if isinstance(delta, Started)), None) if self._conduct.begins else None

    def _release(self) -> Turn:
        """Gives the client what it may have of the held frames."""
        release = VerdictFilter(self._calls, self._splice, can_ask_again=self._conduct.ask_again, paused=self._paused)
        if release.is_whole:
            for frame in self._held:
                self._pass(frame)
        else:
            self._relaying = False
            for frame in self._held:
                deltas = [d for delta in frame.deltas for d in release.rewritten(delta)]
                self._unheard.hear(deltas, frame.beside)
                if deltas:
                    self._outbox.put(Piece(tuple(deltas)))
        said = release.said(self._assembly.message())
        return Turn(
            said,
            release.results(),
            len(release.released),
            release.finishes,
            self._relaying,
            self._unheard.warnings,
        )

    def _pass(self, frame: Frame) -> None:
        deltas = tuple(d for delta in frame.deltas for d in self._splice.add(delta))
        if self._relaying and (self._conduct.relay_usage or not _tells_only_usage(frame)):
            self._outbox.put(Piece(deltas, frame))
            return
        if not self._relaying:
            self._unheard.hear(deltas, frame.beside)
        if deltas:
            self._outbox.put(Piece(deltas))


def _ended_in(frame: Frame) -> list[CallKey]:
    return [(delta.choice, delta.part) for delta in frame.deltas if isinstance(delta, CallEnded)]


def _tells_only_usage(frame: Frame) -> bool:
    """Callgate always asks for usage; a client that did not must not be surprised by the chunk."""
    return bool(frame.deltas) and all(isinstance(delta, UsageReported) for delta in frame.deltas)
