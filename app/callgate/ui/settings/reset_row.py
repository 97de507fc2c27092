"""Forgetting all grants at once: asked for in its place, with a word about what goes and what stays."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, M, S, Theme


class ResetRow(QFrame):
    confirmed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, arm_ms: int = ARM_MS) -> None:
        super().__init__(parent)
        self.setObjectName("resetRow")
        self.setAccessibleName("Forget all grants?")
        self.setProperty("banner", True)
        self._theme = theme
        self._icon = QLabel()
        self._words = plain_label("", wrap=True)
        guard = ClickGuard(self, arm_ms)
        self._yes = GuardedButton("Forget them", guard)
        self._yes.setEnabled(guard.armed)
        guard.armed_changed.connect(self._yes.setEnabled)
        self._yes.setObjectName("confirmReset")
        self._yes.setProperty("kind", "danger")
        self._no = QPushButton("Cancel")
        self._no.setObjectName("cancelReset")
        self._no.setProperty("kind", "quiet")
        self._no.setAutoDefault(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        row.addWidget(self._yes)
        row.addWidget(self._no)
        self._yes.clicked.connect(self._confirm)
        self._no.clicked.connect(self.hide)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    def ask(self, count: int) -> None:
        """`count`: the grants that hold here; those of other workspaces go too."""
        here = "the 1 grant that holds" if count == 1 else f"the {count} grants that hold"
        self._words.setText(
            f"Forget {here} here, and all of every other workspace? Rules of the configuration file stay. "
            "This can't be undone."
        )
        self.show()
        self._no.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _confirm(self) -> None:
        self.hide()
        self.confirmed.emit()

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "denied").pixmap(ICON, ICON))
