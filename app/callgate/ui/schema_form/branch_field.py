"""A field for a value that may have one of several shapes: which one, and the field of that shape."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import BranchPlan, ListPlan, NullPlan, ObjectPlan
from callgate.core.schema.form_value import ABSENT, FieldPath, Maybe, present
from callgate.ui.schema_form.choice_fields import QuietBox
from callgate.ui.schema_form.field import Field, Workshop
from callgate.ui.schema_form.fit import branch_for, fits
from callgate.ui.schema_form.place import Place
from callgate.ui.schema_form.start import starting_value
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import XS


class BranchField(Field):
    nests = True

    def __init__(self, workshop: Workshop, plan: BranchPlan, name: str, can_be_absent: bool) -> None:
        super().__init__()
        self._workshop, self._plan = workshop, plan
        self._can_be_absent = can_be_absent
        self._chosen = -1
        self._place: Place | None = None
        self._kept: dict[int, Json] = {}
        """What stood in a shape before another was chosen: choosing it again brings it back."""
        self._problems: tuple[FieldProblem, ...] = ()
        self._original: Maybe | None = None
        self.box = QuietBox(workshop.theme, f"Shape of {name}")
        self.box.addItems([reveal(branch.label) for branch in plan.branches])
        self.box.activated.connect(self._picked)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._column.addWidget(self.box)
        self.setFocusProxy(self.box)

    def set_value(self, value: Maybe) -> None:
        self._kept = {}
        self._choose(self._branch(value))
        if self._place is not None:
            self._place.set_value(value)

    def value(self) -> Maybe:
        return ABSENT if self._place is None else self._place.value()

    def drafts(self) -> Iterator[FieldProblem]:
        if self._place is not None:
            yield from self._place.drafts()

    def at(self, path: FieldPath) -> QWidget | None:
        return None if self._place is None else self._place.at(path)

    def reread(self) -> None:
        if self._place is not None:
            self._place.reread()

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        self._problems = tuple(problems)
        if self._place is not None:
            self._place.show_problems(problems)

    def show_original(self, original: Maybe | None) -> None:
        self._original = original
        if self._place is not None:
            self._place.show_original(original)

    def _branch(self, value: Maybe) -> int:
        """The shape to show: the one that is shown already, as long as the value suits it as well as any."""
        if not present(value):
            return self._chosen if self._chosen >= 0 else self._first()
        found = branch_for(self._workshop.planner, self._plan, value)
        return found if found is not None else max(self._chosen, 0)

    def _first(self) -> int:
        plans = [self._workshop.planner.plan(branch.schema) for branch in self._plan.branches]
        return next((index for index, plan in enumerate(plans) if not isinstance(plan, NullPlan)), 0)

    def _choose(self, index: int) -> None:
        if index == self._chosen and self._place is not None:
            return
        if self._place is not None:
            self._place.hide()
            self._place.deleteLater()
        self._chosen = index
        self.box.setCurrentIndex(index)
        schema = self._plan.branches[index].schema
        self._place = Place(self._workshop, schema, None, required=False, can_be_absent=self._can_be_absent)
        self._place.edited.connect(self.edited)
        self._column.addWidget(self._place, 1)
        nested = isinstance(self._place.plan, ObjectPlan | ListPlan | BranchPlan)
        direction = QBoxLayout.Direction.TopToBottom if nested else QBoxLayout.Direction.LeftToRight
        self._column.setDirection(direction)
        self._place.show_original(self._original)

    def _picked(self, index: int) -> None:
        if index == self._chosen:
            return
        before = self.value()
        if present(before):
            self._kept[self._chosen] = before
        self._choose(index)
        if self._place is None:
            return
        planner, schema = self._workshop.planner, self._plan.branches[index].schema
        if index in self._kept:
            self._place.set_value(self._kept[index])
        elif present(before) and fits(planner, self._place.plan, before):
            self._place.set_value(before)
        else:
            self._place.set_value(starting_value(planner, schema, 1))
        self._workshop.slices.go()
        self.edited.emit()
