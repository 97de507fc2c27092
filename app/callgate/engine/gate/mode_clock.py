"""Ends a gate mode when its time is over, so that everybody hears of it and what waits is judged again.

The gate itself never lets an expired mode count; without this, nobody would be told.
"""

import asyncio
import time
from collections.abc import Callable

from callgate.core.events import Event, GateChanged
from callgate.core.gate_mode import GateMode
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.tasks import Tasks


class ModeClock:
    def __init__(self, bus: Bus, gate: Gate, tasks: Tasks, clock: Callable[[], float] = time.time) -> None:
        self._gate = gate
        self._tasks = tasks
        self._clock = clock
        self._waiting: asyncio.Task[None] | None = None
        bus.subscribe(self._apply)

    def _apply(self, event: Event) -> None:
        if not isinstance(event, GateChanged):
            return
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if event.mode.until is not None:
            self._waiting = self._tasks.start(self._fall_back(event.mode.until), "the time of the gate's mode")

    async def _fall_back(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - self._clock()))
        self._waiting = None  # it ends by itself: cancelling it from the event below would cut it short
        self._gate.set_mode(GateMode())
