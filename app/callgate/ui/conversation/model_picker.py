"""The choice of a model. Asks the console for them whenever it opens."""

from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox

from callgate.engine.console import Console
from callgate.ui.reveal import reveal
from callgate.ui.theme import ICON, S, Theme

_WIDEST: Final = 260


class ModelPicker(QComboBox):
    def __init__(self, console: Console, theme: Theme) -> None:
        super().__init__()
        self._console, self._theme = console, theme
        self.setObjectName("modelPicker")
        self.setAccessibleName("Model")
        self.setToolTip("The model that answers")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(_WIDEST)

    @property
    def chosen(self) -> str:
        return self.currentData() or ""

    def choose(self, model: str) -> None:
        """Chooses a model where it is there; else the choice stays."""
        at = self.findData(model)
        if at >= 0:
            self.setCurrentIndex(at)

    def refresh(self) -> None:
        """Asks for the models again; the choice stays if it is still there."""
        before = self.chosen
        models = self._console.models()
        ids = [model.id for model in models]
        self.blockSignals(True)
        self.clear()
        for model in models:
            twice = ids.count(model.id) > 1
            self.addItem(reveal(f"{model.id} ({model.endpoint})" if twice else model.id), model.id)
            self.setItemData(self.count() - 1, f"Endpoint: {model.endpoint}", Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(max(0, self.findData(before)) if models else -1)
        self.blockSignals(False)

    def showPopup(self) -> None:
        self.refresh()
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """With the caret that the style sheet cannot draw: it would need an image file for each theme."""
        super().paintEvent(event)
        painter = QPainter(self)
        box = QRect(self.width() - ICON - S // 2, (self.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded", "text2" if self.isEnabled() else "border").paint(painter, box)
