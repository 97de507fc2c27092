"""Calls that a program makes itself, without a model: each is an exchange of its own and passes the same gate.

Calls of one session share a conversation, so that the window shows them together.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import orjson

from callgate.core.agent import OWN_NAME, identity
from callgate.core.calls.invocation import Decider, Invocation, Phase
from callgate.core.calls.own_act import OwnAct
from callgate.core.errors import NotRecorded
from callgate.core.events import (
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    Leg,
    Outcome,
    ToolOutput,
    WireCaptured,
)
from callgate.core.ids import new_id
from callgate.core.messages import Json, ResultPart, Text
from callgate.core.tool import Outcome as ToolOutcome
from callgate.core.tool import Tool
from callgate.engine.exchange.call_run import CallDeps, CallRun
from callgate.tools.catalog import Catalog, UnknownTool

SESSION_SECONDS = 30 * 60.0
"""A session that has been quiet for that long is over: what comes then begins a new conversation."""

Report = Callable[[str, float | None, float | None], None]
"""Text, done, total: what the tool says of its progress, and that the call waits for a decision."""


@dataclass(frozen=True, slots=True)
class Caller:
    agent: str
    session: str
    """Calls of one agent with the same one belong together; any text that tells sessions apart."""
    proven: bool = False
    """Whether a token proves the agent's name."""
    token_id: str = ""
    process: str = ""

    @property
    def thread(self) -> tuple[str, str]:
        return identity(self.agent, self.proven), self.session


class ToolCaller(Protocol):
    """Runs a call that has come from outside, if it may run."""

    async def call(self, name: str, arguments: Mapping[str, Json], caller: Caller, report: Report) -> ToolOutcome: ...


@dataclass(slots=True)
class _Thread:
    """The conversation of a session."""

    conversation_id: str
    last_exchange: str = ""
    touched: float = 0.0


@dataclass(slots=True)
class _Running:
    invocation: Invocation
    work: "asyncio.Task[Invocation]"
    token_id: str
    ended_by: tuple[Decider, str] = field(default=("client", "the client withdrew the call"))


class DirectCalls:
    def __init__(self, machinery: CallDeps, catalog: Catalog) -> None:
        self._parts = machinery
        self._catalog = catalog
        self._run = CallRun(machinery, in_order=False)
        self._reports: dict[str, Report] = {}
        machinery.bus.subscribe(self._pass_on)
        self._threads: dict[tuple[str, str], _Thread] = {}
        self._running: dict[str, _Running] = {}
        self._revoked: set[str] = set()

    async def call(self, name: str, arguments: Mapping[str, Json], caller: Caller, report: Report) -> ToolOutcome:
        """Judges the call and runs it. Cancelling this withdraws it; raises `UnknownTool`."""
        return await self.call_text(name, orjson.dumps(dict(arguments)).decode(), caller, report)

    async def call_text(
        self, name: str, text: str, caller: Caller, report: Report, begun: Callable[[str], None] = lambda _: None
    ) -> ToolOutcome:
        """The same with arguments as they are written; `begun` is told the invocation's id before it is judged."""
        return await self._call(name, text, caller, report, begun)

    async def act(self, tool: Tool, text: str, session: str, begun: Callable[[str], None]) -> ToolOutcome:
        """A call that the person starts in the window, on the tool as it was shown: for the desks of the window only.

        No door for programs has this method: they hold a `ToolCaller`. Raises `UnknownTool`.
        """
        return await self._call(tool.name, text, Caller(OWN_NAME, session), _unheard, begun, OwnAct(tool))

    async def _call(
        self,
        name: str,
        text: str,
        caller: Caller,
        report: Report,
        begun: Callable[[str], None],
        own_act: OwnAct | None = None,
    ) -> ToolOutcome:
        if caller.token_id in self._revoked:
            return _told("The agent's token was revoked; nothing was run.")
        tool = self._catalog.offers(name, caller.agent)
        if tool is None:
            raise UnknownTool(name)
        invocation = self._begin(tool, text, caller)
        self._reports[invocation.id] = report
        begun(invocation.id)
        self._parts.gate.open(invocation, tool)
        work = self._parts.tasks.start(
            self._run.judge_and_run(invocation.id, text, own_act=own_act), f"call {invocation.id}"
        )
        running = self._running[invocation.id] = _Running(invocation, work, caller.token_id)
        try:
            await asyncio.wait({work})
            outcome = self._outcome(running)
            with contextlib.suppress(NotRecorded):  # what the tool has done must be told all the same
                await self._parts.committed()
            return outcome
        except asyncio.CancelledError:
            work.cancel()
            self._cancelled(running)
            raise
        finally:
            del self._reports[invocation.id]
            del self._running[invocation.id]

    def stop_conversation(self, conversation_id: str, by: Decider, explanation: str) -> None:
        for running in tuple(self._running.values()):
            if running.invocation.conversation_id == conversation_id:
                self._stop(running, by, explanation)

    def stop_token(self, token_id: str, by: Decider, explanation: str) -> None:
        """Stops what came with an agent's token, and what still comes."""
        self._revoked.add(token_id)
        for running in tuple(self._running.values()):
            if running.token_id == token_id:
                self._stop(running, by, explanation)

    def stop(self, invocation_id: str, by: Decider, explanation: str) -> None:
        running = self._running.get(invocation_id)
        if running is not None:
            self._stop(running, by, explanation)

    def stop_all(self, by: Decider, explanation: str) -> None:
        for running in tuple(self._running.values()):
            self._stop(running, by, explanation)

    def __len__(self) -> int:
        return len(self._running)

    # ---- one call ---------------------------------------------------------------------------------------------------

    def _begin(self, tool: Tool, arguments: str, caller: Caller) -> Invocation:
        now = self._parts.clock()
        thread = self._thread(caller, now)
        exchange_id = new_id("exch")
        # it brings no user message: its conversation has no turns, but rules may hold for all of it
        self._parts.gate.enter_turn(thread.conversation_id, exchange_id, ())
        self._parts.bus.publish(
            ExchangeStarted(
                exchange_id, thread.conversation_id, caller.agent, "mcp", "", False, 0, (), (), now,
                thread.last_exchange, agent_proven=caller.proven, agent_process=caller.process,
            )
        )  # fmt: skip
        thread.last_exchange = exchange_id
        asked = f'{{"name":{orjson.dumps(tool.name).decode()},"arguments":{arguments}}}'
        self._capture(exchange_id, thread.conversation_id, "client_request", asked)
        return Invocation(
            new_id("inv"), exchange_id, thread.conversation_id, 1, 0, new_id("call"), tool.name, "gate", tool.source,
            caller.agent, "", fingerprint=tool.fingerprint, wall=tool.wall, phases=(Phase("Streaming", now),),
            agent_proven=caller.proven,
        )  # fmt: skip

    def _thread(self, caller: Caller, now: float) -> _Thread:
        for session in [key for key, thread in self._threads.items() if now - thread.touched > SESSION_SECONDS]:
            del self._threads[session]
        thread = self._threads.setdefault(caller.thread, _Thread(new_id("conv")))
        thread.touched = now
        return thread

    def _outcome(self, running: _Running) -> ToolOutcome:
        if running.work.cancelled():
            self._cancelled(running)
            return _told(f"Tool call '{running.invocation.tool}' was stopped: {running.ended_by[1]}.")
        failure = running.work.exception()
        if failure is not None:
            self._parts.gate.cancel(running.invocation.id, "shutdown", "Callgate itself failed")
            self._end(running.invocation, "failed")
            raise failure
        settled = running.work.result()
        if settled.result is None:
            self._end(settled, "cancelled")
            return _told(f"Tool call '{settled.tool}' was cancelled: {settled.explanation or 'no reason given'}.")
        self._end(settled, "completed", settled.result.parts)
        return ToolOutcome(settled.result.parts, settled.result.is_error, settled.result.structured)

    def _pass_on(self, event: Event) -> None:
        """One listener for all calls: with one each, a thousand calls would hear each other a million times."""
        match event:
            case ToolOutput() if report := self._reports.get(event.invocation_id):
                report(event.text, event.progress, event.total)
            case InvocationChanged() if event.invocation.is_waiting and (
                report := self._reports.get(event.invocation.id)
            ):
                report("waiting for a decision in Callgate", None, None)
            case _:
                pass

    def _stop(self, running: _Running, by: Decider, explanation: str) -> None:
        running.ended_by = (by, explanation)
        running.work.cancel()

    def _cancelled(self, running: _Running) -> None:
        self._parts.gate.cancel(running.invocation.id, *running.ended_by)
        self._end(running.invocation, "cancelled")

    def _end(self, invocation: Invocation, outcome: Outcome, parts: tuple[ResultPart, ...] = ()) -> None:
        exchange_id, conversation_id = invocation.exchange_id, invocation.conversation_id
        if parts:
            said = orjson.dumps({"content": [_shown(part) for part in parts]}).decode()
            self._capture(exchange_id, conversation_id, "client_response", said)
        self._parts.bus.publish(ExchangeEnded(exchange_id, conversation_id, outcome, self._parts.clock()))

    def _capture(self, exchange_id: str, conversation_id: str, leg: Leg, text: str) -> None:
        self._parts.bus.publish(WireCaptured(exchange_id, conversation_id, 0, leg, text.encode(), self._parts.clock()))


def _shown(part: ResultPart) -> Json:
    """Enough to recognise it in the traffic; pictures and files are kept with the result."""
    return {"text": part.text} if isinstance(part, Text) else {"kind": part.kind, "mediaType": part.media_type}


def _told(text: str) -> ToolOutcome:
    return ToolOutcome((Text(text),), is_error=True)


def _unheard(text: str, done: float | None, total: float | None) -> None:
    """The window follows the bus."""
