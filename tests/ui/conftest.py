"""What tests of the window share: a loop of their own, a theme, a console of the engine that is only pretended."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from tests.fakes.console import FakeConsole
from tests.fakes.loop import SECONDS, BoundLoop

from callgate.engine.tasks import Tasks
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[BoundLoop]:
    """A fresh loop on the one application; tasks that outlive the test fail it."""
    inner = QEventLoop(qapp)
    asyncio.set_event_loop(inner)
    bound = BoundLoop(inner)
    yield bound
    left = [task for task in asyncio.all_tasks(inner) if not task.done()]
    for task in left:
        task.cancel()
    if left:
        bound.run(_wait_for(left), SECONDS + 1)
    bound.run(inner.shutdown_asyncgens())
    asyncio.events._set_running_loop(None)
    inner.close()
    asyncio.set_event_loop(None)
    assert not left, "left over: " + ", ".join(task.get_name() for task in left)


async def _wait_for(tasks: "list[asyncio.Task[Any]]") -> None:
    await asyncio.wait(tasks, timeout=SECONDS)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    theme = Theme()
    theme.set_mode("dark")
    return theme


@pytest.fixture
def console() -> FakeConsole:
    return FakeConsole()


@pytest.fixture
def bridge(loop: BoundLoop, console: FakeConsole) -> Iterator[Bridge]:
    tasks = Tasks(console.bus)
    bridge = Bridge(console.bus, tasks)
    yield bridge
    bridge.close()
    loop.run(tasks.close())


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
