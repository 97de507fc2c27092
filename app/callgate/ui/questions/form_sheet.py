"""A few values that a server wants, as a form made from its schema."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from callgate.core.messages import Json
from callgate.core.question import Answer, FormQuestion
from callgate.ui.questions.sheet import Sheet
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.theme import Theme


class FormSheet(Sheet):
    accept_words = "Send"
    accept_tip = "The server gets these values"

    def __init__(self, question: FormQuestion, theme: Theme) -> None:
        super().__init__()
        self.quote(question.message, theme, "What the server asks")
        self.form = SchemaForm(question.schema, theme)
        self.form.set_value(with_defaults(question.schema))
        self.form.changed.connect(self._edited)
        self.column.addWidget(self.form)
        self._missing = self.say("", "hint")
        self._missing.setObjectName("questionMissing")
        self.column.addStretch(1)
        self._edited()

    def answer(self) -> Answer | None:
        value = self.form.value()
        if not isinstance(value, dict) or self.form.problems():
            return None
        return Answer("accept", value)

    def first(self) -> QWidget | None:
        """The form may still be building itself: the keyboard goes to its first field then."""
        return self.form

    def _edited(self) -> None:
        problems = self.form.problems()
        names = dict.fromkeys(str(found.path[0]) for found in problems if found.path)
        self._missing.setText(f"Needs attention: {', '.join(names)}" if names else "")
        self._missing.setVisible(bool(names))
        self.changed.emit()


def with_defaults(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The protocol wants a form to begin with the defaults that the server gives."""
    properties = schema.get("properties")
    fields = properties.items() if isinstance(properties, dict) else ()
    return {name: field["default"] for name, field in fields if isinstance(field, dict) and "default" in field}
