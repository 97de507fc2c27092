"""Text inside the column: what its widgets leave to the view, and how tall they are."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


Text = QTextEdit | QPlainTextEdit


@runtime_checkable
class Host(Protocol):
    """A page that lets a selection go on from one text into the next."""

    def text_pressed(self, text: QWidget) -> None: ...

    def text_dragged(self, text: QWidget, point: QPoint) -> None:
        """The mouse is somewhere on the screen, its button still down since a press in the text."""
        ...

    def text_released(self, text: QWidget) -> None: ...


def host_of(text: QWidget) -> Host | None:
    above = text.parentWidget()
    while above is not None and not isinstance(above, Host):
        above = above.parentWidget()
    return above if isinstance(above, Host) else None


def pressed(text: Text, event: QMouseEvent) -> None:
    host = host_of(text)
    if host is not None and event.button() == Qt.MouseButton.LeftButton:
        host.text_pressed(text)


def dragged(text: Text, event: QMouseEvent) -> None:
    host = host_of(text)
    if host is not None and event.buttons() & Qt.MouseButton.LeftButton:
        host.text_dragged(text, event.globalPosition().toPoint())


def released(text: Text, event: QMouseEvent) -> None:
    host = host_of(text)
    if host is not None:
        host.text_released(text)


def settle_in(text: Text) -> None:
    """Makes a text widget part of the column: read-only, flat, as tall as the layout says."""
    text.setProperty("flat", True)
    text.setReadOnly(True)
    text.setUndoRedoEnabled(False)
    text.setFrameShape(QFrame.Shape.NoFrame)
    text.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    # the view has a menu of its own; a widget without one passes the click on
    text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    text.viewport().setAutoFillBackground(False)
    text.document().setDocumentMargin(0)
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    text.setSizePolicy(policy)


def wants_wheel(text: Text, event: QWheelEvent) -> bool:
    """Only once a person has clicked into a text that scrolls: a wheel that passes over must not get caught."""
    bar = text.verticalScrollBar()
    sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
    return sideways or (text.hasFocus() and bar.maximum() > bar.minimum())


def wants_key(text: Text, event: QKeyEvent) -> bool:
    """Copying, selecting, and scrolling where there is something to scroll; the rest is the view's."""
    own = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
    scrolls = text.verticalScrollBar().maximum() > 0 and event.key() in _MOVES
    return scrolls or any(event.matches(key) for key in own)


def lose_selection(text: Text, event: QFocusEvent) -> None:
    """A click elsewhere ends a selection, as in one long page; a menu does not."""
    if event.reason() == Qt.FocusReason.MouseFocusReason:
        cursor = text.textCursor()
        cursor.clearSelection()
        text.setTextCursor(cursor)


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
