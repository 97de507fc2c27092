"""The page of endpoints: all of them at the left, the chosen one at the right, and the way to new ones above.

Shows the engine's endpoints and sends it what the person wants; holds no endpoints of its own.
"""

import asyncio
from collections.abc import Coroutine
from functools import cached_property
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.errors import UserFault
from callgate.core.events import EndpointsChanged, Event
from callgate.engine.console.console import Console
from callgate.engine.endpoints.endpoint_service import Done
from callgate.ui.bridge import Bridge
from callgate.ui.endpoints.detail import EndpointDetail
from callgate.ui.endpoints.edit_dialog import EndpointDialog
from callgate.ui.endpoints.endpoint_list import EndpointList
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState
from callgate.ui.widgets.undo_line import UndoLine

_LIST_WIDTH: Final = 280
_LEAST_LIST: Final = 200
_NOTHING_YET: Final = (
    "Only the demo model answers",
    "It calls real tools, but it is no language model. Add a provider, or a model server on this machine: it answers "
    "from then on, without a restart.",
)
_NOT_CHOSEN: Final = ("No endpoint is chosen", "Choose one at the left to see how it is doing.")


class EndpointsPage(QWidget):
    closed = Signal()
    """The person is done here."""

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("endpointsPage")
        self.setAccessibleName("Endpoints")
        as_pane(self)
        self._bridge, self._theme = bridge, theme
        self._service = console.endpoints
        self._checking: dict[str, asyncio.Task[None]] = {}
        self._build()
        self._arrange()
        self._connect()
        self._draw()
        self.refresh()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme
        self.add = QPushButton("Add endpoint…")
        self.add.setObjectName("addEndpointButton")
        self.add.setProperty("kind", "primary")
        self.add.setAutoDefault(False)
        self._close = QToolButton()
        self._close.setObjectName("closeEndpoints")
        self._close.setToolTip("Back to the conversation (Esc)")
        self._close.setAccessibleName("Close endpoints")
        self._close.setIconSize(theme.icon_size)
        self.problems = plain_label("", "danger", wrap=True, selectable=True)
        self.problems.setObjectName("endpointProblems")
        self.problems.setContentsMargins(L, 0, L, 0)
        # each part in its place from the start: Qt dresses all that is in a widget anew whenever it gets another parent
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._right = QStackedWidget(self._split)
        self.list = EndpointList(theme, self._split)
        self.list.setMinimumWidth(_LEAST_LIST)
        self.detail = EndpointDetail(theme, self._right)
        self.empty = EmptyState(theme, "endpoint", *_NOTHING_YET, "Add endpoint…", self._right)
        self.undo = UndoLine(theme)
        self.undo.hide()

    @cached_property
    def dialog(self) -> EndpointDialog:
        """Built when it is first asked for: the page opens without a stall."""
        dialog = EndpointDialog(self._service, self._bridge, self._theme, self)
        dialog.kept.connect(self._was_kept)
        return dialog

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, 0)
        head.setSpacing(S)
        head.addWidget(plain_label("Endpoints", "heading"))
        head.addWidget(plain_label("who answers your programs", "secondary"))
        head.addStretch(1)
        head.addWidget(self.add)
        head.addWidget(self._close)
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
        column.addWidget(self.problems)
        column.addWidget(split, 1)
        column.addWidget(self.undo)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self.add.clicked.connect(lambda: self.add_endpoint())
        self.empty.button.clicked.connect(lambda: self.add_endpoint())
        self._close.clicked.connect(self.closed)
        self.list.selected.connect(self._show)
        self.list.remove_requested.connect(lambda: self._do("remove"))
        self.list.edit_requested.connect(lambda: self._do("edit"))
        self.list.menu_requested.connect(self.detail.show_menu)
        self.detail.verb.connect(self._do)
        self.detail.key_entered.connect(self._set_key)
        self._theme.changed.connect(self._draw)
        self._bridge.batch.connect(self.apply)

    def _draw(self) -> None:
        self.add.setIcon(self._theme.icon("add", "surface"))
        self._close.setIcon(self._theme.icon("close"))

    # ---- what is shown ---------------------------------------------------------------------------------------------

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self.isVisible() and any(isinstance(event, EndpointsChanged) for event in batch):
            self.refresh()

    def refresh(self) -> None:
        views = self._service.endpoints()
        alone = all(view.origin == "demo" for view in views)
        self.empty.set_texts(*(_NOTHING_YET if alone else _NOT_CHOSEN))
        self.list.set_views(views)
        problems = self._service.problems()
        self.problems.setText(reveal("\n".join(problems)))
        self.problems.setVisible(bool(problems))
        current = self.list.current
        self._show(current.name if current is not None else "")

    def show_endpoint(self, name: str) -> None:
        """Brings an endpoint into view."""
        self.refresh()
        self.list.choose(name)

    def add_endpoint(self, preset: str = "") -> None:
        self.dialog.start_new(preset)
        self._raise_dialog()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _show(self, name: str) -> None:
        view = self._service.endpoint(name) if name else None
        if view is not None:
            self.detail.show_view(view)
        self._right.setCurrentWidget(self.detail if view is not None else self.empty)

    def _raise_dialog(self) -> None:
        """In front, also where it was open behind the window."""
        if self.dialog.isVisible():
            self.dialog.raise_()
        self.dialog.show()
        self.dialog.activateWindow()

    # ---- verbs -----------------------------------------------------------------------------------------------------

    def _do(self, verb: str) -> None:
        current = self.list.current
        if current is None or current.origin == "demo":
            return
        name = current.name
        match verb:
            case "check":
                self._check(name)
            case "cancel":
                self._stop_checking(name)
            case "edit" if current.editable:
                self.dialog.edit(name)
                self._raise_dialog()
            case "remove":
                self._run(self._remove(name), f"removing {name}")
            case "forget":
                self._run(self._forget_key(name), f"forgetting the key of {name}")
            case "copy":
                QGuiApplication.clipboard().setText(self._service.configuration(name))
                self.undo.tell(f"{name} is on the clipboard, for callgate.toml; there is no key in it.")
            case _:
                self.undo.tell(f"{name} stands in the configuration file: change it there.")

    def _run(self, work: Coroutine[Any, Any, None], what: str) -> "asyncio.Task[None]":
        return self._bridge.start(self._guarded(work), self, what)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except UserFault as fault:
            self.undo.tell(str(fault))
        self.refresh()

    async def _remove(self, name: str) -> None:
        self._tell(f"Removed: {name}.", name, await self._service.remove(name))
        if all(view.origin == "demo" for view in self._service.endpoints()):
            self.list.clearSelection()  # the demo model is nobody's choice: what to do next is said instead

    async def _forget_key(self, name: str) -> None:
        self._tell(f"The key of {name} is forgotten.", name, await self._service.forget_key(name))

    def _set_key(self, key: str) -> None:
        self._run(self._keep_key(self.detail.name, key), "keeping a key")

    async def _keep_key(self, name: str, key: str) -> None:
        self._tell(f"The key of {name} is kept.", name, await self._service.set_key(name, key))

    def _was_kept(self, name: str, is_new: bool, done: Done) -> None:
        self.show_endpoint(name)
        self._tell(f"Added: {name}. It answers from now on." if is_new else f"Changed: {name}.", name, done)

    def _tell(self, words: str, name: str, done: Done) -> None:
        def back() -> None:
            self._run(self._go_back(done.change, name), "taking a change back")

        self.undo.tell(f"{words} {done.note}".strip(), back)

    async def _go_back(self, change: int, name: str) -> None:
        await self._service.undo(change)
        self.show_endpoint(name)

    # ---- checking --------------------------------------------------------------------------------------------------

    def _check(self, name: str) -> None:
        self._stop_checking(name)
        task = self._run(self._examine(name), f"checking {name}")
        self._checking[name] = task
        task.add_done_callback(lambda done: self._checked(name, done))

    async def _examine(self, name: str) -> None:
        await self._service.check(name)

    def _checked(self, name: str, task: "asyncio.Task[None]") -> None:
        if self._checking.get(name) is task:
            del self._checking[name]

    def _stop_checking(self, name: str) -> None:
        """Whoever began it: an endpoint that was just added is asked by itself."""
        self._service.stop_checking(name)
        task = self._checking.pop(name, None)
        if task is not None:
            task.cancel()
        self.detail.finding.stop()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
