"""What tests of the window share: a loop of their own, a theme, a console of the engine that is only pretended."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from tests.fakes.console import FakeConsole
from tests.fakes.loop import SECONDS, BoundLoop

from callgate.engine.tasks import Tasks
from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[BoundLoop]:
    """A fresh loop on the one application; tasks that outlive the test fail it."""
    inner = QEventLoop(qapp)
    asyncio.set_event_loop(inner)
    yield BoundLoop(inner)
    left = [task for task in asyncio.all_tasks(inner) if not task.done()]
    for task in left:
        task.cancel()
    if left:
        inner.run_until_complete(asyncio.wait(left, timeout=SECONDS))
    inner.run_until_complete(inner.shutdown_asyncgens())
    inner.close()
    asyncio.set_event_loop(None)
    assert not left, "left over: " + ", ".join(task.get_name() for task in left)


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
