"""The field for a message: grows with its text up to eight lines; Enter makes a line, Ctrl+Enter sends."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from callgate.ui.conversation.guest import wrapped_height
from callgate.ui.theme import XS, S, Theme

_LINES: Final = 8


class MessageEdit(QPlainTextEdit):
    send_pressed = Signal()
    recall_pressed = Signal(int)
    focus_changed = Signal(bool)

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
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.send_pressed.emit()
        elif alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.recall_pressed.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

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
