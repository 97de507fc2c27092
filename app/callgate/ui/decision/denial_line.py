"""A denial that was just made without a reason: for a few seconds its reason can still be given.

The call is denied whatever happens here. A chip or Enter sends a reason; Esc, the button and the end of the countdown
send none. While something stands in the field, the countdown stands still.
"""

import math
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.engine.console.console import Console
from callgate.ui.decision.panels import DENY_REASONS, ReasonField
from callgate.ui.decision.verb_keys import CONFIRM
from callgate.ui.text.hidden_characters import reveal_name
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, XS, M, S, Theme
from callgate.ui.widgets.held_focus import hold_focus
from callgate.ui.widgets.wrapping_row import WrappingRow

_TICK_MS: Final = 200


class DenialLine(QFrame):
    began = Signal()
    ended = Signal()
    """Its result has gone out."""

    def __init__(self, console: Console, theme: Theme, initiator: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("denialLine")
        self.setProperty("notice", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._console, self._theme, self._initiator = console, theme, initiator
        self._denied = ""
        """The call whose reason can still be given; empty = there is none."""
        self._build()
        self._arrange()
        keys = QShortcut(self)
        keys.setKeys([QKeySequence(key) for key in CONFIRM])
        keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)  # it approves nothing from inside a denial
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._count)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def is_open(self) -> bool:
        return bool(self._denied)

    def show_denial(self, invocation: Invocation) -> None:
        """A call that was just denied here; where its reason can't be given any more, nothing is shown."""
        if self._console.late_reasons.left(invocation.id) is None:
            return
        self._denied = invocation.id
        words = f"Denied {reveal_name(invocation.tool)}. Add a reason for the model?"
        self._words.setText(words)
        self.setAccessibleName(words)
        self.field.clear()
        self._count()
        self.show()
        self._timer.start()
        self.began.emit()
        if not self._console.waiting() and self.isActiveWindow():
            # else the keyboard belongs to the next call
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """It is not shown any more; the countdown goes on without it."""
        if self._denied:
            self._console.late_reasons.write(self._denied, False)
            self._close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._send("")
            event.accept()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.leave()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._icon = QLabel()
        self._words = plain_label("", wrap=True)
        self._words.setObjectName("denialWords")
        self._left = plain_label("", "hint")
        self._left.setObjectName("denialCountdown")
        self._chips = WrappingRow(XS)
        for reason in DENY_REASONS:
            chip = QPushButton(reason)
            chip.setAutoDefault(False)
            chip.setToolTip("Send this reason now")
            chip.clicked.connect(lambda _=False, words=reason: self._send(words))
            self._chips.add(chip)
        self.field = ReasonField()
        self.field.setObjectName("lateReason")
        self.field.setAccessibleName("Reason for the denial, told to the model")
        self.field.setPlaceholderText("Why not? Enter sends it")
        self.field.confirmed.connect(lambda: self._send(self.field.text()))
        self.field.textChanged.connect(self._write)
        self._now = QPushButton("Send now")
        self._now.setObjectName("sendDenialButton")
        self._now.setAutoDefault(False)
        self._now.setToolTip("Tell the model now; without a reason if none is written (Esc sends none)")
        self._now.clicked.connect(lambda: self._send(self.field.text()))

    def _arrange(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(S)
        first.addWidget(self._icon)
        first.addWidget(self._words, 1)
        first.addWidget(self._left)
        last = QHBoxLayout()
        last.setSpacing(S)
        last.addWidget(self.field, 1)
        last.addWidget(self._now)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(S)
        column.addLayout(first)
        column.addWidget(self._chips)
        column.addLayout(last)

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("denied", "denied").pixmap(ICON, ICON))

    # ---- while it is open ------------------------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        if self._denied:
            self._console.late_reasons.write(self._denied, bool(text))
            self._count()

    def _count(self) -> None:
        left = self._console.late_reasons.left(self._denied)
        if left is None:
            self._close()
        elif self.field.text():
            self._left.setText("Enter sends it")
        else:
            self._left.setText(f"Sent without one in {math.ceil(left)} s")

    def _send(self, reason: str) -> None:
        denied = self._denied
        if denied:
            self._console.late_reasons.give(denied, reason, self._initiator)
            self._close()

    def _close(self) -> None:
        self._denied = ""
        self._timer.stop()
        parent = self.parentWidget()
        if self.field.hasFocus() and parent is not None:
            parent.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            hold_focus(self)
        self.hide()
        self.ended.emit()
