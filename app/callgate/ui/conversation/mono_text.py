"""Read-only monospaced text: code, arguments, results. All of it is there; past a bound it scrolls inside.

Lays out only what is on screen, so a megabyte costs no more than a page.
"""

from collections import deque
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from callgate.ui.conversation.highlight import Coloring
from callgate.ui.text.embedded_text import (
    dragged,
    lose_selection,
    pressed,
    released,
    settle_in,
    wants_key,
    wants_wheel,
    wrapped_height,
)
from callgate.ui.theme.theme import SMALL_SIZE, Theme

NO_BOUND: Final = 1_000_000
_SLACK: Final = 2
"""Without it Qt believes that the last line does not fit, and scrolls by one."""
_SLICE: Final = 0.006
"""Seconds of colouring at a time: what a frame can spare."""


class MonoText(QPlainTextEdit):
    def __init__(self, theme: Theme, *, wrap: bool, bound: int = NO_BOUND, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wrap = wrap
        self._bound = bound
        self._text = ""
        self._look = ("", "text")
        self._growing = False
        self._colorings: deque[Coloring] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work)
        settle_in(self)
        self.setFont(theme.mono(SMALL_SIZE))
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere if wrap else QTextOption.WrapMode.NoWrap
        self.setWordWrapMode(mode)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth if wrap else QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wrap else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )

    @property
    def text(self) -> str:
        return self._text

    def set_bound(self, bound: int) -> None:
        self._bound = bound
        self.updateGeometry()

    def height_of(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing()

    def show_text(self, text: str, language: str = "", *, growing: bool = False, color: str = "text") -> None:
        """Replaces the text; what only grew is appended, so that a long stream stays cheap."""
        look = (language, color)
        if text == self._text and look == self._look and growing == self._growing:
            return
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum()
        appends = look == self._look and text.startswith(self._text) and bool(self._text)
        before, self._text, self._look = self._text, text, look
        if appends:
            self._append(text[len(before) :])
        else:
            self._rewrite()
        if not appends or (self._growing and not growing):
            self._color(0, text)  # while it grew, lines were coloured one by one, unaware of what stands around them
        self._growing = growing
        if growing and at_end:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.updateGeometry()

    def _append(self, text: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        block, column = cursor.blockNumber(), cursor.positionInBlock()
        cursor.insertText(text)
        line = self.document().findBlockByNumber(block).text()[:column]
        self._color(block, line + text)

    def _rewrite(self) -> None:
        self._colorings.clear()
        self.setPlainText(self._text)
        if self._look[1] != "text":
            ink = QTextCharFormat()
            ink.setForeground(self._theme.color(self._look[1]))
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.setCharFormat(ink)

    def _color(self, first: int, text: str) -> None:
        if first == 0:
            self._colorings.clear()
        self._colorings.append(Coloring(self.document(), first, text, self._look[0], self._theme))
        if not self._timer.isActive():
            self._work()

    def _work(self) -> None:
        while self._colorings:
            if not self._colorings[0].step(_SLICE):
                self._timer.start(0)
                return
            self._colorings.popleft()

    # ---- as tall as the text, up to the bound ----------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return min(self._bound, self.whole_height(width))

    def overflows(self, width: int, bound: int) -> bool:
        """Whether some of the text needs scrolling at this width."""
        return self.whole_height(width, bound) > bound

    def whole_height(self, width: int, enough: int = 0) -> int:
        """The height of all the text; counting stops once it is clearly past `enough` (or the bound)."""
        if not self._wrap:
            widest = self.document().size().width()
            bar = self.horizontalScrollBar().sizeHint().height() if widest > width else 0
            return self.height_of(self.blockCount()) + bar + _SLACK
        return wrapped_height(self, width, max(enough, self._bound)) + _SLACK

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        over = self._wrap and self.whole_height(event.size().width()) > self.height()
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if over else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )

    # ---- leave to the view what is the view's ----------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pressed(self, event)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        dragged(self, event)

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
