"""A selection that goes on from one block into the next: made with the mouse or the keyboard, copied as one text.

Where it begins and ends within words, only those words are taken; everything between is taken whole, on screen or not.
"""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit, QWidget

from callgate.ui.conversation.blocks import SpeakerBlock, UsageBlock, plain_text
from callgate.ui.conversation.column_view import ColumnView

_SCROLL_MS: Final = 30
_SCROLL: Final = 24
"""Pixels a turn while the mouse is held beyond the edge."""

TextEdit = QTextEdit | QPlainTextEdit


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a selection begins or ends: at a block, or at a letter of a text in it."""

    block_id: str
    text: TextEdit | None = None
    position: int = 0
    before: str = ""
    """What the text has before that letter, and after it: the widget may be gone when it is copied."""
    after: str = ""


class Selecting(QObject):
    changed = Signal()

    def __init__(self, view: ColumnView) -> None:
        super().__init__(view)
        self._view = view
        self._from: Edge | None = None
        self._to: Edge | None = None
        self._point = QPoint()
        self._origin: TextEdit | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_SCROLL_MS)
        self._timer.timeout.connect(self._scroll)
        view.arranged.connect(self._show)

    @property
    def active(self) -> bool:
        return self._from is not None and self._to is not None

    @property
    def blocks(self) -> range:
        """The places of the blocks that it touches."""
        if self._from is None or self._to is None:
            return range(0)
        ends = sorted(self._view.transcript.index(edge.block_id) for edge in (self._from, self._to))
        return range(ends[0], min(ends[1] + 1, len(self._view.transcript.blocks)))

    def clear(self) -> None:
        if not self.active:
            return
        for block_id in self._view.shown:
            for text in self._texts(block_id):
                _unselect(text)
        self._from = self._to = None
        self._view.hold(None)
        self.changed.emit()

    def select_all(self) -> None:
        blocks = self._view.transcript.blocks
        if blocks:
            self._set(Edge(blocks[0].id), Edge(blocks[-1].id))

    def extend(self, start: str, to: str) -> None:
        """By whole blocks, from where it began or else from `start`."""
        self._set(self._from or Edge(start), Edge(to))

    @property
    def text(self) -> str:
        """All of it as one text."""
        if self._from is None or self._to is None:
            return ""
        transcript = self._view.transcript
        first, last = self._from, self._to
        if transcript.index(first.block_id) > transcript.index(last.block_id):
            first, last = last, first
        said: list[str] = []
        for index in self.blocks:
            block = transcript.blocks[index]
            if block.id == first.block_id and first.text is not None:
                said.append(first.after)
            elif block.id == last.block_id and last.text is not None:
                said.append(last.before)
            elif isinstance(block, SpeakerBlock):
                said.append(f"{block.who}:")
            elif not isinstance(block, UsageBlock):
                said.append(plain_text(block))
        return "\n\n".join(filter(None, said))

    # ---- the mouse ---------------------------------------------------------------------------------------------------

    def press(self, text: QWidget) -> None:
        self.clear()
        self._origin = text if isinstance(text, QTextEdit | QPlainTextEdit) else None

    def drag(self, point: QPoint) -> None:
        """The mouse has moved to a point of the screen."""
        self._point = point
        inside = self._view.viewport().mapFromGlobal(point)
        if not 0 <= inside.y() < self._view.viewport().height():
            self._timer.start()
        else:
            self._timer.stop()
        self._reach()

    def release(self) -> None:
        self._timer.stop()

    def _reach(self) -> None:
        origin = self._origin
        if origin is None:
            return
        start = self._block_of(origin)
        head = self._edge_at(self._point)
        if start is None or head is None:
            return
        if head.block_id == start:
            if self.active:
                self.clear()
            return
        self._view.hold(start)
        self._set(self._edge(start, origin, origin.textCursor().anchor()), head)

    def _scroll(self) -> None:
        height = self._view.viewport().height()
        y = self._view.viewport().mapFromGlobal(self._point).y()
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + (_SCROLL if y >= height else -_SCROLL))
        self._reach()

    def _edge_at(self, point: QPoint) -> Edge | None:
        inside = self._view.viewport().mapFromGlobal(point)
        nearest = ""
        for block_id in self._view.shown:
            widget = self._view.widget_of(block_id)
            if widget is not None and (widget.y() <= inside.y() or not nearest):
                nearest = block_id
        for text in self._texts(nearest):
            if text.rect().contains(text.mapFromGlobal(point)):
                position = text.cursorForPosition(text.viewport().mapFromGlobal(point)).position()
                return self._edge(nearest, text, position)
        return Edge(nearest) if nearest else None

    def _edge(self, block_id: str, text: TextEdit, position: int) -> Edge:
        cursor = QTextCursor(text.document())
        cursor.setPosition(position)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        after = cursor.selectedText()
        cursor.setPosition(position)
        cursor.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
        return Edge(block_id, text, position, _plain(cursor.selectedText()), _plain(after))

    # ---- showing -----------------------------------------------------------------------------------------------------

    def _set(self, start: Edge, end: Edge) -> None:
        before = set(self.blocks)
        self._from, self._to = start, end
        for index in before - set(self.blocks):
            for text in self._texts(self._view.transcript.blocks[index].id):
                _unselect(text)
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        if self._from is None or self._to is None:
            return
        transcript = self._view.transcript
        down = transcript.index(self._from.block_id) <= transcript.index(self._to.block_id)
        touched = self.blocks
        for block_id in self._view.shown:
            if transcript.index(block_id) not in touched:
                continue
            for text in self._texts(block_id):
                edge = next((one for one in (self._from, self._to) if one.text is text), None)
                if edge is None:
                    _select(text, 0, text.document().characterCount() - 1)
                elif (edge is self._from) == down:
                    _select(text, edge.position, text.document().characterCount() - 1)
                else:
                    _select(text, 0, edge.position)

    def _texts(self, block_id: str) -> list[TextEdit]:
        widget = self._view.widget_of(block_id)
        if widget is None:
            return []
        found: list[TextEdit] = [*widget.findChildren(QTextEdit), *widget.findChildren(QPlainTextEdit)]
        return [text for text in found if text.isVisible() and text.isReadOnly()]

    def _block_of(self, text: QWidget) -> str | None:
        for block_id in (*self._view.shown, *self._view.held):
            widget = self._view.widget_of(block_id)
            if widget is not None and widget.isAncestorOf(text):
                return block_id
        return None


def _select(text: TextEdit, start: int, end: int) -> None:
    cursor = text.textCursor()
    if (cursor.selectionStart(), cursor.selectionEnd()) == (min(start, end), max(start, end)):
        return
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    bar = text.verticalScrollBar()
    place = bar.value()
    text.setTextCursor(cursor)
    bar.setValue(place)


def _unselect(text: TextEdit) -> None:
    if text is QApplication.focusWidget():
        return  # its own selection is the person's business
    cursor = text.textCursor()
    if cursor.hasSelection():
        cursor.clearSelection()
        text.setTextCursor(cursor)


def _plain(text: str) -> str:
    return text.replace("\u2029", "\n").replace("\u2028", "\n")
