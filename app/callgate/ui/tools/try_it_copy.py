"""A button that copies the call of a tool for another program. Knows the ways to spell it; asks for the call."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from callgate.ui.kept_icon import keep_icon
from callgate.ui.theme import Theme
from callgate.ui.tools.try_it_snippets import Call, as_curl, as_json, as_mcp, as_openai

_WAYS: Final[tuple[tuple[str, str, Callable[[Call], str]], ...]] = (
    ("JSON", "copyJson", as_json),
    ("curl", "copyCurl", as_curl),
    ("Python with openai", "copyOpenai", as_openai),
    ("Python with mcp", "copyMcp", as_mcp),
)


class CopyAs(QPushButton):
    copied = Signal(str)
    """What it was copied as, in words."""

    def __init__(self, theme: Theme, call: Callable[[], Call | None], parent: QWidget | None = None) -> None:
        """`call`: asked at the click; None = there is nothing to copy."""
        super().__init__("Copy as", parent)
        self.setObjectName("copyTry")
        self.setAccessibleName("Copy the call for another program")
        self.setProperty("kind", "quiet")
        keep_icon(self, theme, "copy")
        self._call = call
        self.ways = QMenu(self)
        for word, name, spell in _WAYS:
            self.ways.addAction(word, lambda w=word, s=spell: self._copy(w, s)).setObjectName(name)
        self.clicked.connect(lambda: self.ways.popup(self.mapToGlobal(QPoint(0, self.height()))))

    def _copy(self, word: str, spell: Callable[[Call], str]) -> None:
        call = self._call()
        if call is not None:
            QGuiApplication.clipboard().setText(spell(call))
            self.copied.emit(word)
