"""Pictures of the window in its main states, dark and light: for the README, and for whoever judges the look."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.runtime import tour
from callgate.runtime.runtime import Runtime
from callgate.ui.approvals.dialog import ApprovalDialog
from callgate.ui.approvals.presenter import ApprovalPresenter
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.palette.palette import CommandPalette
from callgate.ui.shell.window import MainWindow
from callgate.ui.theme.theme import Mode, Theme
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.traffic.panel import TrafficPanel

SIZE = (1280, 800)
WAIT_SECONDS = 20.0
"""Bound of every step; the demonstration is paced for the machine, not for the eye."""
SETTLE_SECONDS = 0.6
"""Buttons arm after 400 ms, and a picture should show them armed."""


class WindowParts(Protocol):
    window: MainWindow
    bridge: Bridge
    approvals: ApprovalPresenter
    conversation: ConversationPanel
    tools: ToolsPanel
    traffic: TrafficPanel
    palette: CommandPalette


class Photographer:
    def __init__(self, runtime: Runtime, window_app: WindowParts, theme: Theme, folder: Path) -> None:
        self._runtime = runtime
        self._window_app = window_app
        self._theme = theme
        self._folder = folder
        self._saved: list[Path] = []

    async def run(self) -> list[Path]:
        """Plays the demonstration and takes a picture of each state, in both themes."""
        self._folder.mkdir(parents=True, exist_ok=True)
        window = self._window_app.window
        window.resize(*SIZE)
        window.show()
        await self._both("welcome", window)
        playing = self._window_app.bridge.start(tour.show(self._runtime), window, "demonstration")
        first = await self._waiting(2)
        self._window_app.conversation.open(first.conversation_id)
        await self._both("approval", window)
        window.show_approvals()
        await self._both("queue", window)
        window.reset_layout()
        dialog = self._window_app.approvals.dialog
        await self._both("dialog", dialog)
        dialog.hide()
        for invocation in self._runtime.console.waiting():
            decision = Decision("approve", shown=shown_hash(invocation))
            self._runtime.console.decide(invocation.id, decision, "demonstration")
        async with asyncio.timeout(WAIT_SECONDS):
            await playing
        await self._both("conversation", window)
        await self._rest(window)
        return self._saved

    async def _rest(self, window: MainWindow) -> None:
        """The places that a person goes to for more."""
        self._window_app.tools.reveal("search_text")
        await self._both("tools", window)
        window.leave_page()
        for pane in ("timeline", "traffic"):
            window.show_pane(pane)
            await self._both(pane, window)
        self._window_app.traffic.table.choose_first()
        window.show_page("wire")
        await self._both("inspector", window)
        window.leave_page()
        window.reset_layout()
        for page in ("endpoints", "rules", "sources", "statistics"):
            window.show_page(page)
            await self._both(page, window)
        window.leave_page()
        self._window_app.palette.come_up()
        await self._both("palette", window)
        self._window_app.palette.leave()

    async def _both(self, name: str, widget: MainWindow | ApprovalDialog) -> None:
        # the theme that is on comes first: dressing the whole window anew is the slow part
        modes: tuple[Mode, Mode] = ("dark", "light") if self._theme.is_dark else ("light", "dark")
        for mode in modes:
            self._theme.set_mode(mode)
            await asyncio.sleep(SETTLE_SECONDS)
            path = self._folder / f"{name}-{mode}.png"
            if not widget.grab().save(str(path)):
                raise OSError(f"could not write {path}")
            self._saved.append(path)

    async def _waiting(self, count: int) -> Invocation:
        await self._until(lambda: len(self._runtime.console.waiting()) >= count)
        return self._runtime.console.waiting()[0]

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while not condition():
                await asyncio.sleep(0.02)
