"""Fields for the values that sources ask for before they start. Keeps what was typed while the fields change."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from callgate.core.config.settings import InputSettings, SourceSettings
from callgate.core.config.source_input import inputs_of
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox


class InputForm(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setSpacing(S)
        self._fields: dict[str, QLineEdit | ChoiceBox] = {}
        self._typed: dict[str, str] = {}

    def ask(self, sources: Sequence[SourceSettings]) -> None:
        """What these sources want; a field that is there already stays."""
        wanted: dict[str, InputSettings] = {}
        for source in sources:
            known = {one.id: one for one in source.inputs}
            for name in inputs_of(source):
                wanted.setdefault(name, known.get(name) or InputSettings(id=name, password=True))
        if list(wanted) == list(self._fields):
            return
        self._typed |= self.values()
        while self._form.rowCount():
            self._form.removeRow(0)
        self._fields = {}
        for name, definition in wanted.items():
            field = self._field(definition)
            self._fields[name] = field
            self._form.addRow(plain_label(reveal(definition.description or name), "secondary"), field)
        self.setVisible(bool(wanted))

    def values(self) -> dict[str, str]:
        said = {
            name: str(field.currentData()) if isinstance(field, ChoiceBox) else field.text()
            for name, field in self._fields.items()
        }
        return {name: value for name, value in said.items() if value}

    def _field(self, definition: InputSettings) -> QLineEdit | ChoiceBox:
        kept = self._typed.get(definition.id) or definition.default
        if definition.options:
            box = ChoiceBox(self._theme, definition.id, [(reveal(option), option) for option in definition.options])
            box.choose(kept)
            box.currentIndexChanged.connect(self.changed)
            return box
        line = QLineEdit(kept)
        line.setObjectName(f"input_{definition.id}")
        line.setAccessibleName(definition.description or definition.id)
        set_plain_tip(line, f"The value of ${{input:{definition.id}}}; it is kept in the keyring")
        if definition.password:
            line.setEchoMode(QLineEdit.EchoMode.Password)
        line.textChanged.connect(self.changed)
        return line
