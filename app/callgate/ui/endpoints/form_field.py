"""A field with its name above and what is wrong with it below. Knows nothing of what is entered."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import XS


class FormField(QWidget):
    def __init__(self, name: str, field: QWidget, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.name = plain_label(name, "secondary")
        self.name.setBuddy(field)
        self._hint = plain_label("", "hint", wrap=True)
        self._trouble = plain_label("", "danger", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        for widget in (self.name, field, self._hint, self._trouble):
            column.addWidget(widget)
        self.set_hint(hint)
        self.set_trouble("")

    @property
    def trouble(self) -> str:
        return self._trouble.text()

    @property
    def hint(self) -> str:
        return self._hint.text()

    def set_hint(self, words: str) -> None:
        self._hint.setText(reveal(words))
        self._hint.setVisible(bool(words))

    def set_trouble(self, words: str) -> None:
        self._trouble.setText(reveal(words))
        self._trouble.setVisible(bool(words))
        self.field.setAccessibleDescription(words)
