"""The whole program on its own loop, with a real window, for flows that a person and an SDK play together.

Knows nothing of pytest: processes whose memory is measured use it too.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import qasync
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from tests.fakes.tray import FakeTray

from callgate.runtime.loop import GeneratorHooks
from callgate.runtime.runtime import Launch, Runtime
from callgate.runtime.window_app import WindowApp
from callgate.ui.decision.click_guard import RAISE_MS
from callgate.ui.theme.theme import Theme

T = TypeVar("T")
SECONDS = 10.0


class Program:
    """A station with its window; `play` runs a coroutine to its end on the shared loop."""

    def __init__(self, app: QApplication, folder: Path, config: str = "") -> None:
        self._folder = folder
        workspace = folder / "workspace"
        workspace.mkdir(exist_ok=True)
        (workspace / "notes.txt").write_text("buy milk\n", "utf-8")
        path = folder / "callgate.toml"
        path.write_text(config, "utf-8")
        self._launch = Launch(path, 0, workspace, folder / "data", demo_pace_ms=0)
        self._app = app
        self.loop = qasync.QEventLoop(app)
        self._hooks = GeneratorHooks(self.loop)

    def begin(self) -> None:
        asyncio.set_event_loop(self.loop)
        self._hooks.install()
        self.start()

    def start(self) -> None:
        self.runtime = Runtime(self._launch)
        settings = QSettings(str(self._folder / "window.ini"), QSettings.Format.IniFormat)
        self.tray = FakeTray()
        self.window_app = WindowApp(self.runtime, Theme(), settings, self.tray)
        self.play(self._open())

    def restart(self) -> None:
        """Everything is taken down and built again from what was stored."""
        self.take_down()
        self.start()

    def stop(self) -> None:
        self.take_down()
        self._hooks.remove()
        asyncio.events._set_running_loop(None)
        self.loop.close()
        asyncio.set_event_loop(None)

    def take_down(self) -> None:
        self.window_app.close()
        self.play(self.runtime.close())
        self.window_app.window.deleteLater()
        self.play(self._hooks.close())

    async def _open(self) -> None:
        """On the loop: showing a window lets Qt run what is due, and tasks can only run where their loop does."""
        await self.runtime.open()
        self.window_app.window.show()

    def play(self, work: Coroutine[Any, Any, T]) -> T:
        # not `run_until_complete`: that of qasync goes on with what is due after the loop has ended, where tasks fail
        task = self.loop.create_task(asyncio.wait_for(work, 2 * SECONDS))
        task.add_done_callback(lambda _: self.loop.stop())
        self.loop.run_forever()
        # pytest-qt lets Qt run what is due before and after a test: tasks that go on there must find their loop
        asyncio.events._set_running_loop(self.loop)
        return task.result()

    async def until(self, condition: Callable[[], T]) -> T:
        async with asyncio.timeout(SECONDS):
            while not (value := condition()):
                await asyncio.sleep(0.005)
        return value

    async def accept_changes(self) -> None:
        """All that was changed outside Callgate, as a person may in the review."""
        changes = self.runtime.changes.changes()
        await self.runtime.changes.accept([one for change in changes for one in change.widenings])

    def find(self, kind: type, name: str, within: QWidget | None = None) -> Any:
        return (within or self.window_app.window).findChild(kind, name)

    async def click(self, name: str, within: QWidget | None = None) -> None:
        """Clicks a button as soon as it takes clicks: visible, enabled and armed."""

        def ready() -> QPushButton | None:
            button = self.find(QPushButton, name, within)
            return button if button is not None and button.isVisible() and button.isEnabled() else None

        button = await self.until(ready)
        button.window().activateWindow()
        await self.until(button.isActiveWindow)
        # the click that raises a window never decides, so a person's click comes a moment later
        await asyncio.sleep(RAISE_MS / 1000 + 0.02)
        await self.until(ready)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
