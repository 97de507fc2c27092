"""A word of warning before the gate is opened, and for how long: asked in the window's own place, never in a dialog."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from callgate.core.gate_mode import GateMode
from callgate.engine.console.console import Console
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_SPANS: Final = (("for 15 minutes", 900.0), ("for 1 hour", 3600.0), ("until I change it", None))
WARNING: Final = "Observe only: calls run without asking you, and only rules that deny stop one."


class GateQuestion(QFrame):
    def __init__(
        self,
        console: Console,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("gateQuestion")
        self.setAccessibleName("Open the gate?")
        self.setProperty("banner", True)
        self._console, self._theme, self._now = console, theme, now
        self._guard = ClickGuard(self, arm_ms)
        self._icon = QLabel()
        self._span = ChoiceBox(theme, "How long the gate stays open", _SPANS)
        self._span.setObjectName("observeSpan")
        self._open = GuardedButton("Open the gate", self._guard)
        self._open.setObjectName("openGate")
        self._open.setProperty("kind", "danger")
        self._open.setEnabled(self._guard.armed)
        self._open.clicked.connect(self._confirm)
        self._guard.armed_changed.connect(self._open.setEnabled)
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("keepGate")
        self._cancel.setProperty("kind", "quiet")
        self._cancel.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(plain_label(WARNING, wrap=True), 1)
        for widget in (self._span, self._open, self._cancel):
            row.addWidget(widget)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    def ask(self) -> None:
        """The short time first: longer is a choice of its own."""
        self._span.reset()
        self.show()
        self._cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _confirm(self) -> None:
        seconds = self._span.currentData()
        self.hide()
        self._console.set_gate_mode(GateMode("observe", None if seconds is None else self._now() + seconds))

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "denied").pixmap(ICON, ICON))
