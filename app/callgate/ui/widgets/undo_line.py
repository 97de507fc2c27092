"""One line about what was just done, with a way back, for a short while. Knows nothing of what was done."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from callgate.core.errors import UserFault
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, XS, M, S, Theme

SHOWN_MS: Final = 12_000
"""Long enough to read a rule twice and think again; while the mouse is on it, it stays."""


Undo = Callable[[], str | None]
"""Takes back what was done; may return what is to be said of that. May raise `UserFault`."""


class UndoLine(QFrame):
    told = Signal()
    """Something is said now."""
    left = Signal()
    """Nothing is said any more."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, shown_ms: int = SHOWN_MS) -> None:
        super().__init__(parent)
        self.setObjectName("undoLine")
        self.setProperty("notice", True)
        self._theme = theme
        self._undo: Undo | None = None
        self._icon = QLabel()
        self._text = plain_label("", selectable=True, wrap=True)
        self._text.setObjectName("undoText")
        self._button = QPushButton("Undo")
        self._button.setObjectName("undoButton")
        self._button.setAutoDefault(False)
        self._button.clicked.connect(self._go_back)
        self._close = QToolButton()
        self._close.setIconSize(theme.icon_size)
        self._close.setToolTip("Dismiss")
        self._close.setAccessibleName("Dismiss")
        self._close.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, XS, S, XS)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.setInterval(shown_ms)
        self._leaving.timeout.connect(self.leave)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def words(self) -> str:
        return self._text.text()

    def tell(self, words: str, undo: Undo | None = None) -> None:
        """Says it, in place of whatever was said before."""
        self._undo = undo
        self._text.setText(reveal(words))
        set_plain_tip(self._text, words)
        self._button.setVisible(undo is not None)
        self.setAccessibleName(words)
        self.show()
        self._leaving.start()
        self.told.emit()

    def leave(self) -> None:
        self._undo = None
        self._leaving.stop()
        self.hide()
        self.left.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._leaving.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self.isVisible():
            self._leaving.start()
        super().leaveEvent(event)

    def _go_back(self) -> None:
        undo, self._undo = self._undo, None
        if undo is None:
            return
        try:
            outcome = undo()
        except UserFault as fault:
            self.tell(str(fault))
        else:
            if outcome:
                self.tell(outcome)
            else:
                self.leave()

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("remember", "accent").pixmap(ICON, ICON))
        self._button.setIcon(self._theme.icon("undo"))
        self._close.setIcon(self._theme.icon("close", "text3"))
