"""An editor for JSON: coloured, with the place marked where it can't be read. Knows no schema."""

import re
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_value import UnreadableJson, read_json, spelled
from callgate.ui.schema_form.wrapping import fit_wrapping
from callgate.ui.theme.theme import Theme

_TOKEN: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<word>\b(?:true|false|null)\b|-?\d[\d.eE+-]*)|(?P<sign>[{}\[\],:]+)"
)
_INKS: Final = {"key": "accent", "string": "completed", "word": "executing", "sign": "text3"}
_COLORED: Final = 2000
"""Letters of one line that are coloured: more would stall typing."""


class JsonEditor(QPlainTextEdit):
    edited = Signal()
    """The person changed the text; not sent for `show_value`."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(theme.mono())
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._ink = _Ink(theme, self)
        self._showing = False
        self.textChanged.connect(self._changed)
        theme.changed.connect(self._ink.rehighlight)

    def show_value(self, value: Json) -> None:
        """Without a signal; a text that already says the same is left alone."""
        self.show_text(spelled(value, 2))

    def show_text(self, text: str) -> None:
        """As `show_value`, whatever the text says."""
        if text == self.text():
            return
        self._showing = True
        place = self.verticalScrollBar().value()
        fit_wrapping(self, text)
        self.setPlainText(text)
        self.verticalScrollBar().setValue(place)
        self._showing = False

    def text(self) -> str:
        """Letter for letter."""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def read(self) -> Json:
        """The value of the text; raises `UnreadableJson`."""
        if not self.text().strip():
            raise UnreadableJson("there is nothing here; an object without fields is {}")
        return read_json(self.text())

    def _changed(self) -> None:
        if not self._showing:
            self.edited.emit()


class _Ink(QSyntaxHighlighter):
    def __init__(self, theme: Theme, editor: QPlainTextEdit) -> None:
        super().__init__(editor.document())
        self._theme = theme

    def highlightBlock(self, text: str) -> None:
        for found in _TOKEN.finditer(text, 0, _COLORED):
            if found.lastgroup is not None:
                start = _units(text, found.start())
                self.setFormat(start, _units(text, found.end()) - start, self._format(_INKS[found.lastgroup]))

    def _format(self, ink: str) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setForeground(QColor(self._theme.color(ink)))
        return form


def _units(text: str, end: int) -> int:
    """Qt counts UTF-16 units, Python characters."""
    return end if text.isascii() else len(text[:end].encode("utf-16-le", "surrogatepass")) // 2
