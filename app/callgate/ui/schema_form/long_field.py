"""A text too long to stand in a form: its size and beginning, and an editor only where one is wanted."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from callgate.core.form_value import ABSENT, Maybe
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.schema_form.field import Field
from callgate.ui.theme import XS, S, Theme

LONG: Final = 20_000
"""Letters; an editor takes a moment for each more."""
_SHOWN: Final = 240


class LongField(Field):
    wanted = Signal()
    """It is to be edited after all."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value: Maybe = ABSENT
        self._size = plain_label("", "hint")
        self._beginning = plain_label("", "secondary", wrap=True)
        self._beginning.setFont(theme.mono())
        self.edit = QPushButton("Edit all of it")
        self.edit.setAccessibleName(f"Edit {name}")
        self.edit.clicked.connect(self.wanted)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._size, 1)
        row.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self._beginning)
        column.addLayout(row)
        self.setFocusProxy(self.edit)

    def set_value(self, value: Maybe) -> None:
        self._value = value
        text = value if isinstance(value, str) else ""
        self._beginning.setText(reveal(" ".join(text[:_SHOWN].split())) + "…")
        self._size.setText(f"{len(text):,} letters, {text.count(chr(10)) + 1:,} lines")

    def value(self) -> Maybe:
        return self._value


def is_long(value: Maybe) -> bool:
    return isinstance(value, str) and len(value) > LONG
