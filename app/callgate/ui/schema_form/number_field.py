"""A field for numbers of any size, whole or not: what is typed is the number, digit for digit."""

from collections.abc import Iterator

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import NumberPlan
from callgate.core.schema.form_value import ABSENT, Maybe, UnreadableJson, present, read_json, spelled
from callgate.ui.schema_form.field import Field
from callgate.ui.schema_form.hints import absent_words
from callgate.ui.theme.theme import Theme


class NumberField(Field):
    def __init__(
        self, theme: Theme, plan: NumberPlan, name: str, can_be_absent: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._plan = plan
        self._can_be_absent = can_be_absent
        self._value: Maybe = ABSENT
        self._draft = ""
        self.editor = QLineEdit()
        self.editor.setFont(theme.mono())
        self.editor.setAccessibleName(name)
        self.editor.setPlaceholderText(absent_words(plan.about))
        self.editor.textEdited.connect(lambda _: self._typed())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)

    def set_value(self, value: Maybe) -> None:
        self._value, self._draft = value, ""
        text = spelled(value) if present(value) else ""
        if text != self.editor.text():
            self.editor.setText(text)

    def value(self) -> Maybe:
        return self._value

    def drafts(self) -> Iterator[FieldProblem]:
        if self._draft:
            yield FieldProblem((), self._draft)

    def reread(self) -> None:
        text = self.editor.text().strip()
        self._draft = ""
        if not text and self._can_be_absent:
            self._value = ABSENT
            return
        number = _number(text)
        if number is None:
            self._draft = "is not a whole number" if self._plan.whole else "is not a number"
        else:
            self._value = number

    def _typed(self) -> None:
        self.reread()
        self.edited.emit()


def _number(text: str) -> int | float | None:
    try:
        value = read_json(text)
    except UnreadableJson:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
