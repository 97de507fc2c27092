"""One source: how it is doing, its verbs, and tabs for what it says and offers. Sends verbs on; does nothing itself."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.tool import Tool
from callgate.engine.sources.source_service import SourceService, SourceView
from callgate.ui.sources.doctor_view import DoctorView
from callgate.ui.sources.log_view import LogView
from callgate.ui.sources.state_look import (
    ERA_WORDS,
    KIND_WORDS,
    ORIGIN_WORDS,
    STATE_LOOKS,
    TRANSPORT_WORDS,
    state_words,
)
from callgate.ui.sources.tool_rows import ToolRows
from callgate.ui.sources.wire_view import WireView
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.fact_grid import FactGrid
from callgate.ui.widgets.tick_box import TickBox
from callgate.ui.widgets.wrapping_row import WrappingRow

# What is known of a source, as names and values.
NAMES = ("Address", "Command", "Programs", "Kind", "Server", "Protocol", "Process", "From", "Last error")
CODE = frozenset({"Command", "Address"})


def facts_of(view: SourceView, now: float) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said: dict[str, str] = {}
    if view.where:
        address = view.kind == "mcp" and view.where.startswith(("http://", "https://"))
        said["Address" if address else "Command" if view.kind == "mcp" else "Programs"] = view.where
    said["Kind"] = " over ".join(filter(None, (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])))
    if view.server:
        said["Server"] = f"{view.server} {view.version}".strip()
    if view.era:
        revision = f"MCP {view.protocol}, " if view.protocol else ""
        said["Protocol"] = f"{revision}{ERA_WORDS[view.era]}"
    if view.pid is not None:
        said["Process"] = str(view.pid)
    said["From"] = ORIGIN_WORDS[view.origin]
    if view.last_error and view.state != "failed":
        said["Last error"] = f"{view.last_error} ({figures.ago(view.last_error_at, now)})"
    return said


_TICK_MS: Final = 1000


class SourceDetail(QWidget):
    verb = Signal(str)
    """start, stop, restart, check, cancel, edit, remove, copy or copyToml."""
    enable_requested = Signal(bool)

    def __init__(
        self,
        service: SourceService,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._theme, self._now = theme, now
        self._view: SourceView | None = None
        self.title = plain_label("", "heading", selectable=True)
        self.title.setObjectName("sourceTitle")
        self._icon = QLabel()
        self.state = plain_label("", "secondary", wrap=True)
        self.state.setObjectName("sourceState")
        self.reason = plain_label("", "danger", wrap=True, selectable=True)
        self.reason.setObjectName("sourceReason")
        self.start = self._button("sourceStart", "Start", "start")
        self.stop = self._button("sourceStop", "Stop", "stop")
        self.restart = self._button("sourceRestart", "Restart", "restart")
        self.check = self._button("sourceCheck", "Check connection", "check")
        self.check.setToolTip("Starts the server a second time for the check; the one that runs is not disturbed")
        self.edit = self._button("sourceEdit", "Edit…", "edit")
        self.copy = self._button("sourceCopy", "Copy configuration", "copy")
        self.remove = self._button("sourceRemove", "Remove", "remove", "danger")
        self.more = QToolButton()
        self.more.setObjectName("sourceMore")
        self.more.setAccessibleName("More")
        self.more.setToolTip("More")
        self.more.setIconSize(theme.icon_size)
        self.enabled = TickBox(theme, "Enabled")
        self.enabled.setObjectName("sourceEnabled")
        self.enabled.setToolTip("Off: none of its tools is offered, now and whenever Callgate starts")
        self.tabs = QTabWidget(self)
        self._scroll = QScrollArea(self.tabs)
        self._body = QWidget(self._scroll)
        self.facts = FactGrid(theme, NAMES, CODE, self._body)
        self.doctor = DoctorView(theme, self._body)
        self.log = LogView(service, theme, self.tabs)
        self.wire = WireView(service, theme, self.tabs)
        self.tools = ToolRows(theme, self.tabs)
        self.tabs.setObjectName("sourceTabs")
        self._checking = False
        self._arrange()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._count_down)
        self.enabled.clicked.connect(self.enable_requested)
        self.more.clicked.connect(lambda: self.show_menu(self.more.mapToGlobal(QPoint(0, self.more.height()))))
        theme.changed.connect(self._draw)

    def _button(self, name: str, text: str, verb: str, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(lambda: self.verb.emit("cancel" if verb == "check" and self._checking else verb))
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, 0)
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self.title)
        head.addWidget(self.state, 1)
        head.addWidget(self.enabled)
        head.addWidget(self.more)
        verbs = WrappingRow(S)
        for button in (self.start, self.stop, self.restart, self.check, self.edit, self.copy, self.remove):
            verbs.add(button)
        row = QVBoxLayout()
        row.setContentsMargins(L, 0, M, S)
        row.setSpacing(S)
        row.addWidget(self.reason)
        row.addWidget(verbs)
        body, scroll = self._body, self._scroll
        inner = QVBoxLayout(body)
        inner.setContentsMargins(L, M, L, L)
        inner.setSpacing(L)
        inner.addWidget(self.facts)
        inner.addWidget(self.doctor)
        inner.addStretch(1)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        as_pane(body)
        scroll.setWidget(body)
        self.tabs.addTab(scroll, "Overview")
        self.tabs.addTab(self.log, "Log")
        self.tabs.addTab(self.wire, "Wire")
        self.tabs.addTab(self.tools, "Tools")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(head)
        column.addLayout(row)
        column.addWidget(self.tabs, 1)

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._view.name if self._view is not None else ""

    def show_view(self, view: SourceView, tools: tuple[Tool, ...]) -> None:
        if self._view is None or self._view.name != view.name:
            self.doctor.clear()
            self.set_checking(False)
        self._view = view
        self.title.setText(reveal(view.name))
        self.reason.setText(reveal(view.reason))
        self.reason.setVisible(bool(view.reason) and view.state in ("failed", "restarting", "starting"))
        set_tone(self.reason, "danger" if view.state == "failed" else "secondary")
        self.facts.show_facts(facts_of(view, self._now()))
        own = view.origin in ("config", "added")
        idle = view.state in ("stopped", "off", "failed")
        for widget, shown in (
            (self.start, view.runs and idle),
            (self.stop, view.runs and (not idle or view.retry_at is not None)),
            (self.restart, view.runs and not idle),
            (self.check, own),
            (self.copy, own),
            (self.edit, view.removable),
            (self.remove, view.removable),
            (self.enabled, own),
            (self.more, own),
        ):
            widget.setVisible(shown)
        self.start.setText("Try again" if view.state == "failed" else "Start")
        self.enabled.setChecked(view.enabled)
        for tab, shown in ((1, view.runs), (2, view.runs)):
            self.tabs.setTabVisible(tab, shown)
        self.tabs.setTabText(3, f"Tools ({len(tools)})" if tools else "Tools")
        self.log.show_source(view.name if view.runs else "")
        self.wire.show_source(view.name if view.runs else "")
        self.tools.show_tools(tools, view.problems)
        self._draw()

    def set_checking(self, checking: bool) -> None:
        self._checking = checking
        self.check.setText("Stop checking" if checking else "Check connection")
        if checking:
            self.tabs.setCurrentIndex(0)

    def show_menu(self, place: QPoint) -> None:
        view = self._view
        if view is None or view.origin not in ("config", "added"):
            return
        menu = QMenu(self)
        menu.setObjectName("sourceMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if view.runs and view.state in ("stopped", "off", "failed"):
            menu.addAction("Start", lambda: self.verb.emit("start"))
        elif view.runs:
            menu.addAction("Stop", lambda: self.verb.emit("stop"))
            menu.addAction("Restart", lambda: self.verb.emit("restart"))
        menu.addAction("Check connection", lambda: self.verb.emit("check"))
        menu.addSeparator()
        if view.removable:
            menu.addAction("Edit…", lambda: self.verb.emit("edit"))
        if view.kind == "mcp":
            menu.addAction("Copy configuration as JSON", lambda: self.verb.emit("copy"))
        menu.addAction("Copy configuration as TOML", lambda: self.verb.emit("copyToml"))
        if view.removable:
            menu.addSeparator()
            menu.addAction("Remove", lambda: self.verb.emit("remove"))
        menu.popup(place)

    def _count_down(self) -> None:
        if self._view is not None:
            self.state.setText(state_words(self._view, self._now()))

    def _draw(self) -> None:
        self.more.setIcon(self._theme.icon("more"))
        view = self._view
        if view is None:
            return
        look = STATE_LOOKS[view.state]
        self._icon.setPixmap(self._theme.icon(look.icon, look.color).pixmap(self._theme.icon_size))
        self.state.setText(state_words(view, self._now()))
        if view.retry_at is not None:
            self._tick.start()
        else:
            self._tick.stop()
