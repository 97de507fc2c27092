"""Colours for code: Pygments' tokens in the theme's own colours. Knows Qt's documents, no widgets.

Colours are laid over the text like a spelling mark, not written into it, and in slices: lexing takes about 3 ms a
kilobyte on a slow machine, and a frame has 16.
"""

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Token, _TokenType
from pygments.util import ClassNotFound
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from callgate.ui.theme import Theme

LIMIT: Final = 200_000
"""Longer code is shown without colours."""

_COLORS: Final[tuple[tuple[_TokenType, str], ...]] = (
    (Comment, "text3"),
    (Keyword.Constant, "released"),
    (Keyword, "executing"),
    (Name.Tag, "accent"),
    (Name.Function, "accent"),
    (Name.Class, "accent"),
    (Name.Decorator, "accent"),
    (Name.Attribute, "accent"),
    (Name.Builtin, "released"),
    (Name.Exception, "released"),
    (Number, "released"),
    (String, "completed"),
    (Operator.Word, "executing"),
    (Operator, "text2"),
    (Punctuation, "text2"),
    (Generic.Deleted, "denied"),
    (Generic.Inserted, "completed"),
    (Generic.Heading, "accent"),
    (Generic.Prompt, "text3"),
)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _color_of(token: _TokenType) -> str:
    nearest: _TokenType | None = token
    while nearest is not None and nearest is not Token:
        for kind, color in _COLORS:
            if nearest is kind:
                return color
        nearest = nearest.parent
    return "text"


class Coloring:
    """Colours the lines of a document from one block on; `step` goes on where the last one stopped."""

    def __init__(self, document: QTextDocument, first: int, text: str, language: str, theme: Theme) -> None:
        """`text` is what the document holds from block `first` on."""
        lexer = _lexer(language.lower()) if language and len(text) <= LIMIT else None
        self._document = document
        self._theme = theme
        self._tokens: Iterator[tuple[_TokenType, str]] = iter(()) if lexer is None else iter(lexer.get_tokens(text))
        self._block: QTextBlock = document.findBlockByNumber(first)
        self._column = 0
        self._ranges: list[QTextLayout.FormatRange] = []
        self._formats: dict[str, QTextCharFormat] = {}

    def step(self, seconds: float) -> bool:
        """Works for about so long; True when all is done."""
        until = time.monotonic() + seconds
        first = self._block.position()
        for token, text in self._tokens:
            self._take(_color_of(token), text)
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
