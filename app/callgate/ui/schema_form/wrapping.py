"""Which texts an editor may wrap: Qt lays a line out as a whole, and a very long one takes seconds."""

from typing import Final

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit

LONGEST_WRAPPED: Final = 4000
"""Letters of a line that is wrapped; longer ones run out of sight to the right."""


def fit_wrapping(editor: QPlainTextEdit, text: str) -> None:
    """To be called before the text is set."""
    wraps = len(text) <= LONGEST_WRAPPED or max(map(len, text.split("\n"))) <= LONGEST_WRAPPED
    mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere if wraps else QTextOption.WrapMode.NoWrap
    if editor.wordWrapMode() != mode:
        editor.setWordWrapMode(mode)
