"""What follows once a call is complete: it is judged, what led there is committed, and it runs.

The order is the point: decided, then committed to the journal, then compared with what was shown, then run. Calls of a
model, of `/mcp` and of the person's own tries all come through here.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from callgate.core.calls.binding import BindingChange, Outdated
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.own_act import OwnAct
from callgate.core.errors import Fault, NotRecorded, PeerFault
from callgate.core.messages import ToolResult
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.invoker import Invoker
from callgate.engine.gate.judge import UNRECORDED
from callgate.engine.gate.unstarted import Withdrawn
from callgate.engine.tasks import Tasks


async def _at_once() -> None:
    """Nothing has to be committed first."""


@dataclass(slots=True)
class CallDeps:
    """The parts of the engine that a round works with."""

    bus: Bus
    gate: Gate
    invoker: Invoker
    tasks: Tasks
    clock: Callable[[], float] = time.time
    committed: Callable[[], Awaitable[None]] = _at_once
    """Returns when everything that happened so far is in the journal; raises `NotRecorded` where that can't be. No tool
    starts, no call is released and no answer ends before."""


class CallRun:
    """The calls of one round, or of one program: those that change something run one after the other."""

    def __init__(self, machinery: CallDeps, *, in_order: bool) -> None:
        self._parts = machinery
        self._in_order = asyncio.Lock() if in_order else None

    async def judge_and_run(
        self, invocation_id: str, arguments: str, *, passing: bool = False, own_act: OwnAct | None = None
    ) -> Invocation:
        """`own_act`: the person has started the call in the window."""
        judged = await self._parts.gate.judge(invocation_id, arguments, passing=passing, own_act=own_act)
        while judged.state == "Executing":
            try:
                result = await self._run(judged)
            except Withdrawn:
                judged = await self._parts.gate.judge_again(judged.id, BindingChange("withdrawn"))
            except Outdated as outdated:
                why = BindingChange("previewed", file=outdated.file) if outdated.file else None
                judged = await self._parts.gate.judge_again(judged.id, why)
            except NotRecorded:
                judged = await self._parts.gate.judge_again(judged.id)
            else:
                return await self._parts.gate.ran(judged.id, result)
        return judged

    async def _run(self, judged: Invocation) -> ToolResult:
        unstarted = self._parts.gate.unstarted
        unstarted.add(judged)
        try:
            if self._in_order is None or self._parts.invoker.runs_beside_others(judged):
                return await self._run_now(judged)
            await self._order_comes(judged, self._in_order)
            try:
                return await self._run_now(judged)
            finally:
                self._in_order.release()
        finally:
            unstarted.discard(judged.id)

    async def _order_comes(self, judged: Invocation, in_order: asyncio.Lock) -> None:
        """Returns with the lock; raises `Withdrawn`, without it, as soon as the call may not run any more."""
        loop, unstarted = asyncio.get_running_loop(), self._parts.gate.unstarted
        try:
            async with asyncio.timeout(None) as waiting:
                unstarted.wake_with(judged.id, lambda: waiting.reschedule(loop.time()))
                try:
                    await in_order.acquire()
                finally:
                    unstarted.wake_with(judged.id, None)
        except TimeoutError:
            raise Withdrawn from None

    async def recorded(self, calls: Iterable[Invocation]) -> None:
        """Returns when the client may have these calls; raises `PeerFault` where it would leave no record."""
        released = [call for call in calls if call.state == "Released"]
        if not released:
            return
        try:
            await self._parts.committed()
        except NotRecorded as problem:
            if not all(approved_unrecorded(call) for call in released):
                fault = Fault("overloaded", f"The call was not released: {UNRECORDED} ({problem}).")
                raise PeerFault(fault) from problem

    async def _run_now(self, judged: Invocation) -> ToolResult:
        try:
            await self._parts.committed()
        except NotRecorded:
            if not approved_unrecorded(judged) and not self._parts.invoker.only_reads(judged):
                raise
        self._parts.gate.unstarted.start(judged)
        # nothing may wait between the comparison, which is the first thing that `run` does, and the call
        return await self._parts.invoker.run(judged)


def approved_unrecorded(call: Invocation) -> bool:
    """Whether a person has approved it knowing that nothing would be recorded."""
    return call.decided_by == "person" and call.verdict is not None and call.verdict.unrecorded
