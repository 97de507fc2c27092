"""The program with its window: a station and the person's front door to it, on one loop."""

import asyncio
import sys
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication

from callgate.core.events import EndpointsChanged, Event
from callgate.core.rules.match import quoted
from callgate.runtime import loop, tour
from callgate.runtime.process import Visit, ready_line, say, settle_interpreter
from callgate.runtime.runtime import Launch, Runtime
from callgate.runtime.screenshots import Photographer
from callgate.ui.agents.page import AgentsPage
from callgate.ui.approvals.presenter import ApprovalPresenter
from callgate.ui.bridge import Bridge
from callgate.ui.changed_files.presenter import ChangedFilesPresenter
from callgate.ui.conversation.hit_reveal import HitReveal
from callgate.ui.conversation.list.panel import ConversationListPanel
from callgate.ui.conversation.newest import NewestConversation
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.desktop.bus import session_address, system_address
from callgate.ui.desktop.global_shortcut import GlobalShortcut, shortcut_of_desktop
from callgate.ui.desktop.notices import Notices
from callgate.ui.desktop.screen_lock import ScreenLock
from callgate.ui.endpoints.page import EndpointsPage
from callgate.ui.export.presenter import ExportPresenter
from callgate.ui.palette.palette import CommandPalette
from callgate.ui.palette.sources import conversation_entries, menu_entries, setting_entries, tool_entries
from callgate.ui.questions.presenter import QuestionPresenter
from callgate.ui.settings.rules_page import RulesPage
from callgate.ui.shell import accessible_areas
from callgate.ui.shell.banner import Lead
from callgate.ui.shell.dock_autohide import DockAutohide
from callgate.ui.shell.leaving import Leaving
from callgate.ui.shell.page import Page, Pane
from callgate.ui.shell.tray import Tray, person_looks
from callgate.ui.shell.tray_port import SystemTray, TrayPort
from callgate.ui.shell.window import MainWindow, Panels
from callgate.ui.sources.page import SourcesPage
from callgate.ui.statistics.page import StatisticsPage
from callgate.ui.theme.theme import Theme
from callgate.ui.timeline.panel import TimelinePanel
from callgate.ui.tools.detail_page import DetailPage
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.traffic.inspector.home import InspectorHome
from callgate.ui.traffic.inspector.inspector import WireInspector
from callgate.ui.traffic.panel import TrafficPanel
from callgate.ui.traffic.price_book import PriceBook
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_finder import RowFinder

TRAFFIC_HEIGHT = 260
INSPECTOR_WIDTH = 440


class WindowApp:
    """The window and what stands in it, plugged into a station."""

    def __init__(self, runtime: Runtime, theme: Theme, settings: QSettings, tray: TrayPort | None = None) -> None:
        self._runtime, self._theme, self._settings = runtime, theme, settings
        self._closing = False
        console = runtime.console
        self.bridge = Bridge(runtime.bus, runtime.tasks)
        self.demonstration = tour.Demonstration(runtime)
        self.tool_page = DetailPage(theme)
        self.tools = ToolsPanel(console, self.bridge, theme, settings, self.tool_page)
        self.conversations = ConversationListPanel(console, self.bridge, theme, settings=settings)
        self.conversation = ConversationPanel(console, self.bridge, theme)
        self.approvals = ApprovalPresenter(console, self.bridge, theme, settings=settings)
        self.questions = QuestionPresenter(console, self.bridge, theme)
        self.changed_files = ChangedFilesPresenter(runtime.changes, self.bridge, theme)
        self.prices = PriceBook(settings)
        self.traffic = TrafficPanel(console, self.bridge, theme, prices=self.prices, settings=settings)
        self.inspector = WireInspector(console, self.bridge, theme, settings=settings)
        self.inspector_home = home = InspectorHome(self.inspector, settings)
        self.timeline = TimelinePanel(console, self.bridge, theme)
        self.row_finder = RowFinder(console, self.bridge, self.inspector)
        panels = Panels(
            self.tools,
            self.conversations,
            self.conversation,
            self.conversation.composer,
            self.approvals.queue,
            pages=(
                Page("tool", "Tool details", self.tool_page, "Ctrl+Shift+D"),
                Page("rules", "Rules", lambda: self.rules, "Ctrl+Shift+R", "rule"),
                Page("statistics", "Statistics", lambda: self.statistics, "Ctrl+Shift+U", "statistics"),
                Page("sources", "Sources", lambda: self.sources, "Ctrl+Shift+S", "source"),
                Page("endpoints", "Endpoints", lambda: self.endpoints, "Ctrl+Shift+N", "endpoint"),
                Page("agents", "Agents", lambda: self.agents, "Ctrl+Shift+G"),
                Page("wire", "Wire inspector, wide", home.page, "Ctrl+Shift+W", pane="inspector"),
            ),
            panes=(
                Pane("traffic", "Traffic", self.traffic, "bottom", TRAFFIC_HEIGHT, "Ctrl+Shift+T", "traffic"),
                Pane("timeline", "Timeline", self.timeline, "bottom", TRAFFIC_HEIGHT, "Ctrl+Shift+M", "timeline"),
                Pane("inspector", "Wire inspector", home.pane, "right", INSPECTOR_WIDTH, "Ctrl+Shift+I", "wire"),
            ),
            notices=(self.changed_files.notice, self.questions.notice),
        )
        self.window = MainWindow(console, self.bridge, theme, settings, panels)
        self.aside = DockAutohide(self.window, self.inspector_home.page, ("toolsDock", "conversationsDock"))
        self.lock = ScreenLock(self.bridge, session_address(), system_address(), self.window)
        self.shortcut = GlobalShortcut(shortcut_of_desktop(self.bridge, self.window), settings, self.window)
        self.approvals.set_window(self.window)
        for menu in (self.approvals.where_menu, self.shortcut.menu):
            self.window.actions_of_window.add_to_view(menu)
        self.window.notice.tell_when(lambda: not self.approvals.dialog.isVisible())
        self.questions.set_window(self.window)
        self.changed_files.set_window(self.window)
        self.tray = self._tray(tray)
        self.leaving = Leaving(console, self.bridge, theme, self.window, has_tray=lambda: self.tray.is_available)
        self.newest = NewestConversation(self.bridge, self.conversation)
        self.hits = HitReveal(self.conversation)
        self.export = ExportPresenter(console, self.bridge, theme, self.window, settings)
        self.palette = self._palette(theme, settings)
        self._connect()

    # ---- pages that are built when they are first shown: many an hour goes by without them ---------------------------

    @cached_property
    def rules(self) -> RulesPage:
        page = RulesPage(self._runtime.console, self.bridge, self._theme)
        page.closed.connect(self.window.leave_page)
        return page

    @cached_property
    def sources(self) -> SourcesPage:
        page = SourcesPage(self._runtime.console, self.bridge, self._theme)
        page.closed.connect(self.window.leave_page)
        page.tool_requested.connect(self._show_tool)
        return page

    @cached_property
    def endpoints(self) -> EndpointsPage:
        page = EndpointsPage(self._runtime.console, self.bridge, self._theme)
        page.closed.connect(self.window.leave_page)
        return page

    @cached_property
    def agents(self) -> AgentsPage:
        page = AgentsPage(self._runtime.console, self.bridge, self._theme, lambda: self._runtime.address)
        page.closed.connect(self.window.leave_page)
        return page

    @cached_property
    def statistics(self) -> StatisticsPage:
        page = StatisticsPage(self._runtime.console, self.bridge, self._theme, self._settings, prices=self.prices.table)
        page.closed.connect(self.window.leave_page)
        page.picked.connect(self._show_traffic_of)
        self.prices.changed.connect(page.set_prices)
        return page

    # ---- building ----------------------------------------------------------------------------------------------------

    def _palette(self, theme: Theme, settings: QSettings) -> CommandPalette:
        console = self._runtime.console
        return CommandPalette(
            self.window,
            self.bridge,
            theme,
            settings,
            (
                lambda: menu_entries(self.window.menuBar()),
                lambda: setting_entries(console, theme, self.window.set_theme, self.window.gate_question.ask),
                lambda: tool_entries(console, self._show_tool),
            ),
            (lambda: conversation_entries(console, self.conversation.open),),
        )

    def _tray(self, port: TrayPort | None) -> Tray:
        port = port or SystemTray(self.window, Notices(self.bridge, session_address(), self.window))

        def looks() -> bool:
            return person_looks() and not self.lock.is_locked

        tray = Tray(self._runtime.console, self.bridge, self._theme, self._settings, port, self.window, looks=looks)
        tray.offer(self.window)
        return tray

    def _show_endpoints(self) -> None:
        self.window.show_page("endpoints")
        if all(endpoint.origin == "demo" for endpoint in self._runtime.console.endpoints.endpoints()):
            self.endpoints.add_endpoint()

    def _add_endpoint(self) -> None:
        self.window.show_page("endpoints")
        self.endpoints.add_endpoint()

    def _show_endpoint(self, name: str) -> None:
        self.window.show_page("endpoints")
        self.endpoints.show_endpoint(name)

    def _follow_endpoints(self, batch: tuple[Event, ...]) -> None:
        if any(isinstance(event, EndpointsChanged) for event in batch):
            self._show_who_answers()
            self.conversation.composer.refresh_models()

    def _show_who_answers(self) -> None:
        self.window.welcome.show_answering(self._runtime.console.endpoints.endpoints())

    def _add_source(self) -> None:
        self.window.show_page("sources")
        self.sources.add_source()

    def _import_sources(self) -> None:
        self.window.show_page("sources")
        self.sources.import_sources()

    def _show_source(self, name: str) -> None:
        self.window.show_page("sources")
        self.sources.show_source(name)

    def _edit_toolsets(self) -> None:
        self.window.show_page("sources")
        self.sources.edit_toolsets()

    def _show_conversation(self, conversation_id: str) -> None:
        """One that arrives by itself never takes a page away from whoever reads there."""
        self.window.show_conversation(conversation_id, behind=self.newest.is_opening)

    def _show_tool(self, name: str) -> None:
        self.window.actions_of_window.focus_tools.trigger()
        self.tools.reveal(name)

    def _connect(self) -> None:
        self.window.actions_of_window.palette.triggered.connect(lambda: self.palette.come_up())
        self.conversations.selected.connect(self.conversation.open)
        self.conversations.selected.connect(self.newest.stop)
        self.conversations.deleted.connect(self._close_deleted)
        self._connect_archive()
        self.conversation.opened.connect(self.conversations.select)
        self.conversation.opened.connect(self._show_conversation)
        self.approvals.reveal_requested.connect(self.conversation.open)
        self.approvals.queue_wanted.connect(self.window.show_approvals)
        self.window.waiting_requested.connect(self.approvals.open)
        self.questions.reveal_requested.connect(self.conversation.open)
        self.window.new_conversation_requested.connect(self.conversation.start_new)
        self.window.demo_requested.connect(self._start_demo)
        self.tools.open_requested.connect(self.conversation.open)
        self.tools.sources_requested.connect(self._add_source)
        self.tools.source_requested.connect(self._show_source)
        self.tools.toolsets_requested.connect(self._edit_toolsets)
        self.tool_page.wanted.connect(partial(self.window.show_page, "tool"))
        self.tool_page.closed.connect(self.window.leave_page)
        self.traffic.open_requested.connect(self.conversation.open)
        self.traffic.selected.connect(self.inspector.show_row)
        self.traffic.inspect_requested.connect(self._inspect)
        self.inspector_home.page_wanted.connect(partial(self.window.show_page, "wire"))
        self.inspector_home.pane_wanted.connect(partial(self.window.show_pane, "inspector"))
        self.inspector_home.page_left.connect(self.window.leave_page)
        self.traffic.selected.connect(self._show_on_timeline)
        self.conversation.opened.connect(self.timeline.show_conversation)
        self.timeline.open_requested.connect(self.conversation.open)
        self.timeline.inspect_requested.connect(self._reveal)
        self.timeline.message_requested.connect(self._reveal_message)
        self.timeline.message_opened.connect(self.inspector_home.show)
        self.row_finder.found.connect(self.inspector.show_row)
        self.conversations.deleted.connect(self.traffic.forget_conversation)
        self.window.welcome.endpoints_requested.connect(self._show_endpoints)
        self.bridge.batch.connect(self._follow_endpoints)
        self._show_who_answers()
        for kind in ("key of ", "endpoint "):
            self.window.banner.add_lead(Lead(kind, "Endpoints…", self._show_endpoint))
        self.lock.changed.connect(self._runtime.console.set_screen_locked)
        self.shortcut.pressed.connect(self._show_oldest_call)
        self.tray.open_requested.connect(self.window.come_up)
        self.tray.approvals_requested.connect(self._show_approvals)
        self.tray.call_requested.connect(self.approvals.open)
        self.tray.observe_wanted.connect(self._ask_to_observe)
        self.tray.attention_wanted.connect(self._mark_windows)
        self.tray.quit_requested.connect(self.leaving.request)
        self.window.quit_requested.connect(self.leaving.request)
        self.window.may_close = self._may_close
        self.tray.quiet_changed.connect(self.approvals.set_quiet)
        self.tray.quiet_changed.connect(self.questions.set_quiet)
        self.window.bar.gate.mode_changed.connect(lambda _mode: self.tray.refresh())

    def _connect_archive(self) -> None:
        actions = self.window.actions_of_window
        actions.add_source.triggered.connect(self._add_source)
        actions.import_sources.triggered.connect(self._import_sources)
        actions.add_endpoint.triggered.connect(self._add_endpoint)
        actions.open_file.triggered.connect(lambda: self.export.open_file())
        actions.export.triggered.connect(self._export_chosen)
        actions.search_conversations.triggered.connect(self._search_conversations)
        self.export.imported.connect(self.conversations.add)
        self.conversations.export_requested.connect(self.export.export)
        self.conversations.hit_requested.connect(self.hits.reveal)
        self.conversations.set_prices(self.prices.table)
        self.prices.changed.connect(self.conversations.set_prices)
        self.conversation.view.set_prices(self.prices.table)
        self.prices.changed.connect(self.conversation.view.set_prices)
        for signal in (self.conversations.deleted, self.conversations.restored, self.export.imported):
            signal.connect(lambda _: self.window.recount())

    def _export_chosen(self) -> None:
        chosen = self.conversations.list.selected_ids or [self.conversation.conversation]
        self.export.export([conversation for conversation in chosen if conversation])

    def _search_conversations(self) -> None:
        self.window.actions_of_window.focus_conversations.trigger()
        self.conversations.focus_search()

    def stays(self) -> bool:
        """Whether the program goes on after its window was closed: in the tray, where there is one."""
        if self._closing or not self.tray.is_available:
            return False
        self.tray.say_hidden()
        return True

    def join_desktop(self) -> None:
        """Asks the desktop for the global shortcut, and whether the screen is locked."""
        self.lock.start()
        self.shortcut.start()

    def _show_oldest_call(self) -> None:
        """In its place, and also one that was put off; never more than shown."""
        self.bridge.flush()  # while the window is hidden, the places hear of a call only some time after the engine
        waiting = self._runtime.console.waiting()
        if waiting:
            self.approvals.open(waiting[0].id)

    def _may_close(self) -> bool:
        """Where closing the window ends the program, calls that wait are asked about first."""
        return self._closing or self.tray.is_available or self.leaving.may_leave()

    def _mark_windows(self) -> None:
        """In the desktop's list of windows: what waits is in the dialog, and the window may be all that is listed."""
        for window in (self.approvals.dialog, self.window):
            if window.isVisible():
                QApplication.alert(window)

    def _show_approvals(self) -> None:
        self.window.come_up()
        self.window.show_approvals()

    def _ask_to_observe(self) -> None:
        self.window.come_up()
        self.window.gate_question.ask()

    def _close_deleted(self, conversation_id: str) -> None:
        if self.conversation.conversation == conversation_id:
            self.conversation.start_new()

    def _inspect(self) -> None:
        """The bytes come up where they were last; the keyboard stays with the rows, to go on from one to the next."""
        self.inspector_home.show()
        self.traffic.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _reveal(self, exchange_id: str, number: int) -> None:
        """Also an exchange that the table has not read, as it is from long ago, or never will, as it is from a file."""
        if not self.traffic.reveal(exchange_id, number):
            self.row_finder.find(exchange_id, number)

    def _reveal_message(self, exchange_id: str, number: int, invocation_id: str, frame_id: str) -> None:
        self._reveal(exchange_id, number)
        self.inspector.show_message(invocation_id, frame_id)

    def _show_traffic_of(self, field: str, value: str) -> None:
        self.window.show_pane("traffic")
        self.traffic.filter.set_text(f"{field}={quoted(value)}")

    def _show_on_timeline(self, row: TrafficRow | None) -> None:
        if row is not None:
            self.timeline.show_exchange(row.conversation_id, row.exchange_id)

    def _start_demo(self) -> None:
        """A second press while it runs goes to its conversation."""
        if not self.demonstration.is_running:
            self.bridge.start(self.demonstration.show(), self.window, "demonstration")
        elif self.demonstration.conversation_id:
            self.conversation.open(self.demonstration.conversation_id)

    def close(self) -> None:
        self._closing = True
        self.shortcut.close()
        self.lock.close()
        self.tray.close()
        self.leaving.close()
        self.approvals.dialog.hide()
        self.questions.dialog.hide()
        self.changed_files.dialog.hide()
        self.export.dialog.hide()
        self.window.close()
        self.bridge.close()


def open_window(launch: Launch, visit: Visit | None = None) -> int:
    """Opens the window; returns when the person has closed it."""
    app = loop.make_application(sys.argv)
    accessible_areas.install()

    async def main(ends: loop.LoopEnds) -> int:
        return await _live(app, launch, ends, visit)

    return loop.run(app, main)


def save_screenshots(launch: Launch, folder: Path) -> int:
    """Drives the demonstration offscreen and saves pictures of it."""
    app = loop.make_application(sys.argv)

    async def main(ends: loop.LoopEnds) -> int:
        runtime = Runtime(launch)
        theme = Theme()
        theme.apply(app)
        window_app = WindowApp(
            runtime, theme, QSettings(str(launch.data_folder / "window.ini"), QSettings.Format.IniFormat)
        )
        ends.on_error(runtime.fault)
        try:
            await runtime.open()
            for picture in await Photographer(runtime, window_app, theme, folder).run():
                say(f"saved {picture}")
        finally:
            window_app.close()
            await runtime.close()
        return 0

    return loop.run(app, main)


async def _live(app: loop.Application, launch: Launch, ends: loop.LoopEnds, visit: Visit | None) -> int:
    runtime = Runtime(launch)
    theme = Theme()
    theme.apply(app)
    window_app = WindowApp(runtime, theme, QSettings())
    runtime.raise_window = window_app.window.come_up
    over = asyncio.Event()

    def leave() -> None:
        if not over.is_set():  # a signal came first, and the window closes because of that
            runtime.leave()
            over.set()

    ends.on_error(runtime.fault)
    ends.on_signal(over.set)
    app.quit_requested.connect(window_app.leaving.request)
    loop.SessionEnd(app, window_app.leaving.may_leave, leave, window_app.window.save_layout)
    window_app.window.closed.connect(lambda: None if window_app.stays() else leave())
    window_app.leaving.left.connect(leave)
    try:
        await runtime.open()
        if runtime.server.note:
            say(runtime.server.note)
        say(ready_line(runtime.address))
        window_app.window.show()
        window_app.join_desktop()
        settle_interpreter()
        window_app.bridge.start(runtime.console.endpoints.refresh_models(), window_app.window, "asking for models")
        if visit is not None:
            window_app.bridge.start(visit(runtime), window_app.window, "demonstration")
        await over.wait()
    finally:
        window_app.close()
        await runtime.close()
    return 0
