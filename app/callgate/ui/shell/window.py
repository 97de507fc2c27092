"""The window: arranges the panels it is handed, remembers how, and shows what concerns all of them.

Knows no panel from inside: they find each other through the console, and the window finds their parts by object name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMainWindow, QStatusBar, QTabWidget, QWidget

from callgate.core.events import Event, ExchangeStarted, InvocationChanged, ProxyChanged, ToolsChanged
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.connect.welcome import WelcomePage
from callgate.ui.decision.saved_notice import SavedNotice
from callgate.ui.shell.actions import Actions
from callgate.ui.shell.banner import FaultBanner
from callgate.ui.shell.centre import Centre
from callgate.ui.shell.dock import Dock
from callgate.ui.shell.extra_panes import ExtraPanes
from callgate.ui.shell.folding import Folding
from callgate.ui.shell.gate_question import GateQuestion
from callgate.ui.shell.page import Page, Pane
from callgate.ui.shell.place_bar import Place, PlaceBar
from callgate.ui.shell.toolbar import Toolbar
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import Mode, Theme


class StatusLine(QStatusBar):
    """The line at the bottom: address and counts, always in the same place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self.setAccessibleName("Status")
        self.setSizeGripEnabled(False)
        self._address, self._tools, self._conversations, self._waiting = (plain_label() for _ in range(4))
        self.addWidget(self._address)
        for label in (self._tools, self._conversations, self._waiting):
            self.addPermanentWidget(label)
        self.set_address("")
        self.set_tools(0, 0)
        self.set_conversations(0)
        self.set_waiting(0)

    def set_address(self, address: str) -> None:
        self._address.setText(f"Listening on {address}" if address else "Not listening")

    def set_tools(self, total: int, enabled: int) -> None:
        self._tools.setText(_counted(total, "tool") + (f", {enabled:,} enabled" if enabled != total else ""))

    def set_conversations(self, count: int) -> None:
        self._conversations.setText(_counted(count, "conversation"))

    def set_waiting(self, count: int) -> None:
        self._waiting.setText(f"{count} waiting" if count else "Nothing waiting")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


_SIZE: Final = (1280, 800)
_SIDE_WIDTHS: Final = (290, 240)
_APPROVALS: Final = "approvals"
_APPROVALS_HEIGHT: Final = 300
_LAYOUT_VERSION: Final = 3
"""Raised when docks change their names: an older layout is then not restored."""


@dataclass(frozen=True, slots=True)
class Panels:
    """The parts that the window arranges; whoever builds the program hands them in."""

    tools: QWidget
    conversations: QWidget
    conversation: QWidget
    composer: QWidget
    approvals: QWidget
    pages: tuple[Page, ...] = ()
    panes: tuple[Pane, ...] = ()
    notices: tuple[QWidget, ...] = ()
    """Lines above everything else, which come and go by themselves."""


class MainWindow(QMainWindow):
    closed = Signal()
    """The window was closed by the person; whether the program ends is not its business."""
    quit_requested = Signal()
    new_conversation_requested = Signal()
    demo_requested = Signal()
    waiting_requested = Signal()
    """The person wants to see the call that is up for decision."""

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, settings: QSettings, panels: Panels) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("Callgate")
        self.setWindowTitle("Callgate")
        self._console, self._bridge, self._theme = console, bridge, theme
        self._settings, self._panels = settings, panels
        self.may_close: Callable[[], bool] = lambda: True
        """Set by whoever decides whether closing it would end the program with something lost."""
        self._conversations: set[str] = set()
        self._waiting = 0
        self.actions_of_window = Actions(self, panels.pages, panels.panes)
        self.banner = FaultBanner(theme)
        self.welcome = WelcomePage(theme)
        self.places = PlaceBar(theme, _places(panels))
        self.bar = Toolbar(
            console, theme, self.actions_of_window.palette, self.actions_of_window.switch_theme, self.places
        )
        self.gate_question = GateQuestion(console, theme)
        self.notice = SavedNotice(console, theme)
        self.status = StatusLine()
        self._centre = Centre(self.welcome, panels.conversation, panels.composer, panels.pages)
        self._tools = Dock("toolsDock", "Tools", panels.tools, theme)
        self._conversation_list = Dock("conversationsDock", "Conversations", panels.conversations, theme)
        self._approvals = Dock("approvalsDock", "Approvals", panels.approvals, theme)
        self._extra = ExtraPanes(self, self._approvals, panels.panes, theme)
        self._folding = Folding(self, self._tools, self._conversation_list, _SIDE_WIDTHS)
        self._build()
        self._connect()
        self._restore()
        self._count_tools()
        self._count_waiting()
        # the loop may not run yet while windows are built
        self._first_turn = QTimer(self)
        self._first_turn.setSingleShot(True)
        self._first_turn.timeout.connect(self.recount)
        self._first_turn.start(0)

    def set_address(self, address: str, note: str = "") -> None:
        """Where programs reach Callgate; empty = nowhere, and the note says why."""
        self.bar.address.set_address(address, note)
        self.status.set_address(address)
        self.welcome.set_address(address)

    def show_conversation(self, conversation_id: str, *, behind: bool = False) -> None:
        """Brings up the conversation, or the welcome page where there is none; `behind` a page that is being read."""
        self._centre.show_conversation(bool(conversation_id), behind=behind)

    def show_approvals(self) -> None:
        self._bring_up(self._approvals, self._panels.approvals)

    def show_pane(self, name: str) -> None:
        """At the bottom it gets the keyboard; at the right the keyboard stays with what it is about."""
        pane = self._extra.bring_up(name)
        if pane.area == "bottom":
            _focus(pane.widget)

    def show_page(self, name: str) -> None:
        _focus(self._centre.show_page(name))

    def leave_page(self) -> None:
        """Back to where one talks."""
        self._centre.talk()
        _focus(self._panels.composer)

    def come_up(self) -> None:
        """In front of the person, from wherever it was."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def save_layout(self) -> None:
        self._settings.setValue("window/geometry", self.saveGeometry())
        self._settings.setValue("window/state", self.saveState(_LAYOUT_VERSION))

    def set_theme(self, mode: Mode) -> None:
        """Remembered between runs."""
        self._theme.set_mode(mode)
        self._settings.setValue("theme/mode", mode)

    def reset_layout(self) -> None:
        size = self.size()
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self._approvals)
        for dock in self._docks:
            dock.setFloating(False)
        self._folding.place(self._room(self.width()))
        # a waiting call is seen on its card, in the toolbar and in its dialog; the queue is for who wants all of them
        self._approvals.hide()
        self.resizeDocks([self._approvals], [_APPROVALS_HEIGHT], Qt.Orientation.Vertical)
        self._extra.place()
        self.resize(size)  # for a moment all panes stood side by side, and the window grew to hold them

    def apply(self, batch: tuple[Event, ...]) -> None:
        """What concerns the whole window: counts and the address."""
        waiting = tools = False
        for event in batch:
            match event:
                case ProxyChanged():
                    self.set_address(event.address, event.note)
                case InvocationChanged():
                    waiting = True
                case ToolsChanged():
                    tools = True
                case ExchangeStarted():
                    self._conversations.add(event.conversation_id)
                    self.status.set_conversations(len(self._conversations))
                case _:
                    pass
        if waiting:
            self._count_waiting()
        if tools:
            self._count_tools()

    # ---- Qt ------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self.save_layout()
        if not self.may_close():
            event.ignore()
            return
        event.accept()
        self.closed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bridge.set_hidden(self.isMinimized())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._bridge.set_hidden(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._bridge.set_hidden(self.isMinimized() or not self.isVisible())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._folding.fit(self._room(event.size().width()))

    def _fit(self) -> None:
        self._folding.fit(self._room(self.width()))

    def _room(self, width: int) -> int:
        """What the panes at the right leave to the others."""
        return width - self._extra.taken

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape comes here only where nothing nearer had a use for it."""
        if event.key() == Qt.Key.Key_Escape:
            self.actions_of_window.back.trigger()
        else:
            super().keyPressEvent(event)

    # ---- building ------------------------------------------------------------------------------------------------

    @property
    def _docks(self) -> tuple[Dock, ...]:
        return (self._tools, self._conversation_list, self._approvals, *self._extra.docks.values())

    @property
    def _docks_by_name(self) -> dict[str, Dock]:
        """Those that come and go."""
        return {_APPROVALS: self._approvals, **self._extra.docks}

    def _build(self) -> None:
        self._centre.arrange((self.banner, self.gate_question, *self._panels.notices), self.notice)
        self.setCentralWidget(self._centre)
        self.addToolBar(self.bar)
        self.setStatusBar(self.status)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.actions_of_window.fill(self.menuBar(), [dock.toggleViewAction() for dock in self._docks])
        self.resize(*_SIZE)
        self.reset_layout()

    def _connect(self) -> None:
        actions = self.actions_of_window
        actions.quit.triggered.connect(self.quit_requested)
        actions.new_conversation.triggered.connect(self._new_conversation)
        actions.focus_tools.triggered.connect(lambda: self._bring_up(self._tools, self._panels.tools))
        actions.focus_conversations.triggered.connect(
            lambda: self._bring_up(self._conversation_list, self._panels.conversations)
        )
        actions.focus_conversation.triggered.connect(self._focus_centre)
        actions.focus_approvals.triggered.connect(self.show_approvals)
        for pane in self._panels.panes:
            actions.of_panes[pane.name].triggered.connect(partial(self.show_pane, pane.name))
        for page in self._panels.pages:
            actions.of_pages[page.name].triggered.connect(partial(self.show_page, page.name))
        self._extra.moved.connect(self._fit)
        self.places.asked.connect(self._toggle_place)
        self._centre.page_changed.connect(self._mark_pages)
        for name, dock in self._docks_by_name.items():
            dock.visibilityChanged.connect(partial(self._mark_pane, name))
        actions.filter_tools.triggered.connect(self._focus_filter)
        actions.switch_theme.triggered.connect(self._switch_theme)
        actions.reset_layout.triggered.connect(self.reset_layout)
        actions.back.triggered.connect(self._back)
        self.bar.waiting_clicked.connect(self.waiting_requested)
        self.bar.gate.observe_wanted.connect(self.gate_question.ask)
        self.welcome.demo_requested.connect(self.demo_requested)
        self._bridge.batch.connect(self.apply)
        for part in (self.banner, self.bar.gate, self.notice):
            self._bridge.batch.connect(part.apply)

    def _restore(self) -> None:
        mode = self._settings.value("theme/mode")
        if mode in ("dark", "light"):
            self._theme.set_mode("dark" if mode == "dark" else "light")
        geometry, state = self._settings.value("window/geometry"), self._settings.value("window/state")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(state, QByteArray):
            self.restoreState(state, _LAYOUT_VERSION)
            self._folding.look()

    # ---- what the person does ------------------------------------------------------------------------------------

    def _bring_up(self, dock: Dock, content: QWidget) -> None:
        dock.show()
        dock.raise_()
        _focus(content)

    def _toggle_place(self, name: str) -> None:
        """Shows a pane or page, or leaves it where it is what is seen."""
        if name == self._centre.page or self._is_wide(name):
            self.leave_page()
        elif (dock := self._docks_by_name.get(name)) is None:
            self.show_page(name)
        elif dock.isVisible() and not dock.visibleRegion().isEmpty():
            dock.close()
        elif name == _APPROVALS:
            self.show_approvals()
        else:
            self.show_pane(name)

    def _mark_pages(self, shown: str) -> None:
        for page in self._panels.pages:
            self.places.set_shown(page.name, page.name == shown)
            if page.pane:
                self._mark_pane(page.pane, self._docks_by_name[page.pane].isVisible())

    def _mark_pane(self, name: str, shown: bool) -> None:
        self.places.set_shown(name, shown or self._is_wide(name))

    def _is_wide(self, name: str) -> bool:
        """Whether the wide form of a pane has the centre."""
        return any(page.pane == name and page.name == self._centre.page for page in self._panels.pages)

    def _focus_centre(self) -> None:
        _focus(self._centre.talk())

    def _focus_filter(self) -> None:
        self._bring_up(self._tools, self._panels.tools)
        field = self._filter_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def _back(self) -> None:
        """One step out: clears a filter that is being typed, else returns to where one writes."""
        field = self._filter_field()
        if field is not None and field.hasFocus() and field.text():
            field.clear()
        else:
            self.leave_page()

    def _filter_field(self) -> QLineEdit | None:
        return self._panels.tools.findChild(QLineEdit, "toolFilter")

    def _new_conversation(self) -> None:
        self.show_conversation("")
        self.new_conversation_requested.emit()
        _focus(self._panels.composer)

    def _switch_theme(self) -> None:
        self.set_theme("light" if self._theme.is_dark else "dark")

    # ---- keeping up ----------------------------------------------------------------------------------------------

    def recount(self) -> None:
        """Asks again how many conversations there are: at the start, and when one was forgotten."""
        self._bridge.start(self._count_conversations(), self, "counting conversations")

    async def _count_conversations(self) -> None:
        self._conversations = set()
        self._conversations |= {summary.id for summary in await self._console.conversations()}
        self.status.set_conversations(len(self._conversations))

    def _count_waiting(self) -> None:
        count = len(self._console.waiting())
        self._waiting = count
        self.bar.set_waiting(count)
        self.status.set_waiting(count)
        self._approvals.set_count(f"{count} waiting" if count else "")
        self.setWindowTitle(f"({count}) Callgate" if count else "Callgate")

    def _count_tools(self) -> None:
        tools = self._console.tools()
        self.status.set_tools(len(tools), sum(tool.enabled for tool in tools))


def _places(panels: Panels) -> tuple[Place, ...]:
    """What has a button in the bar at the top: what is at the edges first, then what takes the centre."""
    queue = Place(_APPROVALS, "Approvals", "inbox", "Ctrl+4")
    rest = (*panels.panes, *panels.pages)
    return (queue, *(Place(place.name, place.title, place.icon, place.shortcut) for place in rest if place.icon))


def _focus(widget: QWidget) -> None:
    """Gives a panel the keyboard: itself, its proxy, or the first part of it that takes it."""
    if widget.focusProxy() is not None or widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return
    for child in widget.findChildren(QWidget):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and child.isEnabled():
            child.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
