"""A button that copies a text and says so. Knows the clipboard, not what it copies."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton, QWidget

from callgate.ui.theme.theme import Theme

SAID_MS: Final = 1500
"""Long enough to be read, short enough not to be taken for a state."""


class CopyButton(QToolButton):
    def __init__(self, theme: Theme, text: Callable[[], str], what: str, parent: QWidget | None = None) -> None:
        """`text` is asked at the click; `what` names it for tool tip and assistive technology: "the address"."""
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self._what = what
        self.setIconSize(theme.icon_size)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._rest)
        self.clicked.connect(self._copy)
        theme.changed.connect(self._rest)
        self._rest()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.setIcon(self._theme.icon("copied", "completed"))
        self.setToolTip("Copied")
        self.setAccessibleName("Copied")
        self._timer.start(SAID_MS)

    def _rest(self) -> None:
        self.setIcon(self._theme.icon("copy"))
        self.setToolTip(f"Copy {self._what}")
        self.setAccessibleName(f"Copy {self._what}")
