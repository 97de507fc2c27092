"""The loop's loose ends, on a real Qt loop."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QApplication

from callgate.runtime import loop


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


# ---- the desktop wants the program to end ---------------------------------------------------------------------------

WANTS_TO_QUIT = """
import asyncio, sys
from PySide6.QtCore import QCoreApplication, QEvent
from callgate.runtime import loop
app = loop.make_application(sys.argv)
asked = []
app.quit_requested.connect(lambda: asked.append(1))
async def main(ends):
    app.quit()
    while not asked:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    return 40 + len(asked)
sys.exit(loop.run(app, main))
"""


def test_the_desktop_that_quits_the_program_only_asks_it_to() -> None:
    """Else Qt ends the loop, and with it everything that still runs, without a word to any client."""
    done = subprocess.run(
        [sys.executable, "-c", WANTS_TO_QUIT], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (41, "")


class FakeSession:
    """Stands for Qt's session manager, which only Qt can make."""

    def __init__(self, *, interaction: bool) -> None:
        self.interaction = interaction
        self.done: list[str] = []

    def allowsInteraction(self) -> bool:
        return self.interaction

    def cancel(self) -> None:
        self.done.append("cancel")

    def release(self) -> None:
        self.done.append("release")


@pytest.mark.parametrize(
    ("interaction", "may_leave", "done", "left"),
    [
        (True, True, ["release"], False),
        (True, False, ["cancel", "release"], False),
        (False, True, [], True),
        (False, False, [], True),
    ],
)
def test_the_end_of_a_session_is_held_up_where_calls_wait_and_the_desktop_allows_it(
    qapp: QApplication, interaction: bool, may_leave: bool, done: list[str], left: bool
) -> None:
    happened: list[str] = []
    end = loop.SessionEnd(qapp, lambda: may_leave, lambda: happened.append("left"), lambda: happened.append("saved"))
    session = FakeSession(interaction=interaction)
    end.commit(session)
    assert session.done == done
    assert happened == ["saved", *(["left"] if left else [])]
    end.deleteLater()
