"""What is known of a call's tool from before: how the call differs from the last one, and whether the tool changed.

Asks the engine when another call is shown; an answer that comes late for one is dropped.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.rule_words import rule_words
from callgate.engine.console.console import Console
from callgate.engine.console.rule_service import CallBackground
from callgate.ui.approvals.since_last import since_last
from callgate.ui.bridge import Bridge
from callgate.ui.decision.definition_box import DefinitionBox
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, XS, S, Theme

_PAUSE_MS: Final = 30
"""Who walks through a list does not wait for past calls to be read."""
_ALL: Final = 50
"""Changes that a tool tip can hold."""


class BackgroundBox(QWidget):
    def __init__(
        self,
        console: Console,
        theme: Theme,
        bridge: Bridge | None,
        parent: QWidget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`bridge`: without it nothing is asked, and nothing shown."""
        super().__init__(parent)
        self._console, self._theme, self._bridge, self._now = console, theme, bridge, now
        self._shown = ("", "")
        self._wanted: Invocation | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self._icon = QLabel()
        self._since = plain_label("", "secondary", selectable=True, wrap=True)
        self._since.setObjectName("sinceLast")
        self.definition = DefinitionBox(theme, unfolded=True)
        self._line = QWidget()
        row = QHBoxLayout(self._line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._since, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.definition)
        column.addWidget(self._line)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def since(self) -> str:
        return self._since.text() if not self.isHidden() else ""

    def show_invocation(self, invocation: Invocation) -> None:
        asked = (invocation.id, f"{invocation.state} {invocation.fingerprint}")
        if asked == self._shown:
            return
        self._shown = asked
        self.hide()
        self._wanted = invocation if invocation.state == "WaitingForConfirmation" else None
        self._pause.start()

    def _look(self) -> None:
        wanted, self._wanted = self._wanted, None
        if self._bridge is not None and self._bridge.can_start and wanted is not None:
            self._bridge.start(self._load(wanted, self._shown), self, "looking at past calls")

    async def _load(self, invocation: Invocation, asked: tuple[str, str]) -> None:
        background = await self._console.rule_service.background(invocation)
        if asked == self._shown:
            self._show(invocation, background)

    def _show(self, invocation: Invocation, background: CallBackground) -> None:
        last, change = background.last, background.change
        if last is not None:
            self._since.setText(since_last(last, invocation, self._now()))
            set_plain_tip(self._since, since_last(last, invocation, self._now(), _ALL))
        self._line.setVisible(last is not None)
        if invocation.change is not None and invocation.change.definition:
            change = None  # the same difference is shown as what changed while the call was there
        grants = "; ".join(rule_words(rule) for rule in background.suspended)
        self.definition.show_change(change, f"So this no longer counts: {grants}." if grants else "")
        self.setVisible(last is not None or change is not None)

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("retry", "text3").pixmap(ICON, ICON))
