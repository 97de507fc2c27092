"""The line that says what was deleted, with a way back for a few seconds. Knows ids and words, not the list."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import M, S

UNDO_MS: Final = 6000
"""Long enough to notice a slip; then it is gone for good."""


class DeletedBar(QFrame):
    undone = Signal(tuple)
    """The person wants them back: their ids."""
    expired = Signal(tuple)
    """They are gone for good now: their ids."""

    def __init__(self, undo_ms: int = UNDO_MS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._leaving: tuple[str, ...] = ()
        self._said = ""
        self._words = plain_label(tone="secondary")
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton("Undo")
        self.button.setObjectName("undoDeleteButton")
        self.button.setAccessibleName("Undo deleting the conversation")
        line = QHBoxLayout(self)
        line.setContentsMargins(M, S, S, S)
        line.addWidget(self._words, 1)
        line.addWidget(self.button)
        self._last_chance = QTimer(self)
        self._last_chance.setSingleShot(True)
        self._last_chance.setInterval(undo_ms)
        self._last_chance.timeout.connect(self.settle)
        self.button.clicked.connect(self.undo)
        self.hide()

    @property
    def leaving(self) -> tuple[str, ...]:
        return self._leaving

    def tell(self, words: str, leaving: Sequence[str]) -> None:
        """Says what was deleted; what was said before is settled first."""
        self.settle()
        self._leaving = tuple(leaving)
        self._said = words
        self.setAccessibleName(words)
        set_plain_tip(self._words, words)
        self.show()
        self._fit()
        self._last_chance.start()

    def undo(self) -> None:
        leaving = self._leave()
        if leaving:
            self.undone.emit(leaving)

    def settle(self) -> None:
        leaving = self._leave()
        if leaving:
            self.expired.emit(leaving)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self.button.sizeHint().width() - 2 * M - S
        self._words.setText(self._words.fontMetrics().elidedText(self._said, Qt.TextElideMode.ElideRight, room))

    def _leave(self) -> tuple[str, ...]:
        leaving, self._leaving = self._leaving, ()
        self._last_chance.stop()
        self.hide()
        return leaving
