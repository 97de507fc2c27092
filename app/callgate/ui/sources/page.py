"""The page of sources: all of them at the left, the chosen one at the right, and the ways to new ones above.

Shows the engine's sources and sends it what the person wants; holds no sources of its own.
"""

import asyncio
from collections.abc import Coroutine
from functools import cached_property, partial
from typing import Any, Final, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.errors import UserFault
from callgate.core.events import Event, SourceChanged, ToolsChanged
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.sources.add_dialog import AddDialog
from callgate.ui.sources.command_dialog import CommandDialog
from callgate.ui.sources.detail import SourceDetail
from callgate.ui.sources.import_dialog import ImportDialog
from callgate.ui.sources.source_list import SourceList
from callgate.ui.sources.toolset_dialog import ToolsetDialog
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState
from callgate.ui.widgets.undo_line import UndoLine

_LIST_WIDTH: Final = 280
_LEAST_LIST: Final = 200


class SourcesPage(QWidget):
    closed = Signal()
    """The person is done here."""
    tool_requested = Signal(str)
    """All about a tool of a source is to be shown: its name."""

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sourcesPage")
        self.setAccessibleName("Sources")
        as_pane(self)
        self._console, self._bridge, self._theme = console, bridge, theme
        self._service = console.sources
        self._checking: asyncio.Task[None] | None = None
        self._build()
        self._arrange()
        self._connect()
        self._draw()
        self.refresh()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        service, theme = self._service, self._theme
        self.add = _button("addSourceButton", "Add source…", "primary")
        self.take = _button("importSourcesButton", "Import…")
        self.command = _button("addCommandButton", "Add command tool…")
        self.sets = _button("toolsetsButton", "Toolsets…")
        self._close = QToolButton()
        self._close.setObjectName("closeSources")
        self._close.setToolTip("Back to the conversation (Esc)")
        self._close.setAccessibleName("Close sources")
        self._close.setIconSize(theme.icon_size)
        # each part in its place from the start: Qt dresses all that is in a widget anew whenever it gets another parent
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._right = QStackedWidget(self._split)
        self.list = SourceList(theme, self._split)
        self.list.setMinimumWidth(_LEAST_LIST)
        self.detail = SourceDetail(service, theme, self._right)
        self.empty = EmptyState(
            theme,
            "source",
            "Add your first source",
            "Sources are where tools come from: MCP servers, command lines, and programs that register their own. "
            "Paste a command, an address or any configuration, or import what other programs use.",
            "Add source…",
            self._right,
        )
        self.undo = UndoLine(theme)
        self.undo.hide()

    # ---- dialogs that are built when they are first asked for: the page opens without a stall ------------------------

    @cached_property
    def add_dialog(self) -> AddDialog:
        dialog = AddDialog(self._service, self._bridge, self._theme, self)
        dialog.added.connect(self._was_added)
        return dialog

    @cached_property
    def import_dialog(self) -> ImportDialog:
        dialog = ImportDialog(self._service, self._bridge, self._theme, self)
        dialog.added.connect(self._was_added)
        return dialog

    @cached_property
    def command_dialog(self) -> CommandDialog:
        dialog = CommandDialog(self._service, self._bridge, self._theme, self)
        dialog.added.connect(self._was_added)
        return dialog

    @cached_property
    def toolset_dialog(self) -> ToolsetDialog:
        return ToolsetDialog(self._service.toolsets, self._console.tools, self._theme, self)

    # ---- arranging -------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, 0)
        head.setSpacing(S)
        head.addWidget(plain_label("Sources", "heading"))
        head.addStretch(1)
        for widget in (self.add, self.take, self.command, self.sets, self._close):
            head.addWidget(widget)
        self._right.addWidget(self.empty)
        self._right.addWidget(self.detail)
        split = self._split
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self._right)
        split.setStretchFactor(1, 1)
        split.setSizes([_LIST_WIDTH, 2 * _LIST_WIDTH])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addLayout(head)
        column.addWidget(split, 1)
        column.addWidget(self.undo)
        self.setFocusProxy(self.list.view)

    def _connect(self) -> None:
        self.add.clicked.connect(self.add_source)
        self.empty.button.clicked.connect(self.add_source)
        self.take.clicked.connect(self.import_sources)
        self.command.clicked.connect(self.add_command)
        self.sets.clicked.connect(self.edit_toolsets)
        self._close.clicked.connect(self.closed)
        self.list.selected.connect(self._show)
        self.list.remove_requested.connect(partial(self._do, "remove"))
        self.list.menu_requested.connect(self.detail.show_menu)
        self.detail.verb.connect(self._do)
        self.detail.enable_requested.connect(self._enable)
        self.detail.tools.opened.connect(self.tool_requested)
        self._theme.changed.connect(self._draw)
        self._bridge.batch.connect(self.apply)

    def _draw(self) -> None:
        self.add.setIcon(self._theme.icon("add", "surface"))
        self._close.setIcon(self._theme.icon("close"))

    # ---- what is shown ---------------------------------------------------------------------------------------------

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self.isVisible() and any(isinstance(event, SourceChanged | ToolsChanged) for event in batch):
            self.refresh()

    def refresh(self) -> None:
        views = self._service.sources()
        if any(view.origin in ("config", "added") for view in views):
            self.empty.set_texts("No source is chosen", "Choose one at the left to see how it is doing.")
        self.list.set_views(views)
        current = self.list.current
        self._show(current.name if current is not None else "")
        if "toolset_dialog" in vars(self) and self.toolset_dialog.isVisible():
            self.toolset_dialog.refresh()

    def show_source(self, name: str) -> None:
        """Brings a source into view."""
        self.refresh()
        self.list.choose(name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _show(self, name: str) -> None:
        view = self._service.source(name) if name else None
        if self.detail.name != name:
            self._stop_checking()
        if view is not None:
            self.detail.show_view(view, tuple(tool for tool in self._console.tools() if tool.source == name))
        self._right.setCurrentWidget(self.detail if view is not None else self.empty)

    # ---- ways to new ones ------------------------------------------------------------------------------------------

    def add_source(self) -> None:
        self.add_dialog.open_for()
        _raise(self.add_dialog)

    def import_sources(self) -> None:
        self.import_dialog.look()
        _raise(self.import_dialog)

    def add_command(self) -> None:
        self.command_dialog.start_new()
        _raise(self.command_dialog)

    def edit_toolsets(self) -> None:
        _raise(self.toolset_dialog)
        self.toolset_dialog.refresh()

    def _was_added(self, name: str, note: str) -> None:
        self.show_source(name)
        if note:
            self.undo.tell(note)

    # ---- verbs -----------------------------------------------------------------------------------------------------

    def _do(self, verb: str) -> None:
        current = self.list.current
        if current is None:
            return
        name = current.name
        match verb:
            case "start":
                self._run(self._service.start(name), f"starting {name}")
            case "stop":
                self._run(self._service.stop(name), f"stopping {name}")
            case "restart":
                self._run(self._service.restart(name), f"starting {name} again")
            case "remove":
                self._run(self._remove(name), f"removing {name}")
            case "check":
                self._check(name)
            case "cancel":
                self._stop_checking()
            case "edit":
                self.add_dialog.edit(name)
                _raise(self.add_dialog)
            case _:
                self._copy(name, "toml" if verb == "copyToml" else "servers")

    def _enable(self, enabled: bool) -> None:
        current = self.list.current
        if current is not None:
            self._run(self._service.enable(current.name, enabled), f"switching {current.name}")

    def _run(self, work: Coroutine[Any, Any, None], what: str) -> None:
        self._bridge.start(self._guarded(work), self, what)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except UserFault as fault:
            self.undo.tell(str(fault))
        self.refresh()

    async def _remove(self, name: str) -> None:
        await self._service.remove(name)
        self.undo.tell(f"Removed: {name}", lambda: self._run(self._service.restore(name), f"bringing {name} back"))

    def _copy(self, name: str, shape: Literal["servers", "toml"]) -> None:
        try:
            QGuiApplication.clipboard().setText(self._service.configuration(name, shape))
        except UserFault as fault:
            self.undo.tell(str(fault))
        else:
            self.undo.tell(f"The configuration of {name} is on the clipboard; secrets are left out.")

    # ---- the doctor ------------------------------------------------------------------------------------------------

    def _check(self, name: str) -> None:
        self._stop_checking()
        self.detail.set_checking(True)
        self.detail.doctor.begin()
        task = self._bridge.start(self._examine(name), self, f"checking {name}")
        self._checking = task
        task.add_done_callback(self._checked)

    async def _examine(self, name: str) -> None:
        settings = self._service.settings(name)
        if settings is None:
            return
        self.detail.doctor.end(await self._service.examine(settings, self.detail.doctor.show_step))

    def _checked(self, task: "asyncio.Task[None]") -> None:
        if task is self._checking:
            self._checking = None
            self.detail.set_checking(False)

    def _stop_checking(self) -> None:
        task, self._checking = self._checking, None
        if task is not None:
            task.cancel()
            self.detail.doctor.stop("The check was stopped.")
            self.detail.set_checking(False)

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.list.filter.text():
                self.list.filter.clear()
            else:
                self.closed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


def _button(name: str, text: str, kind: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    if kind:
        button.setProperty("kind", kind)
    return button


def _raise(dialog: QDialog) -> None:
    """In front, also where it was open behind the window."""
    if dialog.isVisible():
        dialog.raise_()
    dialog.show()
    dialog.activateWindow()
