"""The program with its window: a station and the person's front door to it, on one loop."""

import asyncio
import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from callgate import loop, tour
from callgate.headless import Visit, ready_line, say
from callgate.screenshots import Photographer
from callgate.station import Launch, Station
from callgate.ui.approvals.presenter import ApprovalPresenter
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list_panel import ConversationListPanel
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.theme import Theme
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.window import MainWindow, Panels


class Front:
    """The window and what stands in it, plugged into a station."""

    def __init__(self, station: Station, theme: Theme, settings: QSettings) -> None:
        self._station = station
        console = station.console
        self.bridge = Bridge(station.bus, station.tasks)
        self.tools = ToolsPanel(console, self.bridge, theme)
        self.conversations = ConversationListPanel(console, self.bridge, theme)
        self.conversation = ConversationPanel(console, self.bridge, theme)
        self.approvals = ApprovalPresenter(console, self.bridge, theme)
        panels = Panels(
            self.tools, self.conversations, self.conversation, self.conversation.composer, self.approvals.queue
        )
        self.window = MainWindow(console, self.bridge, theme, settings, panels)
        self.approvals.set_window(self.window)
        self._connect()

    def _connect(self) -> None:
        self.conversations.selected.connect(self.conversation.open)
        self.conversations.deleted.connect(self._close_deleted)
        self.conversation.opened.connect(self.conversations.select)
        self.conversation.opened.connect(self.window.show_conversation)
        self.approvals.reveal_requested.connect(self.conversation.open)
        self.window.new_conversation_requested.connect(self.conversation.start_new)
        self.window.demo_requested.connect(self._start_demo)

    def _close_deleted(self, conversation_id: str) -> None:
        if self.conversation.conversation == conversation_id:
            self.conversation.start_new()

    def _start_demo(self) -> None:
        self.bridge.start(tour.show(self._station), self.window, "demonstration")

    def close(self) -> None:
        self.approvals.dialog.hide()
        self.window.close()
        self.bridge.close()


def open_window(launch: Launch, visit: Visit | None = None) -> int:
    """Opens the window; returns when the person has closed it."""
    app = loop.make_application(sys.argv)

    async def main(ends: loop.LoopEnds) -> int:
        return await _live(app, launch, ends, visit)

    return loop.run(app, main)


def save_screenshots(launch: Launch, folder: Path) -> int:
    """Drives the demonstration offscreen and saves pictures of it."""
    app = loop.make_application(sys.argv)

    async def main(ends: loop.LoopEnds) -> int:
        station = Station(launch)
        theme = Theme()
        theme.apply(app)
        front = Front(station, theme, QSettings(str(launch.data_folder / "window.ini"), QSettings.Format.IniFormat))
        ends.on_error(station.fault)
        try:
            await station.open()
            for picture in await Photographer(station, front, theme, folder).run():
                say(f"saved {picture}")
        finally:
            front.close()
            await station.close()
        return 0

    return loop.run(app, main)


async def _live(app: QApplication, launch: Launch, ends: loop.LoopEnds, visit: Visit | None) -> int:
    station = Station(launch)
    theme = Theme()
    theme.apply(app)
    front = Front(station, theme, QSettings())
    over = asyncio.Event()
    ends.on_error(station.fault)
    ends.on_signal(over.set)
    front.window.closed.connect(over.set)
    front.window.quit_requested.connect(over.set)
    try:
        await station.open()
        if station.server.note:
            say(station.server.note)
        say(ready_line(station.address))
        front.window.show()
        if visit is not None:
            front.bridge.start(visit(station), front.window, "demonstration")
        await over.wait()
    finally:
        front.close()
        await station.close()
    return 0
