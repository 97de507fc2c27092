"""Read-only text of arguments: wrapped, coloured where it is looked at, with wrapped rows marked at the edge.

Knows how the lines of `json_layout` look; not where they come from. Each line can be coloured by itself, so only what
is on the screen is; a megabyte costs no more than a page.
"""

import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from callgate.ui.text.hidden_characters import MARK, suspects
from callgate.ui.text.json_layout import BAR, RUNS_ON
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme, mix

_EDGE: Final = 18
"""Room at the left for the mark of a wrapped row."""
_FEWEST_ROWS: Final = 4
_MOST_ROWS: Final = 24
_USUAL_WIDTH: Final = 80
"""Characters in a row, where the real width is not known yet."""
_MARKED_SHARE: Final = 0.22
_PARTS: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=: )|(?P<string>"(?:[^"\\]|\\.)*")|(?P<extent>\([\d,]+ (?:lines|characters)\))'
    r"|(?P<word>true|false|null|-?\d[\d.eE+-]*)|(?P<sign>[{}\[\],:]+)"
)
_BLOCK: Final = re.compile(rf"^ *(?P<bar>{BAR}|{RUNS_ON})")
_COLORS: Final = {
    "key": "accent",
    "string": "completed",
    "extent": "text3",
    "word": "executing",
    "sign": "text3",
    "bar": "border",
}


class ArgumentText(QPlainTextEdit):
    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        fewest_rows: int = _FEWEST_ROWS,
        most_rows: int = _MOST_ROWS,
    ) -> None:
        """It wants as many rows as it has, within these bounds."""
        super().__init__(parent)
        self._theme = theme
        self._fewest_rows, self._most_rows = fewest_rows, most_rows
        self._structured = False
        self._empty = True
        self._revision = 0
        self._is_coloring = False
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setCursorWidth(0)  # a caret would promise that one can type
        self._edge = _Edge(self)
        self._edge_width = _EDGE
        self.setViewportMargins(_EDGE, 0, 0, 0)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._color_visible())
        self.updateRequest.connect(self._scrolled)
        theme.changed.connect(self._dress)
        self._dress()

    def start(self, structured: bool) -> None:
        """Empties it for a new text; `structured`: the lines come from `json_layout.laid_out`."""
        self._structured = structured
        self._empty = True
        self.clear()

    def add(self, lines: list[str]) -> None:
        """Appends lines; the place of reading stays."""
        if not lines:
            return
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.block().setUserState(-1)
        cursor.insertText(("" if self._empty else "\n") + "\n".join(lines))
        if self._empty:
            # the text went in before the caret; reading starts at the top
            self.moveCursor(QTextCursor.MoveOperation.Start)
        self._empty = False
        self._color_visible()

    def sizeHint(self) -> QSize:
        """As many rows as the text has, within reason."""
        rows, block = 0, self.document().begin()
        while block.isValid() and rows < self._most_rows:
            rows += 1 + block.length() // self.columns()
            block = block.next()
        rows = min(max(rows, self._fewest_rows), self._most_rows)
        height = self.fontMetrics().lineSpacing() * rows + 2 * S + 2 * int(self.document().documentMargin())
        return QSize(super().sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().lineSpacing() * self._fewest_rows)

    def columns(self) -> int:
        """Characters that fit into a row."""
        return _USUAL_WIDTH

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_edge()
        self._color_visible()

    def set_edge_width(self, width: int) -> None:
        """Room at the left where nothing of the text can be."""
        if width != self._edge_width:
            self._edge_width = width
            self.setViewportMargins(width, 0, 0, 0)
            self._place_edge()

    def paint_edge(self, event: QPaintEvent) -> None:
        """A hook at each row that continues the one above, so that no text can pose as a line of its own."""
        painter = QPainter(self._edge)
        painter.setFont(self.font())
        shift = self.viewport().y() - self._edge.y()
        for block, box in self.visible_blocks():
            layout = block.layout()
            self.paint_mark(painter, block, QRectF(0, box.top() + shift, self._edge_width, box.height()))
            painter.setPen(self._theme.color("text3"))
            for row in range(1, layout.lineCount()):
                line = layout.lineAt(row)
                y = box.top() + line.y() + shift
                painter.drawText(QRect(0, int(y), self._edge_width - XS, int(line.height())), _HOOK_PLACE, "↪")

    def paint_mark(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        """What stands at the edge of a line; here nothing does."""

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The lines on the screen, with their places in the viewport."""
        top = self.contentOffset().y()
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(0, top)
            if box.top() > self.viewport().height():
                return
            yield block, box
            block = block.next()

    def _place_edge(self) -> None:
        inside = self.contentsRect()
        self._edge.setGeometry(QRect(inside.left(), inside.top(), self._edge_width, inside.height()))

    def _scrolled(self, _rect: QRect, by: int) -> None:
        if by:
            self._edge.scroll(0, by)
        else:
            self._edge.update()
        self._color_visible()

    def _dress(self) -> None:
        self.setFont(self._theme.mono(SMALL_SIZE))
        self._revision += 1
        self._edge.update()
        self._color_visible()

    # ---- colouring -------------------------------------------------------------------------------------------------

    def _color_visible(self) -> None:
        # every line that is coloured asks for an update, which would colour all others again: the square of a page
        if self._is_coloring:
            return
        self._is_coloring = True
        for block, _ in self.visible_blocks():
            if block.userState() != self._revision:
                block.setUserState(self._revision)
                block.layout().setFormats(self._formats(block))
                self.document().markContentsDirty(block.position(), block.length())
        self._is_coloring = False

    def inks(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        """The colours of a line, before anything in it is marked."""
        if not self._structured:
            return []
        text = block.text()
        held = _BLOCK.match(text)
        found = [held] if held else list(_PARTS.finditer(text))
        return [
            ink(text, match.start(name), match.end(name), self._theme.color(_COLORS[name]))
            for match in found
            if (name := match.lastgroup) is not None
        ]

    def _formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        text = block.text()
        ranges = self.inks(block)
        waiting = self._theme.color("waiting")
        ground = mix(waiting, self._theme.color("canvas"), _MARKED_SHARE)
        ranges += [ink(text, match.start(), match.end(), waiting, ground) for match in MARK.finditer(text)]
        if not text.isascii():
            # look-alikes have no mark of their own: the words are lit where they stand
            ranges += [
                ink(text, found.position, found.position + len(found.what), waiting, ground)
                for found in suspects(text)
                if text.startswith(found.what, found.position)
            ]
        return ranges


_HOOK_PLACE: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class _Edge(QWidget):
    """Left of the text, where nothing of the text can be."""

    def __init__(self, text: ArgumentText) -> None:
        super().__init__(text)
        self._text = text

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_edge(event)


def ink(text: str, start: int, end: int, color: QColor, ground: QColor | None = None) -> QTextLayout.FormatRange:
    """A stretch of a line in a colour; places are counted in Python's characters."""
    found = QTextLayout.FormatRange()
    found.start, found.length = _units(text[:start]), _units(text[start:end])
    found.format = QTextCharFormat()
    found.format.setForeground(QBrush(color))
    if ground is not None:
        found.format.setBackground(QBrush(ground))
    return found


def _units(text: str) -> int:
    """Qt counts UTF-16 units, Python characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
