"""Colours for code: Pygments' tokens in the theme's own colours. Knows Qt's documents, no widgets.

Colours are laid over the text like a spelling mark, not written into it, and in slices: lexing takes about 3 ms a
kilobyte on a slow machine, and a frame has 16.
"""

import time
from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from callgate.core.text.highlighting import colored
from callgate.ui.theme.theme import Theme


class Coloring:
    """Colours the lines of a document from one block on; `step` goes on where the last one stopped."""

    def __init__(self, document: QTextDocument, first: int, text: str, language: str, theme: Theme) -> None:
        """`text` is what the document holds from block `first` on."""
        self._document = document
        self._theme = theme
        self._pieces: Iterator[tuple[str, str]] = colored(text, language) or iter(())
        self._block: QTextBlock = document.findBlockByNumber(first)
        self._column = 0
        self._ranges: list[QTextLayout.FormatRange] = []
        self._formats: dict[str, QTextCharFormat] = {}

    def step(self, seconds: float) -> bool:
        """Works for about so long; True when all is done."""
        until = time.monotonic() + seconds
        first = self._block.position()
        for color, text in self._pieces:
            self._take(color, text)
            if time.monotonic() > until:
                self._mark(first)
                return False
        self._end_line()
        self._mark(first)
        return True

    def _take(self, color: str, text: str) -> None:
        for number, piece in enumerate(text.split("\n")):
            if number:
                self._end_line()
                self._block, self._column = self._block.next(), 0
            if piece and color != "text":
                span = QTextLayout.FormatRange()
                span.start, span.length, span.format = self._column, _units(piece), self._format(color)
                self._ranges.append(span)
            self._column += _units(piece)

    def _end_line(self) -> None:
        if self._block.isValid():
            self._block.layout().setFormats(self._ranges)
        self._ranges = []

    def _format(self, color: str) -> QTextCharFormat:
        if color not in self._formats:
            form = QTextCharFormat()
            form.setForeground(self._theme.color(color))
            self._formats[color] = form
        return self._formats[color]

    def _mark(self, first: int) -> None:
        end = self._document.characterCount() if not self._block.isValid() else self._block.position() + self._column
        self._document.markContentsDirty(first, max(0, end - first))


def _units(text: str) -> int:
    """Qt counts UTF-16 units, Python characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
