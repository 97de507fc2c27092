"""One value that a source needs to start; a password is not shown while it is typed."""

from PySide6.QtWidgets import QLineEdit, QWidget

from callgate.core.question import Answer, InputQuestion
from callgate.ui.choice_box import ChoiceBox
from callgate.ui.questions.sheet import Sheet
from callgate.ui.reveal import reveal
from callgate.ui.theme import Theme


class InputSheet(Sheet):
    accept_words = "Use this value"

    def __init__(self, question: InputQuestion, theme: Theme) -> None:
        super().__init__()
        self._field: QLineEdit | None = None
        self._choice: ChoiceBox | None = None
        name = question.message or question.id
        self.say(question.message or f"A value for “{question.id}”")
        if question.options:
            self._choice = ChoiceBox(theme, name, [(reveal(option), option) for option in question.options])
            self._choice.setObjectName("questionChoice")
            self._choice.choose(question.default)
            self.column.addWidget(self._choice)
        else:
            self._field = QLineEdit(question.default)
            self._field.setObjectName("questionField")
            self._field.setAccessibleName(name)
            if question.password:
                self._field.setEchoMode(QLineEdit.EchoMode.Password)
            self._field.textChanged.connect(self.changed)
            self.column.addWidget(self._field)
        kept = "It is used until Callgate ends and is not written down."
        self.say(kept if question.password else "You are asked again when Callgate restarts.", "hint")

    def answer(self) -> Answer | None:
        text = self._choice.currentData() if self._choice is not None else self._field.text() if self._field else ""
        return Answer("accept", text=text) if text else None

    def first(self) -> QWidget | None:
        return self._field or self._choice
