"""How long a decision holds: a choice of scopes. Knows the words for them, not the rules behind."""

from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QWidget

from callgate.core.invocation import Scope
from callgate.ui.theme import ICON, S, Theme

_SCOPES: Final[tuple[tuple[Scope, str], ...]] = (
    ("once", "Just this once"),
    ("session", "This session"),
    ("workspace", "This workspace"),
    ("always", "Always"),
)


class ScopeBox(QComboBox):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("rememberScope")
        self.setAccessibleName("Remember this decision")
        self.setToolTip("How long the decision holds; the rule that will be saved is shown")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for scope, words in _SCOPES:
            self.addItem(words, scope)

    @property
    def scope(self) -> Scope:
        return self.currentData()

    def reset(self) -> None:
        self.setCurrentIndex(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """With the caret that the style sheet cannot draw: it would need an image file for each theme."""
        super().paintEvent(event)
        painter = QPainter(self)
        box = QRect(self.width() - ICON - S // 2, (self.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded", "text2" if self.isEnabled() else "border").paint(painter, box)
