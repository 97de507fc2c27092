"""The wire inspector: what an exchange's client sent and got, what its endpoint got and sent, and what lies between.

Loads the bytes of the exchange that it is told to show, while it is on screen; follows them while they still come.
"""

from typing import Final

from PySide6.QtCore import QSettings, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event, FrameCaptured, ProxyChanged, WireCaptured
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.traffic.inspector.captured import Captures, added, captures
from callgate.ui.traffic.inspector.copy_as import (
    as_curl,
    as_python,
    client_call,
    client_har,
    upstream_call,
    upstream_har,
)
from callgate.ui.traffic.inspector.diff_view import DiffView
from callgate.ui.traffic.inspector.head import InspectorHead, Place
from callgate.ui.traffic.inspector.leg_panes import WHICH, LegPanes, Which
from callgate.ui.traffic.inspector.mcp_view import McpView
from callgate.ui.traffic.inspector.sent_tools_view import SentToolsView
from callgate.ui.traffic.inspector.wire_pane import Mode, WirePane
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.empty_state import EmptyState

DEFAULT_ADDRESS: Final = "http://127.0.0.1:8080"
_REFRESH_MS: Final = 300
"""How often a growing stream is shown again: often enough to follow, rarely enough to read."""
_NARROWEST: Final = 280
_ABOVE: Final = 150
"""How much of the height stands above the panes."""
_WHICH_KEYS: Final = {True: "inspector/panes", False: "inspector/panes_narrow"}
"""By whether there is room."""
_SIZES_KEY: Final = "inspector/sizes"
_MODES: Final[tuple[tuple[Mode, str], ...]] = (
    ("structure", "Structure"),
    ("raw", "Raw"),
    ("events", "Events"),
    ("headers", "Headers"),
)
_REQUEST, _RESPONSE, _TOOLS, _CHANGES, _MCP = range(5)
_TITLES: Final = ("Request", "Response", "Tools sent", "Changes", "MCP")


class WireInspector(QWidget):
    move_requested = Signal()
    """The person wants it elsewhere: on a page, or at the side."""
    leave_requested = Signal()
    """The person has seen enough of it."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        settings: QSettings | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("wireInspector")
        self.setAccessibleName("Wire inspector")
        as_pane(self)
        self.setMinimumWidth(_NARROWEST)
        self._console, self._bridge, self._settings = console, bridge, settings
        self._address = DEFAULT_ADDRESS
        self.row: TrafficRow | None = None
        self.held: Captures = {}
        self._loaded = ""
        """The exchange whose bytes are held."""
        self._loading = ""
        self._meanwhile: list[WireCaptured] = []
        """What was captured while it was being read."""
        self.head = InspectorHead(theme)
        self.tabs = QTabBar()
        self.modes = QButtonGroup(self)
        self.which = ChoiceBox(theme, "Panes on show", WHICH)
        self.panes = LegPanes(console.wire_service, bridge, theme)
        self.changes = DiffView(bridge, theme)
        self.sent_tools = SentToolsView(theme)
        self.mcp = McpView(console.wire_service, bridge, theme)
        self._tab_before = _REQUEST
        """Where one was before a call to an MCP server was chosen."""
        self._wanted_message = ("", "")
        """The invocation and the message to be shown once its row is here."""
        self._told_tools: tuple[str, int, bool] | None = None
        """The exchange and round whose tools are on show, and whether they were told after it had gone out."""
        self._pages = QStackedWidget()
        self._mode_bar = QWidget()
        self._empty = EmptyState(theme, "network", "No exchange selected", "Select a row of the traffic table.")
        self._stack = QStackedWidget()
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._build()
        self._connect()
        self._recall()

    @property
    def round_box(self) -> ChoiceBox:
        return self.head.round_box

    @property
    def copy_button(self) -> QToolButton:
        return self.head.copy_button

    @property
    def client_request(self) -> WirePane:
        return self.panes.client_request

    @property
    def upstream_request(self) -> WirePane:
        return self.panes.upstream_request

    @property
    def upstream_response(self) -> WirePane:
        return self.panes.upstream_response

    @property
    def client_response(self) -> WirePane:
        return self.panes.client_response

    @property
    def number(self) -> int:
        """The round on show."""
        return self.head.number

    def set_place(self, place: Place) -> None:
        self.head.set_place(place)

    def show_row(self, row: TrafficRow | None) -> None:
        """Shows an exchange, or the round that the row stands for."""
        is_other = row is None or self.row is None or row.exchange_id != self.row.exchange_id
        is_round = row is not None and bool(row.round) and (self.row is None or row.id != self.row.id)
        changed = row is not None and (self.row is None or row.id != self.row.id)
        self.row = row
        self._stack.setCurrentIndex(0 if row is None else 1)
        if row is None:
            self.head.show_none()
            return
        if is_other:
            self.held, self._loaded = {}, ""
        if is_round:
            self.head.choose_round(row.round)
        self.head.show_row(row)
        self._show_calls(row, row.call if changed else "")
        if self.isVisible():
            self._load()

    def show_message(self, invocation_id: str, frame_id: str) -> None:
        """A message of a call to an MCP server: of the exchange on show, or of the one that is shown next."""
        self._wanted_message = (invocation_id, frame_id)
        if self.row is not None:
            self._show_calls(self.row, "")

    def apply(self, batch: tuple[Event, ...]) -> None:
        fresh: list[WireCaptured] = []
        frames = [event for event in batch if isinstance(event, FrameCaptured)]
        if frames:
            self.mcp.apply(frames)
        for event in batch:
            if isinstance(event, ProxyChanged) and event.address:
                self._address = event.address
            elif isinstance(event, WireCaptured) and event.exchange_id == self._loaded:
                fresh.append(event)
            elif isinstance(event, WireCaptured) and event.exchange_id == self._loading:
                self._meanwhile.append(event)
        if fresh:
            self.held = added(self.held, fresh)
            if not self._refresh.isActive():
                self._refresh.start()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.panes.fit(event.size().width(), event.size().height() - _ABOVE)
        self._show_which()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        for title in _TITLES:
            self.tabs.addTab(title)
        self.tabs.setAccessibleName("Direction")
        self.tabs.setExpanding(False)
        for page in (*self.panes.splits, self.sent_tools, self.changes, self.mcp):
            self._pages.addWidget(page)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._build_modes())
        column.addWidget(self._pages, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self._stack, 1)
        self.setFocusProxy(self.tabs)
        self._show_tab(_REQUEST)

    def _build_modes(self) -> QWidget:
        row = QHBoxLayout(self._mode_bar)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(2)
        for number, (_, title) in enumerate(_MODES):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setChecked(number == 0)
            self.modes.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.which)
        return self._mode_bar

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._show_tab)
        self.modes.idClicked.connect(self._show_mode)
        self.which.currentIndexChanged.connect(self._choose_which)
        for split in self.panes.splits:
            split.splitterMoved.connect(lambda _place, _border, split=split: self._keep_sizes(split))
        self.head.round_chosen.connect(self._show_panes)
        self.head.copy_wanted.connect(self._copy)
        self.head.move_requested.connect(self.move_requested)
        self.head.leave_requested.connect(self.leave_requested)
        self._refresh.timeout.connect(self._show_captures)
        self._bridge.batch.connect(self.apply)

    # ---- loading ---------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        QTimer.singleShot(0, self, self._start_loading)  # the loop may not run yet while windows are built

    def _start_loading(self) -> None:
        row = self.row
        if row is None or row.exchange_id in (self._loaded, self._loading):
            return
        self._loading = row.exchange_id
        self._bridge.start(self._fetch(row.exchange_id), self, "loading captured bytes")

    async def _fetch(self, exchange_id: str) -> None:
        # what was published up to now is among what will be read, and what is published from now on is not
        self._bridge.flush()
        self._meanwhile.clear()
        events = await self._console.wire(exchange_id)
        self._bridge.flush()
        if self._loading != exchange_id:
            return  # another one has been asked for
        self._loading = ""
        if self.row is None or self.row.exchange_id != exchange_id:
            return
        self.held, self._loaded = captures([*events, *self._meanwhile]), exchange_id
        self._show_captures()

    # ---- showing ---------------------------------------------------------------------------------------------------

    def _show_calls(self, row: TrafficRow, chosen: str) -> None:
        """Calls that went to an MCP server have one more wire to show; of such a call it is the one that matters.

        `chosen`: the call that the row stands for.
        """
        calls = [call for call in row.calls if self._console.wire_service.is_mcp(call.source)]
        if calls:
            self.mcp.show_calls(calls, chosen)
        elif self.tabs.currentIndex() == _MCP:
            self.tabs.setCurrentIndex(self._tab_before)  # first: a tab that goes hands over to its neighbour
        self.tabs.setTabVisible(_MCP, bool(calls))
        invocation_id, frame_id = self._wanted_message
        if invocation_id and any(call.id == invocation_id for call in calls):
            self._wanted_message = ("", "")
            self.mcp.show_message(invocation_id, frame_id)
            chosen = invocation_id
        if chosen and calls and self.tabs.currentIndex() != _MCP:
            self._tab_before = self.tabs.currentIndex()
            self.tabs.setCurrentIndex(_MCP)

    def _show_captures(self) -> None:
        rounds = sorted({number for _, number in self.held if number})
        wanted = self.row.round if self.row is not None and self.row.round else self.round_box.currentData()
        self.head.set_rounds(rounds, wanted or 1)
        self._show_panes()

    def _show_panes(self) -> None:
        if self.row is None:
            return
        self.panes.show(self.row, self.held, self.number)
        self._show_page(self.tabs.currentIndex())

    def _show_tab(self, tab: int) -> None:
        self._mode_bar.setVisible(tab in (_REQUEST, _RESPONSE))
        self._pages.setCurrentIndex(tab)
        for mode_number, (mode, _) in enumerate(_MODES):
            if mode == "events":
                self.modes.button(mode_number).setVisible(tab == _RESPONSE)
                if tab == _REQUEST and self.modes.checkedId() == mode_number:
                    self.modes.button(0).setChecked(True)
                    self._show_mode(0)
        self._show_page(tab)

    def _show_page(self, tab: int) -> None:
        """What takes work is done for the tab that is looked at."""
        if self.row is None:
            return
        if tab == _CHANGES:
            self.changes.show_sides(self.panes.sides(), *self.panes.usual_sides())
        elif tab == _TOOLS:
            QTimer.singleShot(0, self, self._start_telling)

    def _show_mode(self, number: int) -> None:
        self.panes.set_mode(_MODES[number][0])

    def _start_telling(self) -> None:
        row = self.row
        if row is None or not self._loaded:
            return
        asked = (row.exchange_id, self.number, ("upstream_request", self.number) in self.held)
        if asked != self._told_tools:
            self._told_tools = asked
            self._bridge.start(self._tell_tools(*asked[:2]), self, "looking up the tools of a round")

    async def _tell_tools(self, exchange_id: str, number: int) -> None:
        told = await self._console.wire_service.tools_sent(exchange_id, number)
        if self._told_tools is not None and self._told_tools[:2] == (exchange_id, number):
            self.sent_tools.show_tools(told)

    # ---- remembering -----------------------------------------------------------------------------------------------

    def _recall(self) -> None:
        if self._settings is None:
            return
        known: dict[str, Which] = {which: which for _, which in WHICH}
        chosen: dict[bool, Which] = {}
        for roomy, key in _WHICH_KEYS.items():
            if (which := known.get(str(self._settings.value(key)))) is not None:
                chosen[roomy] = which
        sizes = str(self._settings.value(_SIZES_KEY) or "").split()
        self.panes.remember(chosen, [int(size) for size in sizes if size.isdecimal()])
        self._show_which()

    def _show_which(self) -> None:
        self.which.blockSignals(True)
        self.which.choose(self.panes.which)
        self.which.blockSignals(False)

    def _choose_which(self) -> None:
        self.panes.show_only(self.which.currentData())
        if self._settings is not None:
            for roomy, which in self.panes.choices.items():
                self._settings.setValue(_WHICH_KEYS[roomy], which)

    def _keep_sizes(self, split: QSplitter) -> None:
        self.panes.keep_sizes(split)
        if self._settings is not None:
            self._settings.setValue(_SIZES_KEY, " ".join(map(str, self.panes.sizes)))

    # ---- copying ---------------------------------------------------------------------------------------------------

    def _copy(self, side: str, form: str) -> None:
        text = self._copied(side, form)
        if text:
            QGuiApplication.clipboard().setText(text)
        self.head.say("Copied" if text else "Not captured")

    def _copied(self, side: str, form: str) -> str:
        row = self.row
        if row is None:
            return ""
        is_client = side == "client"
        if form == "har" and is_client:
            return client_har(row, self.held, self._address)
        if form == "har":
            return upstream_har(row, self.number, self.held)
        call = client_call(row, self.held, self._address) if is_client else upstream_call(row, self.number, self.held)
        if call is None:
            return ""
        return as_curl(call) if form == "curl" else as_python(call)
