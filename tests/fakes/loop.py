"""A Qt and asyncio loop for one test, every wait bounded."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from qasync import QEventLoop

T = TypeVar("T")

SECONDS = 5.0
"""Longer than any honest wait of a test on a busy machine."""
_STEP = 0.002


async def until(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Lets the loop run until something is true."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(_STEP)


class BoundLoop:
    """`run` a coroutine, or run `until` something is true; both give up after five seconds."""

    def __init__(self, inner: QEventLoop) -> None:
        self.inner = inner

    def run(self, work: Coroutine[Any, Any, T], seconds: float = SECONDS) -> T:
        # not `run_until_complete`: that of qasync goes on with what is due after the loop has ended, where tasks fail
        task = self.inner.create_task(asyncio.wait_for(work, seconds))
        task.add_done_callback(lambda _: self.inner.stop())
        self.inner.run_forever()
        # tests and pytest-qt let Qt run what is due between two runs: tasks that go on there must find their loop
        asyncio.events._set_running_loop(self.inner)
        return task.result()

    def until(self, condition: Callable[[], bool], seconds: float = SECONDS) -> None:
        self.run(until(condition, seconds), seconds + 1)

    def press(self, *verbs: Callable[[], object]) -> None:
        """Does something as a person does it: while the loop runs, so that tasks can be started by it."""
        self.run(_each(verbs))

    def settle(self) -> None:
        """Lets everything that is due happen: posted events, deleted widgets, ready tasks."""
        self.run(_turns())


async def _turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def _each(verbs: tuple[Callable[[], object], ...]) -> None:
    for verb in verbs:
        verb()
