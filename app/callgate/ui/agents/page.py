"""The page of agents: those that can prove their names, and the way to give one a token.

Shows the engine's tokens and sends it what the person wants; the text of a token is held only until it is closed.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.errors import UserFault
from callgate.core.events import AgentsChanged, Event
from callgate.engine.console.console import Console
from callgate.ui.agents.token_box import TokenBox
from callgate.ui.agents.token_row import TokenRow
from callgate.ui.bridge import Bridge
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XL, L, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_WIDEST: Final = 780
_WHY: Final = (
    "Any program can claim any name. A token proves it: rules that allow a named agent, its conversations and its "
    "stored replies are for that agent alone. Rules that ask or deny count for claimed names too."
)
_NOTHING_YET: Final = (
    "No agent has a token",
    "All names are claimed, and rules that allow a named agent do not count. Enter a name above to make a token.",
)


class AgentsPage(QWidget):
    closed = Signal()
    """The person is done here."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        address: Callable[[], str],
        now: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("agentsPage")
        self.setAccessibleName("Agents")
        as_pane(self)
        self._service, self._theme = console.agents, theme
        self._address, self._now = address, now
        self.rows: list[TokenRow] = []
        self._build()
        self._arrange()
        theme.changed.connect(self._draw)
        bridge.batch.connect(self.apply)
        self._draw()
        self.refresh()

    def add_agent(self, name: str = "") -> None:
        """Ready for a name: nothing is made before the person says so."""
        if name:
            self.name.setText(name)
        self.name.setFocus()
        self.name.selectAll()

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self.isVisible() and any(isinstance(event, AgentsChanged) for event in batch):
            self.refresh()

    def refresh(self) -> None:
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [TokenRow(view, self._now(), self._theme) for view in self._service.tokens()]
        for row in self.rows:
            row.revoke_requested.connect(self._revoke)
            self._list.addWidget(row)
        self._say(self._service.problem)
        self.empty.setVisible(not self.rows and not self.fresh.isVisibleTo(self))

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.name = QLineEdit()
        self.name.setObjectName("agentName")
        self.name.setAccessibleName("Name of the agent")
        self.name.setPlaceholderText("Name, as rules spell it: claude-code")
        self.name.returnPressed.connect(self._make)
        self.make = QPushButton("Make token")
        self.make.setObjectName("makeTokenButton")
        self.make.setProperty("kind", "primary")
        self.make.setAutoDefault(False)
        self.make.clicked.connect(self._make)
        self._close = QToolButton()
        self._close.setObjectName("closeAgents")
        self._close.setToolTip("Back to the conversation (Esc)")
        self._close.setAccessibleName("Close agents")
        self._close.setIconSize(self._theme.icon_size)
        self._close.clicked.connect(self.closed)
        self.problem = plain_label("", "danger", wrap=True, selectable=True)
        self.problem.setObjectName("agentProblem")
        self.fresh = TokenBox(self._theme)
        self.fresh.hide()
        self.fresh.closed.connect(self.refresh)
        self.empty = EmptyState(self._theme, "key", *_NOTHING_YET)
        self.setFocusProxy(self.name)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, 0)
        head.setSpacing(S)
        head.addWidget(plain_label("Agents", "heading"))
        head.addWidget(plain_label("who can prove their name", "secondary"))
        head.addStretch(1)
        head.addWidget(self._close)
        entry = QHBoxLayout()
        entry.setSpacing(S)
        entry.addWidget(self.name, 1)
        entry.addWidget(self.make)
        self._list = QVBoxLayout()
        self._list.setSpacing(S)
        sheet = QWidget()
        sheet.setMaximumWidth(_WIDEST)
        column = QVBoxLayout(sheet)
        column.setContentsMargins(L, S, L, XL)
        column.setSpacing(M)
        column.addWidget(plain_label(_WHY, "secondary", wrap=True))
        column.addLayout(entry)
        column.addWidget(self.problem)
        column.addWidget(self.fresh)
        column.addLayout(self._list)
        column.addWidget(self.empty, 1)
        column.addStretch(0)
        body = QWidget()
        sides = QHBoxLayout(body)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.addWidget(sheet, 100)
        sides.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        as_pane(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(M)
        whole.addLayout(head)
        whole.addWidget(scroll, 1)

    def _draw(self) -> None:
        self._close.setIcon(self._theme.icon("close"))

    # ---- what the person does --------------------------------------------------------------------------------------

    def _make(self) -> None:
        name = self.name.text().strip()
        try:
            token = self._service.add(name)
        except UserFault as fault:
            self._say(str(fault))
            return
        self.name.clear()
        self.fresh.show_token(name, self._address(), token)
        self.refresh()

    def _revoke(self, token_id: str) -> None:
        problem = ""
        try:
            self._service.revoke(token_id)
        except UserFault as fault:
            problem = str(fault)
        self.refresh()
        if problem:
            self._say(problem)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # the person has left the page
            self.fresh.forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
