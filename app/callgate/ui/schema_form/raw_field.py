"""A field for any JSON at all, as text. Where nothing better is known, nothing is lost."""

from collections.abc import Iterator

from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_value import ABSENT, Maybe, UnreadableJson, present, read_json, spelled
from callgate.ui.schema_form.field import Field
from callgate.ui.schema_form.growing_text import GrowingText
from callgate.ui.theme.theme import Theme

_NARROW = 60
"""Letters of a value that may stand in one line."""


class RawField(Field):
    def __init__(self, theme: Theme, name: str, can_be_absent: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._can_be_absent = can_be_absent
        self._value: Maybe = ABSENT
        self._draft = ""
        self.editor = GrowingText(theme, f"{name} as JSON")
        self.editor.setPlaceholderText("any JSON; text in quotes" if can_be_absent else "JSON; text in quotes")
        self.editor.textChanged.connect(self._typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)

    def set_value(self, value: Maybe) -> None:
        self._value, self._draft = value, ""
        self.editor.show_text(laid_out(value) if present(value) else "")

    def value(self) -> Maybe:
        return self._value

    def drafts(self) -> Iterator[FieldProblem]:
        if self._draft:
            yield FieldProblem((), self._draft)

    def reread(self) -> None:
        text = self.editor.text()
        self._draft = ""
        if not text.strip() and self._can_be_absent:
            self._value = ABSENT
            return
        try:
            self._value = read_json(text)
        except UnreadableJson as bad:
            self._draft = f"is not valid JSON: {bad}"

    def _typed(self) -> None:
        self.reread()
        self.edited.emit()


def laid_out(value: Json) -> str:
    """In one line where it is short, else indented."""
    line = spelled(value)
    return line if len(line) <= _NARROW or not isinstance(value, dict | list) else spelled(value, 2)
