"""Beside the verbs of a call that may do harm: says so, and takes the tool's typed name instead of a long press."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.risk import high_risk
from callgate.core.calls.tool_facts import tool_of
from callgate.engine.console.console import Console
from callgate.ui.text.hidden_characters import reveal, reveal_name
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, S, Theme


class RiskRow(QWidget):
    changed = Signal()
    """The typed name fits now, or does not any more."""
    confirmed = Signal()
    """Enter was pressed on a name that fits."""

    def __init__(self, console: Console, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._console, self._theme = console, theme
        self._tool = ""
        self._risk = ""
        self._icon = QLabel()
        self._words = plain_label("", "danger", wrap=True)
        self._words.setObjectName("riskWords")
        self.field = _NameField()
        self.field.setObjectName("typedName")
        self.field.setAccessibleName("Type the tool's name to approve")
        self.field.textChanged.connect(lambda _: self.changed.emit())
        self.field.entered.connect(self._enter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        row.addWidget(self.field)
        theme.changed.connect(self._draw)
        self._draw()

    @property
    def fits(self) -> bool:
        return bool(self._tool) and self.field.text().strip() == self._tool

    @property
    def risk(self) -> str:
        """Why approving the call needs more than a click; empty = it does not."""
        return self._risk

    def weigh(self, invocation: Invocation | None) -> None:
        """Looks at another call; whatever was typed for the one before is gone."""
        self._tool = "" if invocation is None else invocation.tool
        self._risk = "" if invocation is None else high_risk(invocation, tool_of(invocation, self._console.tools()))
        self._words.setText(f"{reveal(self._risk).rstrip('.')}. Press and hold, or type the tool's name.")
        self.field.clear()
        self.field.setPlaceholderText(reveal_name(self._tool))
        set_plain_tip(self.field, f"Type {self._tool} to approve with a plain press")

    def ask(self) -> None:
        """Something wanted to approve that was neither a long press nor the name."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _enter(self) -> None:
        if self.fits:
            self.confirmed.emit()

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("danger", "denied").pixmap(ICON, ICON))


class _NameField(QLineEdit):
    """Takes Enter for itself: it must reach nothing else."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~_KEYPAD:
            event.accept()
            self.entered.emit()
        else:
            super().keyPressEvent(event)


_KEYPAD = Qt.KeyboardModifier.KeypadModifier
