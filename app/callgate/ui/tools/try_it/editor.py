"""The arguments of a try: a form and its JSON, side by side where there is room, and always in step."""

from functools import partial
from typing import Final, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_value import UnreadableJson, spelled
from callgate.core.tool import Schema
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.schema_form.json_editor import JsonEditor
from callgate.ui.text import format as figures
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, S, Theme

LONG_JSON: Final = 50_000
"""Letters; more are only shown where they are asked for."""
NARROW: Final = 620
"""Below that width form and JSON stand one behind the other."""

Side = Literal["form", "json"]


class TryEditor(QWidget):
    changed = Signal()
    """The arguments are others, or can't be read any more."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._form: SchemaForm | None = None
        self._schema: Schema | None = None
        self._side: Side = "form"
        self._unreadable = ""
        self.json = JsonEditor(theme, "Arguments as JSON")
        self.json.setObjectName("tryJson")
        self.json.edited.connect(self._json_edited)
        self._json_fault = plain_label("", "danger", selectable=True, wrap=True)
        self._json_fault.setObjectName("tryJsonFault")
        self._json_fault.hide()
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName("Arguments")
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._area)
        self._split.addWidget(self._json_side())
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setSizes([600, 400])
        self._sides = self._side_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self._sides)
        column.addWidget(self._split, 1)
        self._arrange()

    @property
    def form(self) -> SchemaForm | None:
        return self._form

    def show_schema(self, schema: Schema, arguments: Json | None = None) -> None:
        """A form for another schema; `arguments` to begin with, else the least that it asks for."""
        if self._form is None or schema != self._schema:
            self._schema = schema
            form = SchemaForm(schema, self._theme)
            as_pane(form)
            form.setContentsMargins(0, 0, S, S)
            form.changed.connect(self._form_changed)
            if self._form is not None:
                self._area.takeWidget()
                self._form.retire()
            self._form = form
            self._area.setWidget(form)
        self.set_arguments(self._form.starting_value() if arguments is None else arguments)

    def set_arguments(self, arguments: Json) -> None:
        self._set_unreadable("")
        if self._form is not None:
            self._form.set_strict(False)
            self._form.set_value(arguments)
        self._show_json(arguments)
        self.changed.emit()

    def arguments(self) -> Json:
        """As they stand; of a text that can't be read, as they were before."""
        return None if self._form is None else self._form.value()

    @property
    def unreadable_text(self) -> str:
        """What stands in the JSON and can't be read; empty = it can."""
        return self.json.text() if self._unreadable else ""

    def show_unreadable(self, text: str) -> None:
        """Brings back what could not be read, to be mended."""
        self.json.setPlainText(text)
        self._choose("json")

    def text(self) -> str:
        """The arguments as they are sent."""
        return spelled(self.arguments())

    def problems(self) -> tuple[FieldProblem, ...]:
        if self._unreadable:
            return (FieldProblem((), self._unreadable),)
        return () if self._form is None else self._form.problems()

    def show_first_problem(self) -> None:
        """Marks everything that is wrong, also what nobody has touched, and goes to the first."""
        problems = self.problems()
        if self._unreadable or self._form is None or not problems:
            self._choose("json" if self._unreadable else self._side)
            return
        self._form.set_strict(True)
        self._choose("form")
        place = next((found for one in problems if (found := self._form.at(one.path)) is not None), None)
        if place is not None:
            place.focus_field()
            self._area.ensureWidgetVisible(place)

    # ---- in step ----------------------------------------------------------------------------------------------------

    def _form_changed(self) -> None:
        if self._form is not None:
            self._set_unreadable("")
            self._show_json(self._form.value())
        self.changed.emit()

    def _show_json(self, value: Json, whatever_it_takes: bool = False) -> None:
        """A text that an editor would take long for is only shown where it is asked for."""
        text = spelled(value, 2)
        fits = whatever_it_takes or len(text) <= LONG_JSON
        self.json.setVisible(fits)
        self._large.setVisible(not fits)
        self._large.setText(f"Show the JSON ({figures.size(len(text))})")
        if fits:
            self.json.show_text(text)

    def _json_edited(self) -> None:
        try:
            value = self.json.read()
        except UnreadableJson as bad:
            self._set_unreadable(f"Not valid JSON: {bad}")
        else:
            self._set_unreadable("")
            if self._form is not None:
                self._form.set_value(value)
        self.changed.emit()

    def _set_unreadable(self, fault: str) -> None:
        self._unreadable = fault
        self._json_fault.setText(fault)
        self._json_fault.setVisible(bool(fault))
        if self._form is not None:
            self._form.setEnabled(not fault)  # what it shows is not what stands in the text

    # ---- side by side -----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < NARROW
        self._sides.setVisible(narrow)
        self._area.setVisible(not narrow or self._side == "form")
        self._json_page.setVisible(not narrow or self._side == "json")

    def _choose(self, side: Side, _checked: bool = True) -> None:
        self._side = side
        self._buttons[side].setChecked(True)
        self._arrange()

    def _side_row(self) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(XS)
        group = QButtonGroup(row)
        self._buttons: dict[Side, QPushButton] = {}
        sides: tuple[tuple[Side, str], ...] = (("form", "Form"), ("json", "JSON"))
        for side, word in sides:
            button = QPushButton(word)
            button.setObjectName(f"try{word}Side")
            button.setProperty("kind", "chip")
            button.setCheckable(True)
            button.clicked.connect(partial(self._choose, side))
            group.addButton(button)
            line.addWidget(button)
            self._buttons[side] = button
        self._buttons["form"].setChecked(True)
        line.addStretch(1)
        return row

    def _json_side(self) -> QWidget:
        self._json_page = QWidget()
        column = QVBoxLayout(self._json_page)
        column.setContentsMargins(S, 0, 0, 0)
        column.setSpacing(XS)
        self._large = QPushButton()
        self._large.setObjectName("showLargeJson")
        self._large.hide()
        self._large.clicked.connect(lambda: self._show_json(self.arguments(), whatever_it_takes=True))
        column.addWidget(self._large, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.json, 1)
        column.addWidget(self._json_fault)
        return self._json_page
