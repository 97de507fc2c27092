"""The wire inspector: what an exchange's client sent and got, what its endpoint got and sent, and what lies between.

Loads the bytes of the exchange that it is told to show, while it is on screen; follows them while they still come.
"""

import asyncio
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event, Leg, ProxyChanged, WireCaptured
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
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.wire_pane import Mode, WirePane

DEFAULT_ADDRESS: Final = "http://127.0.0.1:8080"
_REFRESH_MS: Final = 300
"""How often a growing stream is shown again: often enough to follow, rarely enough to read."""
_SIDE_BY_SIDE: Final = 700
"""Width from which two panes stand beside each other."""
_NARROWEST: Final = 280
_MODES: Final[tuple[tuple[Mode, str], ...]] = (
    ("structure", "Structure"),
    ("raw", "Raw"),
    ("events", "Events"),
    ("headers", "Headers"),
)
_REQUEST, _RESPONSE, _CHANGES = range(3)


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
        turn = asyncio.Lock()
        self.client_request = WirePane(bridge, theme, "Client request", turn)
        self.upstream_request = WirePane(bridge, theme, "Upstream request", turn)
        self.upstream_response = WirePane(bridge, theme, "Upstream response", turn)
        self.client_response = WirePane(bridge, theme, "Client response", turn)
        self.changes = DiffView(bridge, theme)
        self._splits = (QSplitter(), QSplitter())
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
    def panes(self) -> tuple[WirePane, ...]:
        return self.client_request, self.upstream_request, self.upstream_response, self.client_response

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
        wide = event.size().width() >= _SIDE_BY_SIDE
        for split in self._splits:
            split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.copy_button.setText("Copy as…")
        self.copy_button.setProperty("kind", "bordered")
        self.copy_button.setAccessibleName("Copy the request as…")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._copy_menu())
        for title in ("Request", "Response", "Changes"):
            self.tabs.addTab(title)
        self.tabs.setAccessibleName("Direction")
        self.tabs.setExpanding(False)
        pairs = ((self.client_request, self.upstream_request), (self.upstream_response, self.client_response))
        for split, pair in zip(self._splits, pairs, strict=True):
            split.setOrientation(Qt.Orientation.Vertical)
            split.setChildrenCollapsible(False)
            for pane in pair:
                split.addWidget(pane)
            self._pages.addWidget(split)
        self._pages.addWidget(self.changes)
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
        number = self.number
        keys: tuple[tuple[Leg, int], ...] = (
            ("client_request", 0),
            ("upstream_request", number),
            ("upstream_response", number),
            ("client_response", 0),
        )
        found = [self.held.get(key) for key in keys]
        sent = [capture.at if capture is not None else 0.0 for capture in (found[0], found[1], found[1], found[0])]
        same = found[0] is not None and found[1] is not None and found[0].data == found[1].data
        echoed = found[2] is not None and found[3] is not None and found[2].data == found[3].data
        words = ("", "client's" if same else "", "", "provider's" if echoed else "")
        for pane, capture, since, same_as in zip(self.panes, found, sent, words, strict=True):
            pane.show_capture(capture, since, same_as)
        self._share_room()
        if self.tabs.currentIndex() == _CHANGES:
            self._show_changes()

    def _show_tab(self, tab: int) -> None:
        self._mode_bar.setVisible(tab != _CHANGES)
        self._pages.setCurrentIndex(tab)
        for mode_number, (mode, _) in enumerate(_MODES):
            if mode == "events":
                self.modes.button(mode_number).setVisible(tab == _RESPONSE)
                if tab == _REQUEST and self.modes.checkedId() == mode_number:
                    self.modes.button(0).setChecked(True)
                    self._show_mode(0)
        if tab == _CHANGES:
            self._show_changes()

    def _show_mode(self, number: int) -> None:
        for pane in self.panes:
            pane.set_mode(_MODES[number][0])
        self._share_room()

    def _share_room(self) -> None:
        """A pane that has nothing of its own to show leaves its room to the other."""
        for split in self._splits:
            panes = [split.widget(place) for place in range(split.count())]
            idle = [isinstance(pane, WirePane) and pane.is_idle for pane in panes]
            if idle != split.property("idle"):
                split.setProperty("idle", idle)
                split.setSizes([1 if is_idle and not all(idle) else 1000 for is_idle in idle])

    def _show_changes(self) -> None:
        read = {pane.capture.key: pane.body for pane in self.panes if pane.capture is not None}
        self.changes.show_captures(self.held, ("client_request", 0), ("upstream_request", self.number), read)

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
