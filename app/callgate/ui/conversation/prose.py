"""Read-only Markdown that is exactly as tall as its text: selectable, never active, scrolled by whoever holds it."""

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from callgate.ui.conversation.markdown import InertDocument, write_markdown
from callgate.ui.plain_text import set_plain_tip
from callgate.ui.theme import Theme

_BAR_WIDTH = 3


class Prose(QTextEdit):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("flat", True)
        self.setDocument(InertDocument(self))
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_markdown(self, text: str, *, color: str = "text", breaks: bool = False) -> None:
        write_markdown(self.document(), text, self._theme, color=color, breaks=breaks)
        self.updateGeometry()

    # ---- as tall as the text ---------------------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self.document().setTextWidth(width)
        return math.ceil(self.document().size().height())

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    # ---- leave to the view what is the view's ------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.SelectAll):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        address = self.anchorAt(event.position().toPoint())
        if address != self.property("address"):
            self.setProperty("address", address)
            set_plain_tip(self.viewport(), address)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        block = self.document().begin()
        layout = self.document().documentLayout()
        painter: QPainter | None = None
        while block.isValid():
            if block.blockFormat().property(QTextFormat.Property.BlockQuoteLevel):
                painter = painter or QPainter(self.viewport())
                box: QRectF = layout.blockBoundingRect(block)
                painter.fillRect(QRectF(0, box.top(), _BAR_WIDTH, box.height()), self._theme.color("border"))
            block = block.next()
        if painter is not None:
            painter.end()
