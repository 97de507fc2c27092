"""Text inside the column: what its widgets leave to the view, and how tall they are."""

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class GuestText:
    """Mixed into a text widget: read-only and flat; wheel, keys and menu go to the view unless they are meant here."""

    def settle_in(self: "QTextEdit | QPlainTextEdit") -> None:  # type: ignore[misc]
        self.setProperty("flat", True)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(self.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls inside only once a person has clicked into it: a wheel that passes over must not get caught."""
        bar = self.verticalScrollBar()
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways or (self.hasFocus() and bar.maximum() > bar.minimum()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        own = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
        scrolls = self.verticalScrollBar().maximum() > 0 and event.key() in _MOVES
        if scrolls or any(event.matches(key) for key in own):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)


def wrapped_height(edit: QPlainTextEdit, width: int, enough: int) -> int:
    """The height of a text that wraps at a width; counting stops once it is past `enough`."""
    line, widest = edit.fontMetrics().lineSpacing(), QFontMetricsF(edit.font()).horizontalAdvance("W")
    total, block = 0, edit.document().begin()
    while block.isValid() and total <= enough:
        text = block.text()
        narrow = text.isascii() and "\t" not in text and len(text) * widest < width
        total += line * (1 if narrow else _rows(edit, text, width, enough // line + 2))
        block = block.next()
    return total


def _rows(edit: QPlainTextEdit, text: str, width: int, at_most: int) -> int:
    layout = QTextLayout(text, edit.font())
    layout.setTextOption(edit.document().defaultTextOption())
    layout.beginLayout()
    rows = 0
    while rows < at_most:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        rows += 1
    layout.endLayout()
    return max(1, rows)
