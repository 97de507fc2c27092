"""A whole station on a loop of its own in a thread, reached over its real port: what flows talk to."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, InvocationChanged
from callgate.runtime.runtime import Launch, Runtime

T = TypeVar("T")
SECONDS = 10.0
"""Bound of every wait: generous for a busy machine, short enough to fail a hung test."""


class RunningStation:
    def __init__(self, launch: Launch, *, trust: bool = True) -> None:
        self.events: list[Event] = []
        # configurations of tests lie in the workspace, where they would have to be accepted first
        self._launch = replace(launch, trust_config=launch.trust_config or trust)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="station")
        self._heard = threading.Condition()

    def start(self) -> None:
        self._thread.start()
        self.call(self._open())

    def stop(self) -> None:
        self.call(self.runtime.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()

    @property
    def address(self) -> str:
        return self.runtime.address

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the station's loop and waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def do(self, work: Callable[[], T]) -> T:
        """Runs a function on the station's loop and waits for it."""

        async def run() -> T:
            return work()

        return self.call(run())

    def wait_for(self, found: Callable[[list[Event]], T | None], seconds: float = SECONDS) -> T:
        """Waits until something can be found among all events so far."""
        with self._heard:
            value: T | None = None

            def there() -> bool:
                nonlocal value
                value = found(self.events)
                return value is not None

            assert self._heard.wait_for(there, seconds), "what was waited for never happened"
            assert value is not None
            return value

    def wait_for_state(self, state: str, tool: str = "", seconds: float = SECONDS) -> Invocation:
        return self.wait_for(
            lambda events: next(
                (
                    event.invocation
                    for event in events
                    if isinstance(event, InvocationChanged)
                    and event.invocation.state == state
                    and tool in ("", event.invocation.tool)
                ),
                None,
            ),
            seconds,
        )

    def decide(self, invocation: Invocation, decision: Decision) -> bool:
        return self.do(lambda: self.runtime.console.decide(invocation.id, decision, "test"))

    async def _open(self) -> None:
        self.runtime = Runtime(self._launch)
        self.runtime.bus.subscribe(self._hear)
        await self.runtime.open()

    def _hear(self, event: Event) -> None:
        with self._heard:
            self.events.append(event)
            self._heard.notify_all()


@contextmanager
def running(launch: Launch, *, trust: bool = True) -> Iterator[RunningStation]:
    runtime = RunningStation(launch, trust=trust)
    runtime.start()
    try:
        yield runtime
    finally:
        runtime.stop()
