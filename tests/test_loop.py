"""The loop's loose ends, on a real Qt loop."""

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QApplication

from callgate import loop


def test_an_abandoned_generator_is_closed(qapp: QApplication) -> None:
    closed: list[str] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            closed.append("closed")

    async def main(ends: loop.LoopEnds) -> int:
        kept = numbers()
        await anext(kept)
        async for _ in numbers():
            break
        gc.collect()
        for _ in range(5):
            await asyncio.sleep(0)
        assert closed == ["closed"]
        return 7

    assert loop.run(qapp, main) == 7
    assert closed == ["closed", "closed"]


def test_errors_that_nobody_caught_are_reported(qapp: QApplication, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[tuple[str, str]] = []

    async def main(ends: loop.LoopEnds) -> int:
        ends.on_error(lambda where, message, detail: heard.append((where, message)))
        running = asyncio.get_running_loop()
        running.call_exception_handler({"message": "lost", "exception": ValueError("in the loop")})
        thread = threading.Thread(target=_fail)
        thread.start()
        thread.join()
        await asyncio.sleep(0.01)
        sys.excepthook(ValueError, ValueError("in a slot"), None)
        return 0

    loop.run(qapp, main)
    assert heard == [("loop", "in the loop"), ("thread", "in a thread"), ("window", "in a slot")]
    caplog.clear()


def _fail() -> None:
    raise ValueError("in a thread")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_although_qt_sits_in_its_own_loop(qapp: QApplication, number: signal.Signals) -> None:
    async def main(ends: loop.LoopEnds) -> int:
        over = asyncio.Event()
        ends.on_signal(over.set)
        asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), number)
        async with asyncio.timeout(5):
            await over.wait()
        return 0

    before = signal.getsignal(number)
    assert loop.run(qapp, main) == 0
    assert signal.getsignal(number) == before
