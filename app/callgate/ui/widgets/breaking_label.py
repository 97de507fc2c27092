"""A label whose text is never cut off: Qt wraps at blanks only, and names of strangers may have none.

Between the letters of a long word it puts breaks that take no room. They are nobody's text: `text` and the clipboard
have none of them, and a real one would be shown as a mark (`reveal`).
"""

import re
from typing import Final

from PySide6.QtGui import QClipboard, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QWidget

_BREAK: Final = "\u200b"
_LONG: Final = re.compile(r"\S{20,}")
"""Shorter words fit into every place where a label wraps; breaking them would only make them harder to read."""


class BreakingLabel(QLabel):
    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(_LONG.sub(lambda found: _BREAK.join(found[0]), text))

    def selectedText(self) -> str:
        return super().selectedText().replace(_BREAK, "")

    def select_all(self) -> None:
        self.setSelection(0, len(super().text()))

    def copy(self) -> None:
        """The selection, letter for letter."""
        if self.hasSelectedText():
            QGuiApplication.clipboard().setText(self.selectedText(), QClipboard.Mode.Clipboard)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textInteractionFlags():
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        copy = menu.addAction("Copy", self.copy)
        copy.setEnabled(self.hasSelectedText())
        menu.addAction("Select all", self.select_all)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())
