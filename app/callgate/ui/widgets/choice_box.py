"""A choice among a few things, with the caret that the style sheet cannot draw. Knows words and values, no meaning."""

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QWidget

from callgate.ui.theme.theme import ICON, S, Theme


class ChoiceBox(QComboBox):
    def __init__(
        self, theme: Theme, name: str, choices: Sequence[tuple[str, object]] = (), parent: QWidget | None = None
    ) -> None:
        """`name`: for assistive technology; `choices`: words and the value that each stands for."""
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for words, value in choices:
            self.addItem(words, value)

    def choose(self, value: object) -> bool:
        """False: there is no such choice, and nothing was changed."""
        for row in range(self.count()):
            if self.itemData(row) == value:
                self.setCurrentIndex(row)
                return True
        return False

    def reset(self) -> None:
        self.setCurrentIndex(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A caret in the style sheet would need an image file for each theme."""
        super().paintEvent(event)
        painter = QPainter(self)
        box = QRect(self.width() - ICON - S // 2, (self.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded", "text2" if self.isEnabled() else "border").paint(painter, box)
