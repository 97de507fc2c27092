"""A form for the values of a JSON Schema. What the schema can't describe is edited as JSON, so nothing is ever lost.

It takes the height it needs and does not scroll: put it into a `QScrollArea`. Large ones are built a slice at a time.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final, assert_never

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import delete

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem, FormChecker
from callgate.core.schema.form_plan import (
    BranchPlan,
    ChoicePlan,
    FlagPlan,
    ListPlan,
    NullPlan,
    NumberPlan,
    ObjectPlan,
    Plan,
    RawPlan,
    SubSchema,
    TextPlan,
)
from callgate.core.schema.form_planner import Planner
from callgate.core.schema.form_value import FieldPath, present
from callgate.ui.schema_form.branch_field import BranchField
from callgate.ui.schema_form.choice_fields import ChoiceField, FewField, FlagField, NullField, are_few
from callgate.ui.schema_form.field import Field
from callgate.ui.schema_form.list_field import ListField
from callgate.ui.schema_form.number_field import NumberField
from callgate.ui.schema_form.object_field import ObjectField
from callgate.ui.schema_form.place import Place
from callgate.ui.schema_form.raw_field import RawField
from callgate.ui.schema_form.slices import Slices
from callgate.ui.schema_form.start import starting_value
from callgate.ui.schema_form.text_field import TextField
from callgate.ui.theme.theme import Theme

__all__ = ["FieldProblem", "SchemaForm"]

_CHECK_MS: Final = 120
"""After the last key: marks that come and go with each letter are only noise."""


class SchemaForm(QWidget):
    changed = Signal()
    """The person changed the value; not sent for `set_value`."""

    def __init__(self, schema: Mapping[str, Json], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("schemaForm")
        self.setAccessibleName("Form")
        self._workshop = _FieldMaker(schema, theme, self)
        self._checker = FormChecker(schema)
        self._root = Place(self._workshop, self._workshop.root, None, True, can_be_absent=False, behind_line=False)
        self._root.edited.connect(self._was_edited)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_CHECK_MS)
        self._timer.timeout.connect(self.check)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._root)
        column.addStretch(1)
        self.set_value(self.starting_value())

    def starting_value(self) -> Json:
        """The least to begin with: no defaults, only what the schema leaves no choice about."""
        return starting_value(self._workshop.planner, self._workshop.root)

    def set_value(self, value: Json) -> None:
        """Shows a value; what the person typed is gone."""
        self._workshop.slices.begin()
        self._root.set_value(value)
        self._workshop.slices.go()
        self.check()

    def value(self) -> Json:
        """The value as it stands; where a text can't be read, as it was before, and `problems` says so."""
        value = self._root.value()
        return value if present(value) else None

    def problems(self) -> tuple[FieldProblem, ...]:
        """What must be mended, each at its field."""
        drafts = tuple(self._root.drafts())
        typed = {draft.path for draft in drafts}
        return (*drafts, *(found for found in self._checker.problems(self.value()) if found.path not in typed))

    def mark_changed_from(self, original: Json) -> None:
        """Marks the fields that differ from a value, now and as they are edited."""
        self._root.show_original(original)

    def set_strict(self, strict: bool) -> None:
        """Whether required fields that nobody has touched yet are marked too."""
        self._workshop.strict = strict
        self.check()

    def check(self) -> None:
        """Marks what is wrong, now."""
        self._timer.stop()
        self._root.show_problems(self.problems())

    def at(self, path: FieldPath) -> Place | None:
        """Where a value stands in the form; None = it is inside of a raw field, or not made yet."""
        found = self._root.at(path)
        return found if isinstance(found, Place) else None

    def focus_first(self) -> None:
        """The keyboard goes to the first field that can be filled in."""
        for place in self.findChildren(Place):
            editor = None if place.field is None else place.field.focusProxy()
            if editor is not None and not editor.isHidden():
                place.focus_field()
                return

    def reread(self) -> None:
        """Takes the value from what the fields show, as if each had been edited: for tests of the fields."""
        self._root.reread()

    def settle(self) -> None:
        """Finishes what is built a little at a time: for pictures and tests."""
        self._workshop.slices.finish()

    def retire(self) -> None:
        """Takes it down a little at a time: to destroy hundreds of fields at once would stall the window."""
        self.hide()
        self.setParent(None)
        self._timer.stop()
        wreckers = Slices()
        wreckers.setParent(self)
        for place in reversed(self.findChildren(Place)):
            wreckers.add(place, partial(delete, place))
        wreckers.done.connect(self.deleteLater)

    @property
    def is_settled(self) -> bool:
        return self._workshop.slices.is_done

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._workshop.slices.resume()

    def _was_edited(self) -> None:
        self._timer.start()
        self.changed.emit()


class _FieldMaker:
    """The workshop of one form."""

    def __init__(self, schema: Mapping[str, Json], theme: Theme, form: QWidget) -> None:
        self.theme = theme
        self.planner = Planner(schema)
        self.slices = Slices(form)
        self.strict = False
        self.root: SubSchema = dict(schema)
        plan = self.planner.plan(self.root)
        if isinstance(plan, RawPlan) and not plan.why:
            self.root = {**schema, "type": "object"}  # arguments are objects, also where the schema does not say so

    def field(self, plan: Plan, schema: SubSchema, name: str, can_be_absent: bool) -> Field:
        match plan:
            case TextPlan():
                return TextField(self.theme, plan, name)
            case NumberPlan():
                return NumberField(self.theme, plan, name, can_be_absent)
            case FlagPlan():
                return FlagField(plan, name, can_be_absent)
            case NullPlan():
                return NullField(plan, name, can_be_absent)
            case ChoicePlan():
                if are_few(plan):
                    return FewField(plan, name, can_be_absent)
                return ChoiceField(self.theme, plan, name, can_be_absent)
            case ObjectPlan():
                return ObjectField(self, plan, schema, name)
            case ListPlan():
                return ListField(self, plan, name)
            case BranchPlan():
                return BranchField(self, plan, name, can_be_absent)
            case RawPlan():
                return self.raw_field(name, can_be_absent)
            case _:
                assert_never(plan)

    def raw_field(self, name: str, can_be_absent: bool) -> Field:
        return RawField(self.theme, name, can_be_absent)
