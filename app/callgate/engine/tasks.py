"""Tasks that are kept, named and heard: the only place that starts one.

A task that nobody keeps can vanish, and one that fails unheard is a lost error; hence `Tasks` holds each until it
ends, reports what it raises, and can end them all in order at shutdown.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Coroutine
from typing import Any, TypeVar

from callgate.core.events import FaultRaised
from callgate.engine.bus import Bus

log = logging.getLogger(__name__)
T = TypeVar("T")

CLOSE_SECONDS = 1.0
"""How long tasks may take to clean up at shutdown; the whole program must be gone in two seconds."""


class Tasks:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._running: set[asyncio.Task[Any]] = set()
        self._closing = False

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Runs a coroutine beside the caller. What it raises is published, unless somebody awaits the task."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def __len__(self) -> int:
        return len(self._running)

    async def close(self) -> None:
        """Cancels everything and waits, within bounds, until it is gone."""
        self._closing = True
        running = [task for task in self._running if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        if running:
            _, stuck = await asyncio.wait(running, timeout=CLOSE_SECONDS)
            for task in stuck:
                log.error("task %s did not end in %s s", task.get_name(), CLOSE_SECONDS)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        detail = "".join(traceback.format_exception(error))
        log.error("task %s failed\n%s", task.get_name(), detail)
        self._bus.publish(FaultRaised(task.get_name(), str(error) or type(error).__name__, time.time(), detail))
