"""The same connection on the loop that the window runs on."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from tests.fakes.loop import BoundLoop
from tests.fakes.mcp_sources import START_SECONDS, opened, rude, settings, versatile


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[BoundLoop]:
    inner = QEventLoop(qapp)
    asyncio.set_event_loop(inner)
    yield BoundLoop(inner)
    left = [task.get_name() for task in asyncio.all_tasks(inner) if not task.done()]
    inner.run_until_complete(inner.shutdown_asyncgens())
    inner.close()
    asyncio.set_event_loop(None)
    assert not left


def test_a_connection_lives_dies_and_comes_back_on_a_qt_loop(loop: BoundLoop, tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(versatile()), tmp_path) as server:
            await server.ready()
            texts = await asyncio.gather(*(server.text("echo", text=str(n)) for n in range(30)))
            assert texts == [str(n) for n in range(30)]
            await server.call("progress")
            assert len(server.reports) == 3
            call = asyncio.get_running_loop().create_task(server.call("hang"))
            await asyncio.sleep(0.05)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            server.source.restart()
            assert await server.text("echo", text="again") == "again"

    loop.run(work(), 2 * START_SECONDS)


def test_a_stubborn_server_is_gone_when_a_qt_loop_closes_it(loop: BoundLoop, tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("immortal")), tmp_path) as server:
            await server.ready()

    loop.run(work(), START_SECONDS)
