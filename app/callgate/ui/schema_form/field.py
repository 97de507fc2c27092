"""What every field of a form can do, and what it is given to do it with. Knows no kind of field."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import Plan, SubSchema
from callgate.core.schema.form_planner import Planner
from callgate.core.schema.form_value import FieldPath, Maybe
from callgate.ui.schema_form.slices import Slices
from callgate.ui.theme.theme import Theme


class Field(QWidget):
    """Shows one value and lets it be changed. Holds exactly what it was given until a person edits it."""

    edited = Signal()
    """The person changed something in it."""
    nests = False
    """Whether problems further inside can be shown there."""

    def set_value(self, value: Maybe) -> None:
        raise NotImplementedError

    def value(self) -> Maybe:
        """What stands in it; of a text that can't be read, what stood there before."""
        raise NotImplementedError

    def drafts(self) -> Iterator[FieldProblem]:
        """What was typed and can't be read, with paths from here."""
        yield from ()

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        """Problems further inside; paths from here."""

    def show_original(self, original: Maybe | None) -> None:
        """What its value was at first, to mark what differs; None = nothing is marked."""

    def at(self, path: FieldPath) -> QWidget | None:
        """The place of a value further inside, as far as it has been made."""
        return None

    def reread(self) -> None:
        """Takes the value from what the widgets show, as an edit would."""


class Workshop(Protocol):
    """Makes fields, so that fields can hold fields without knowing each other."""

    @property
    def theme(self) -> Theme: ...
    @property
    def planner(self) -> Planner: ...
    @property
    def slices(self) -> Slices: ...
    @property
    def strict(self) -> bool:
        """Whether fields that are missing are marked although nobody has touched them."""
        ...

    def field(self, plan: Plan, schema: SubSchema, name: str, can_be_absent: bool) -> Field: ...
    def raw_field(self, name: str, can_be_absent: bool) -> Field: ...
