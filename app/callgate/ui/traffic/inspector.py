"""The wire inspector: what an exchange's client sent and got, what its endpoint got and sent, and what lies between.

Loads the bytes of the exchange that it is told to show, while it is on screen; follows them while they still come.
"""

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event, ProxyChanged, WireCaptured
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.choice_box import ChoiceBox
from callgate.ui.empty_state import EmptyState
from callgate.ui.pane import as_pane
from callgate.ui.plain_text import plain_label, set_plain_tip
from callgate.ui.reveal import reveal
from callgate.ui.theme import XS, M, S, Theme
from callgate.ui.traffic.captured import Captures, added, captures
from callgate.ui.traffic.copy_as import as_curl, as_har, as_python, client_call, upstream_call
from callgate.ui.traffic.diff_view import DiffView
from callgate.ui.traffic.leg_panes import WHICH, LegPanes
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.sent_tools_view import SentToolsView
from callgate.ui.traffic.wire_pane import Mode, WirePane

DEFAULT_ADDRESS: Final = "http://127.0.0.1:8080"
_REFRESH_MS: Final = 300
"""How often a growing stream is shown again: often enough to follow, rarely enough to read."""
_NARROWEST: Final = 280
_MODES: Final[tuple[tuple[Mode, str], ...]] = (
    ("structure", "Structure"),
    ("raw", "Raw"),
    ("events", "Events"),
    ("headers", "Headers"),
)
_REQUEST, _RESPONSE, _TOOLS, _CHANGES = range(4)
_TITLES: Final = ("Request", "Response", "Tools sent", "Changes")


class WireInspector(QWidget):
    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wireInspector")
        self.setAccessibleName("Wire inspector")
        as_pane(self)
        self.setMinimumWidth(_NARROWEST)
        self._console, self._bridge, self._theme = console, bridge, theme
        self._address = DEFAULT_ADDRESS
        self.row: TrafficRow | None = None
        self.held: Captures = {}
        self._loaded = ""
        """The exchange whose bytes are held."""
        self._loading = ""
        self._title = plain_label("", "strong", wrap=True)
        self._notes = plain_label(tone="hint", wrap=True)
        self.round_box = ChoiceBox(theme, "Round")
        self.copy_button = QToolButton()
        self.tabs = QTabBar()
        self.modes = QButtonGroup(self)
        self.which = ChoiceBox(theme, "Panes on show", WHICH)
        self.panes = LegPanes(console.wire_desk, bridge, theme)
        self.changes = DiffView(bridge, theme)
        self.sent_tools = SentToolsView(theme)
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
        return int(self.round_box.currentData() or 1)

    def show_row(self, row: TrafficRow | None) -> None:
        """Shows an exchange, or the round that the row stands for."""
        is_other = row is None or self.row is None or row.exchange_id != self.row.exchange_id
        is_round = row is not None and bool(row.round) and (self.row is None or row.id != self.row.id)
        self.row = row
        self._stack.setCurrentIndex(0 if row is None else 1)
        if row is None:
            return
        if is_other:
            self.held, self._loaded = {}, ""
        if is_round:
            self._choose_round(row.round)
        self._show_words(row)
        if self.isVisible():
            self._load()

    def apply(self, batch: tuple[Event, ...]) -> None:
        fresh: list[WireCaptured] = []
        for event in batch:
            if isinstance(event, ProxyChanged) and event.address:
                self._address = event.address
            elif isinstance(event, WireCaptured) and event.exchange_id == self._loaded:
                fresh.append(event)
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
        self.panes.fit(event.size().width())

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.copy_button.setText("Copy as…")
        self.copy_button.setProperty("kind", "bordered")
        self.copy_button.setAccessibleName("Copy the request as…")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._copy_menu())
        for title in _TITLES:
            self.tabs.addTab(title)
        self.tabs.setAccessibleName("Direction")
        self.tabs.setExpanding(False)
        for page in (*self.panes.splits, self.sent_tools, self.changes):
            self._pages.addWidget(page)
        top = QHBoxLayout()
        top.setContentsMargins(M, S, S, 0)
        top.setSpacing(S)
        top.addWidget(self._title, 1)
        top.addWidget(self.round_box)
        top.addWidget(self.copy_button)
        notes = QHBoxLayout()
        notes.setContentsMargins(M, 2, M, XS)
        notes.addWidget(self._notes)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(notes)
        column.addWidget(self.tabs)
        column.addWidget(self._build_modes())
        column.addWidget(self._pages, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
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

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Client request as curl", lambda: self._copy("client", "curl"))
        menu.addAction("Client request as Python", lambda: self._copy("client", "python"))
        menu.addAction("Exchange as HAR entry", lambda: self._copy("client", "har"))
        menu.addSeparator()
        menu.addAction("Upstream request as curl", lambda: self._copy("upstream", "curl"))
        menu.addAction("Upstream request as Python", lambda: self._copy("upstream", "python"))
        return menu

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._show_tab)
        self.modes.idClicked.connect(self._show_mode)
        self.which.currentIndexChanged.connect(lambda _: self.panes.show_only(self.which.currentData()))
        self.round_box.currentIndexChanged.connect(lambda _: self._show_panes())
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
        events = await self._console.wire(exchange_id)
        # what is still queued for the next batch is among what was read: hand it out now, while it is ignored
        self._bridge.flush()
        if self._loading == exchange_id:
            self._loading = ""
        if self.row is None or self.row.exchange_id != exchange_id:
            return
        self.held, self._loaded = captures(events), exchange_id
        self._show_captures()

    # ---- showing ---------------------------------------------------------------------------------------------------

    def _show_words(self, row: TrafficRow) -> None:
        self._title.setText(reveal(f"{row.agent} → {row.endpoint or '…'} · {row.model}"))
        notes: list[str] = []
        if row.upstream_wire:
            notes.append("bytes unchanged" if row.untouched else f"{row.wire} → {row.upstream_wire}")
        if row.fault is not None:
            notes.append(f"{row.fault.http_status}: {row.fault.message}")
        notes.extend(f"mended: {repair}" for repair in row.repairs)
        notes.extend(f"not told: {warning}" for warning in row.warnings)
        self._notes.setText(reveal(" · ".join(notes)))
        set_plain_tip(self._title, f"Exchange {row.exchange_id}")

    def _show_captures(self) -> None:
        rounds = sorted({number for _, number in self.held if number})
        known = [self.round_box.itemData(place) for place in range(self.round_box.count())]
        if rounds != known:
            wanted = self.row.round if self.row is not None and self.row.round else self.round_box.currentData()
            self.round_box.blockSignals(True)
            self.round_box.clear()
            for number in rounds:
                self.round_box.addItem(f"Round {number}", number)
            self.round_box.blockSignals(False)
            self._choose_round(wanted or 1)
        self.round_box.setVisible(len(rounds) > 1)
        self._show_panes()

    def _choose_round(self, number: int) -> None:
        place = self.round_box.findData(number)
        if place >= 0:
            self.round_box.setCurrentIndex(place)

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
        told = await self._console.wire_desk.tools_sent(exchange_id, number)
        if self._told_tools is not None and self._told_tools[:2] == (exchange_id, number):
            self.sent_tools.show_tools(told)

    # ---- copying ---------------------------------------------------------------------------------------------------

    def _copy(self, side: str, form: str) -> None:
        row = self.row
        if row is None:
            return
        if form == "har":
            QGuiApplication.clipboard().setText(as_har(row, self.held, self._address))
            return
        call = (
            client_call(row, self.held, self._address)
            if side == "client"
            else upstream_call(row, self.number, self.held)
        )
        if call is not None:
            QGuiApplication.clipboard().setText(as_curl(call) if form == "curl" else as_python(call))
