"""A few views of one thing, one of which is on show: small buttons side by side. Knows words, not what they show."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget


class ViewChoice(QWidget):
    chosen = Signal(str)

    def __init__(self, views: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        """The first is on show; `name` is for assistive technology."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for view in views:
            button = QToolButton()
            button.setObjectName(f"{view.lower()}View")
            button.setText(view)
            button.setAccessibleName(view)
            button.setCheckable(True)
            button.toggled.connect(lambda on, view=view: self.chosen.emit(view) if on else None)
            self._group.addButton(button)
            self.buttons[view] = button
            row.addWidget(button)
        self._group.setExclusive(True)
        first = self.buttons[views[0]]
        first.blockSignals(True)
        first.setChecked(True)
        first.blockSignals(False)

    @property
    def current(self) -> str:
        return next((view for view, button in self.buttons.items() if button.isChecked()), "")

    def choose(self, view: str) -> None:
        self.buttons[view].setChecked(True)
