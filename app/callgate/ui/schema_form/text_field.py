"""A field for text of any length. Text that a screen can't show as it is never gets here: it is edited as JSON."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.core.schema.form_plan import TextPlan
from callgate.core.schema.form_value import ABSENT, Maybe
from callgate.ui.schema_form.field import Field
from callgate.ui.schema_form.growing_text import GrowingText
from callgate.ui.schema_form.hints import absent_words
from callgate.ui.text.hidden_characters import has_hidden
from callgate.ui.theme.theme import Theme

_LONG_LINES = 3


def is_plain(text: str) -> bool:
    """Whether the field can show a text so that it reads as what it is."""
    return not has_hidden(text)


class TextField(Field):
    def __init__(self, theme: Theme, plan: TextPlan, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan = plan
        self._value: Maybe = ABSENT
        self.editor = GrowingText(theme, name, _LONG_LINES if plan.long else 1)
        self.editor.textChanged.connect(self._typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)
        self._hint()

    def set_value(self, value: Maybe) -> None:
        self._value = value
        self.editor.show_text(value if isinstance(value, str) else "")
        self._hint()

    def value(self) -> Maybe:
        return self._value

    def reread(self) -> None:
        if self._value is not ABSENT or self.editor.text():
            self._value = self.editor.text()

    def _typed(self) -> None:
        self._value = self.editor.text()
        self._hint()
        self.edited.emit()

    def _hint(self) -> None:
        words = "empty text" if self._value == "" else absent_words(self._plan.about, self._plan.format)
        self.editor.setPlaceholderText(words)
