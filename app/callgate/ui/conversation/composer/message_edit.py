"""The field for a message: grows with its text up to eight lines; Enter makes a line, Ctrl+Enter sends.

Files and pictures that are pasted or dropped are handed on, never inserted as names.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from callgate.ui.text.embedded_text import wrapped_height
from callgate.ui.theme.theme import XS, S, Theme

_LINES: Final = 8


class MessageEdit(QPlainTextEdit):
    send_pressed = Signal()
    recall_pressed = Signal(int)
    edit_pressed = Signal()
    """The last message is to be written anew."""
    escape_pressed = Signal()
    focus_changed = Signal(bool)
    files_given = Signal(list)
    """list[Path]: pasted or dropped."""
    image_given = Signal(QImage)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageEdit")
        self.setAccessibleName("Message")
        self.setProperty("flat", True)
        self.setFont(theme.ui())
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(S)
        self.textChanged.connect(self._fit)
        self._fit()

    def set_text(self, text: str) -> None:
        self.setPlainText(text)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        up = event.key() == Qt.Key.Key_Up
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.send_pressed.emit()
        elif control and up:
            self.edit_pressed.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and (alt or (up and not self.toPlainText())):
            self.recall_pressed.emit(-1 if up else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
            event.ignore()
        else:
            super().keyPressEvent(event)

    # ---- what is pasted or dropped -----------------------------------------------------------------------------------

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasImage() or source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if files:
            self.files_given.emit(files)
        elif source.hasImage() and not source.hasText():
            self.image_given.emit(QImage(source.imageData()))
        elif source.hasText():
            self.insertPlainText(source.text())

    # ---- the rest ----------------------------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(240, self.height())

    def _fit(self) -> None:
        line = self.fontMetrics().lineSpacing()
        width = max(80, self.viewport().width() - 2 * S)
        text = wrapped_height(self, width, _LINES * line)
        self.setFixedHeight(max(2 * line, min(_LINES * line, text)) + 2 * S + XS)
