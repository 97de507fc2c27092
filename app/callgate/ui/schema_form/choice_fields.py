"""Fields where one picks instead of typing: true or false, null, and one of a few values."""

from typing import Final

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_plan import ChoicePlan, FlagPlan, NullPlan
from callgate.core.schema.form_value import ABSENT, Maybe, present, same
from callgate.ui.schema_form.field import Field
from callgate.ui.schema_form.hints import absent_words
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_FEW: Final = 4
_NARROW: Final = 32
"""Letters on buttons that fit side by side in a narrow pane."""


class _Chips(Field):
    """A few values as buttons, at most one of them pressed."""

    def __init__(self, values: tuple[tuple[str, Json], ...], name: str, can_be_absent: bool, absent: str) -> None:
        super().__init__()
        self._values = values
        self._can_be_absent = can_be_absent
        self._value: Maybe = ABSENT
        self._absent = plain_label(absent, "hint")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        self.buttons: list[QPushButton] = []
        for word, value in values:
            button = QPushButton(word)
            button.setProperty("kind", "chip")
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {word}")
            button.clicked.connect(lambda checked, chosen=value: self._picked(chosen if checked else ABSENT))
            row.addWidget(button)
            self.buttons.append(button)
        row.addSpacing(XS)
        row.addWidget(self._absent)
        row.addStretch(1)
        self.setFocusProxy(self.buttons[0])

    def set_value(self, value: Maybe) -> None:
        self._value = value
        for button, (_, one) in zip(self.buttons, self._values, strict=True):
            button.setChecked(same(one, value))
        self._absent.setVisible(not present(value))

    def value(self) -> Maybe:
        return self._value

    def reread(self) -> None:
        pressed = [one for button, (_, one) in zip(self.buttons, self._values, strict=True) if button.isChecked()]
        self._value = pressed[0] if pressed else ABSENT

    def _picked(self, value: Maybe) -> None:
        if not present(value) and not self._can_be_absent:
            value = self._value
        self.set_value(value)
        self.edited.emit()


class FlagField(_Chips):
    def __init__(self, plan: FlagPlan, name: str, can_be_absent: bool) -> None:
        super().__init__((("true", True), ("false", False)), name, can_be_absent, absent_words(plan.about))


class NullField(_Chips):
    def __init__(self, plan: NullPlan, name: str, can_be_absent: bool) -> None:
        super().__init__((("null", None),), name, can_be_absent, absent_words(plan.about))


class FewField(_Chips):
    """One of so few values that all can be seen at once."""

    def __init__(self, plan: ChoicePlan, name: str, can_be_absent: bool) -> None:
        values = tuple((reveal(choice.label), choice.value) for choice in plan.choices)
        super().__init__(values, name, can_be_absent, absent_words(plan.about))


def are_few(plan: ChoicePlan) -> bool:
    return len(plan.choices) <= _FEW and sum(len(choice.label) + 2 for choice in plan.choices) <= _NARROW


class QuietBox(ChoiceBox):
    """A choice that the mouse wheel passes over: scrolling through a form must not change it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceField(Field):
    def __init__(
        self, theme: Theme, plan: ChoicePlan, name: str, can_be_absent: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._plan = plan
        self._can_be_absent = can_be_absent
        self._value: Maybe = ABSENT
        self.box = QuietBox(theme, name)
        self.box.setPlaceholderText(absent_words(plan.about))
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(S)
        self.box.addItems([reveal(choice.label) for choice in plan.choices])
        self.box.setCurrentIndex(-1)
        self.box.activated.connect(self._picked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.box)
        self.setFocusProxy(self.box)

    def set_value(self, value: Maybe) -> None:
        self._value = value
        found = [row for row, choice in enumerate(self._plan.choices) if same(choice.value, value)]
        self.box.setCurrentIndex(found[0] if found else -1)

    def value(self) -> Maybe:
        return self._value

    def reread(self) -> None:
        row = self.box.currentIndex()
        self._value = self._plan.choices[row].value if row >= 0 else ABSENT

    def _picked(self, row: int) -> None:
        self._value = self._plan.choices[row].value
        self.edited.emit()
