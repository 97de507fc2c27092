"""One value in a form with all that belongs to it: name, type, words, the field, what is wrong, what has changed.

Chooses the field: the plan's own where the value suits it, else a raw one in the same place.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, assert_never

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import BranchPlan, ListPlan, ObjectPlan, Plan, RawPlan, SubSchema, TextPlan
from callgate.core.schema.form_value import ABSENT, FieldPath, Maybe, PathStep, present, same
from callgate.ui.schema_form.field import Field, Workshop
from callgate.ui.schema_form.fit import fits
from callgate.ui.schema_form.hints import short
from callgate.ui.schema_form.text_field import is_plain
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.restyle import set_wrong
from callgate.ui.theme.theme import XS, S, Theme

# A text too long to stand in a form: its size and beginning, and an editor only where one is wanted.
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


_MOST_SHOWN: Final = 4
"""Problems of one place that are written out."""
_LINE: Final = 1
_BUTTON: Final = 24
_HEAD: Final = 20


Shape = Literal["planned", "raw", "long"]
"""Which field shows the value: the plan's own, the raw one, or that for texts too long for an editor."""


class Place(QWidget):
    edited = Signal()
    removed = Signal()
    """The person has taken it out."""

    def __init__(
        self,
        workshop: Workshop,
        schema: SubSchema,
        step: PathStep | None,
        required: bool,
        can_be_absent: bool = True,
        behind_line: bool = True,
    ) -> None:
        """`step`: its name in an object or its index in a list; None = it has no head of its own."""
        super().__init__()
        self._workshop = workshop
        self._schema = schema
        self.plan: Plan = workshop.planner.plan(schema)
        self._step = step
        self._required, self._can_be_absent = required, can_be_absent
        self._behind_line = behind_line
        self._field: Field | None = None
        self._shape: Shape = "planned"
        self._wants_editor = False
        self._wants_raw = False
        self._touched = False
        self._problems: tuple[FieldProblem, ...] = ()
        self._original: Maybe | None = None
        self._complaint: QLabel | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._changed: QLabel | None = None
        self._slot = self._framed()
        if step is not None:
            self._build_head(step)

    @property
    def name(self) -> str:
        return "" if self._step is None else f"[{self._step}]" if isinstance(self._step, int) else self._step

    @property
    def field(self) -> Field | None:
        return self._field

    # ---- value ------------------------------------------------------------------------------------------------------

    def set_value(self, value: Maybe) -> None:
        self._fit(value)
        if self._field is not None:
            self._field.set_value(value)
        self._refresh()

    def value(self) -> Maybe:
        return ABSENT if self._field is None else self._field.value()

    def drafts(self) -> Iterator[FieldProblem]:
        if self._field is not None:
            yield from self._field.drafts()

    def reread(self) -> None:
        if self._field is not None:
            self._field.reread()

    def at(self, path: FieldPath) -> QWidget | None:
        """The place at the end of a path from here, as far as it has been made."""
        if not path:
            return self
        return None if self._field is None else self._field.at(path)

    def focus_field(self) -> None:
        if self._field is not None:
            self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- marks ------------------------------------------------------------------------------------------------------

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        """Paths from here."""
        self._problems = tuple(problems)
        nests = self._field is not None and self._field.nests
        if self._field is not None and nests:
            self._field.show_problems([problem for problem in problems if problem.path])
        own = [problem for problem in problems if not (problem.path and nests)]
        shown = [problem for problem in own if self._touched or self._workshop.strict or not problem.missing]
        self._complain("\n".join(_sentence(problem) for problem in shown[:_MOST_SHOWN]))

    def show_original(self, original: Maybe | None) -> None:
        self._original = original
        if self._field is not None:
            self._field.show_original(original)
        self._mark_changed()

    def _mark_changed(self) -> None:
        differs = self._original is not None and not same(self._original, self.value())
        if self._changed is None or (not differs and not self._changed.isVisibleTo(self)):
            return
        self._changed.setVisible(differs)
        if differs and self._original is not None:
            was = short(self._original) if present(self._original) else "not set"
            self._changed.setText("changed" if self._nested else f"was {was}")
            set_plain_tip(self._changed, f"Before it was changed: {was}")

    @property
    def complaint(self) -> str:
        """What it says is wrong with it."""
        return "" if self._complaint is None or self._complaint.isHidden() else self._complaint.text()

    def _complain(self, text: str) -> None:
        if self._field is not None and not self._nested and (text or self._complaint is not None):
            set_wrong(self._field.focusProxy() or self._field, bool(text))
        if self._complaint is None:
            if not text:
                return
            self._complaint = plain_label("", "danger", selectable=True, wrap=True)
            self._complaint.setObjectName("fieldProblem")
            self._column.addWidget(self._complaint)
        self._complaint.setText(reveal(text))
        self._complaint.setVisible(bool(text))

    # ---- inside -----------------------------------------------------------------------------------------------------

    @property
    def _nested(self) -> bool:
        return isinstance(self.plan, ObjectPlan | ListPlan | BranchPlan)

    def _fit(self, value: Maybe) -> None:
        """Takes the field that can hold the value exactly."""
        shape = self._shape_for(value)
        if self._field is not None and shape == self._shape:
            return
        if self._field is not None:
            self._field.hide()
            self._field.deleteLater()
        self._shape = shape
        name = self.name or "value"
        match shape:
            case "raw":
                self._field = self._workshop.raw_field(name, self._can_be_absent)
            case "long":
                self._field = LongField(self._workshop.theme, name)
                self._field.wanted.connect(self._edit_long)
            case "planned":
                self._field = self._workshop.field(self.plan, self._schema, name, self._can_be_absent)
            case _:
                assert_never(shape)
        if self._original is not None:
            self._field.show_original(self._original)
        (self._field.focusProxy() or self._field).setAccessibleDescription(reveal(self.plan.about.description))
        self._field.edited.connect(self._was_edited)
        self._slot.addWidget(self._field)

    def _shape_for(self, value: Maybe) -> Shape:
        if self._wants_raw:
            return "raw"
        if is_long(value) and isinstance(self.plan, TextPlan | RawPlan) and not self._wants_editor:
            return "long"
        if isinstance(self.plan, RawPlan):
            return "raw"
        if not present(value):
            return "planned"
        if isinstance(self.plan, TextPlan) and isinstance(value, str):
            return "planned" if is_plain(value) else "raw"
        return "planned" if fits(self._workshop.planner, self.plan, value) else "raw"

    def _edit_long(self) -> None:
        self._wants_editor = True
        self.set_value(self.value())
        self.focus_field()

    def _was_edited(self) -> None:
        self._touched = True
        self._refresh()
        self.edited.emit()

    def _refresh(self) -> None:
        self._mark_changed()
        if self._step is None:
            return
        there = present(self.value())
        self._clear.setVisible(there and self._can_be_absent and (not self._required or (self._shape == "raw")))
        self._json.setVisible(there and (self._nested or (self._shape == "raw")) and not isinstance(self.plan, RawPlan))
        self._json.blockSignals(True)
        self._json.setChecked(self._shape == "raw")
        self._json.blockSignals(False)

    def _cleared(self) -> None:
        self._wants_raw = False
        self._touched = True
        self.set_value(ABSENT)
        self.edited.emit()
        self.focus_field()
        self.removed.emit()

    def _raw_toggled(self, raw: bool) -> None:
        self._wants_raw = raw
        before = self.value()
        self.set_value(before)
        self.show_problems(self._problems)
        self.edited.emit()  # a text that could not be read is gone now

    def _framed(self) -> QVBoxLayout:
        """Where the field goes; what is nested stands behind a line."""
        slot = QVBoxLayout()
        slot.setContentsMargins(0, 0, 0, 0)
        slot.setSpacing(0)
        if isinstance(self._step, int) and not self._nested:
            return slot  # an item that takes but a line stands beside its number
        if not self._nested or isinstance(self.plan, BranchPlan) or not self._behind_line:
            self._column.addLayout(slot)
            return slot
        row = QHBoxLayout()
        row.setContentsMargins(XS, 0, 0, 0)
        row.setSpacing(S)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedWidth(_LINE)
        row.addWidget(line)
        row.addLayout(slot, 1)
        self._column.addLayout(row)
        return slot

    def _build_head(self, step: PathStep) -> None:
        theme, about = self._workshop.theme, self.plan.about
        head = self._head = QHBoxLayout()
        head.setSpacing(S)
        head.addStrut(_HEAD)
        name = plain_label(reveal(self.name), "strong" if isinstance(step, str) else "hint")
        name.setFont(theme.mono())
        head.addWidget(name)
        if isinstance(step, int) and not self._nested:
            head.addLayout(self._slot, 1)
        else:
            head.addWidget(plain_label(reveal(about.kind), "hint"))
        if self._required:
            head.addWidget(plain_label("required", "hint"))
        if about.deprecated:
            head.addWidget(plain_label("deprecated", "chip"))
        if head.indexOf(self._slot) < 0:
            head.addStretch(1)
        self._changed = plain_label("", "chip")
        self._changed.setObjectName("fieldChanged")
        self._changed.hide()
        head.addWidget(self._changed)
        self._json = self._button("schema", f"Edit {self.name} as JSON")
        self._json.setCheckable(True)
        self._json.toggled.connect(self._raw_toggled)
        self._clear = self._button("close", f"Leave {self.name} out")
        self._clear.clicked.connect(self._cleared)
        self._column.insertLayout(0, head)
        said = about.description or (about.title if about.title != self.name else "")
        words = " · ".join(text for text in (said.strip(), *about.notes) if text)
        if words:
            self._column.insertWidget(1, plain_label(reveal(words), "hint", selectable=True, wrap=True))

    def add_button(self, icon: str, words: str) -> QToolButton:
        """One more button at the end of its head."""
        return self._button(icon, words)

    def _button(self, icon: str, words: str) -> QToolButton:
        button = QToolButton()
        button.setIconSize(self._workshop.theme.icon_size)
        keep_icon(button, self._workshop.theme, icon, "text3")
        button.setFixedSize(_BUTTON, _BUTTON)  # squeezed by a layout, an icon would be painted with no size
        button.setAccessibleName(reveal(words))
        set_plain_tip(button, words)
        self._head.addWidget(button)
        return button


def _sentence(problem: FieldProblem) -> str:
    where = ""
    for step in problem.path:
        where += f"[{step}]" if isinstance(step, int) else f".{step}" if where else step
    return f"{where}: {problem.message}" if where else problem.message
