"""Read-only Markdown that is exactly as tall as its text: selectable, never active, scrolled by whoever holds it."""

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from callgate.ui.text.embedded_text import dragged, lose_selection, pressed, released, settle_in, wants_key, wants_wheel
from callgate.ui.text.markdown import LEADING, InertDocument, write_markdown
from callgate.ui.text.plain_text import set_plain_tip
from callgate.ui.theme.theme import Theme

_BAR_WIDTH = 3


class Prose(QTextEdit):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setDocument(InertDocument(self))
        settle_in(self)
        # with Qt's own width of the widget, asking for a height would be answered for the width it has now
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self._heights: dict[int, int] = {}
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._stay)

    def show_markdown(self, text: str, *, color: str = "text", breaks: bool = False) -> None:
        write_markdown(self.document(), text, self._theme, color=color, breaks=breaks)
        self._heights.clear()
        self.updateGeometry()

    # ---- as tall as the text ---------------------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._measure(width)
        return self._heights[width]

    def _measure(self, width: int) -> int:
        """Without the room that a document adds under its last line: gaps between blocks are the view's."""
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(width)
        document = self.document()
        whole = math.ceil(document.size().height())
        ends_with_table = document.lastBlock().length() == 1 and document.blockCount() > 1
        return whole if ends_with_table else whole - LEADING

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._wrap_as_wide_as_seen()
        super().resizeEvent(event)

    def _wrap_as_wide_as_seen(self) -> None:
        """A layout asks for the heights of other widths too, and may then leave the widget as wide as it was."""
        if self.lineWrapColumnOrWidth() != self.viewport().width():
            self.setLineWrapColumnOrWidth(self.viewport().width())

    def _stay(self, value: int) -> None:
        if value:
            self.verticalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        dragged(self, event)
        address = self.anchorAt(event.position().toPoint())
        if address != self.property("address"):
            self.setProperty("address", address)
            set_plain_tip(self.viewport(), address)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._wrap_as_wide_as_seen()
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

    # ---- leave to the view what is the view's ----------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pressed(self, event)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        released(self, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if wants_wheel(self, event):
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if wants_key(self, event):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        lose_selection(self, event)
