"""A field for an object: a place for each of its fields, made as they are needed, and those that the value adds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import ObjectPlan, SubSchema
from callgate.core.schema.form_value import ABSENT, FieldPath, Maybe, present, with_key
from callgate.ui.schema_form.field import Field, Workshop
from callgate.ui.schema_form.place import Place
from callgate.ui.schema_form.start import starting_value
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import M, S

PAGE: Final = 30
"""Fields that are shown at once; the rest come on request or by search."""


class ObjectField(Field):
    nests = True

    def __init__(self, workshop: Workshop, plan: ObjectPlan, schema: SubSchema, name: str) -> None:
        super().__init__()
        self._workshop, self._plan, self._schema, self._name = workshop, plan, schema, name
        self._value: Maybe = ABSENT
        self._listed = plan.listed
        self._order = tuple(self._listed)
        self._rows: dict[str, Place] = {}
        self._wanted: list[str] = []
        self._pending: set[str] = set()
        """Rows that do not show their value yet."""
        self._more = PAGE
        self._round = 0
        """Counts changes of what is shown: work for an older one is dropped."""
        self._problems: dict[str, list[FieldProblem]] = {}
        self._original: Maybe | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self._add = QPushButton("Add")
        self._body = QWidget()
        self._build()

    def set_value(self, value: Maybe) -> None:
        self._value = value
        self._add.setVisible(not present(value))
        self._body.setVisible(present(value))
        if isinstance(value, dict):
            self._choose_rows()

    def value(self) -> Maybe:
        return self._value

    def drafts(self) -> Iterator[FieldProblem]:
        for name, row in self._rows.items():
            for problem in row.drafts() if name not in self._pending else ():
                yield replace(problem, path=(name, *problem.path))

    def at(self, path: FieldPath) -> QWidget | None:
        row = self._rows.get(str(path[0]))
        return None if row is None else row.at(path[1:])

    def reread(self) -> None:
        if isinstance(self._value, dict):
            for name, row in self._rows.items():
                row.reread()
                self._value = with_key(self._value, name, row.value(), self._order)

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        self._problems = {}
        for problem in problems:
            name = str(problem.path[0])
            self._problems.setdefault(name, []).append(replace(problem, path=problem.path[1:]))
        for name, row in self._rows.items():
            row.show_problems(self._problems.get(name, ()))
        hidden = [name for name in self._problems if name not in self._wanted]
        if hidden and isinstance(self._value, dict) and (self._workshop.strict or self._any_wrong(hidden)):
            self._choose_rows()
        unknown = [name for name in self._problems if name not in self._wanted and name not in self._listed]
        lines = [f"{name}: {problem.message}" for name in unknown for problem in self._problems[name][:1]]
        self._note.setText("\n".join(lines[:PAGE]))
        self._note.setVisible(bool(lines))

    def show_original(self, original: Maybe | None) -> None:
        self._original = original
        for name, row in self._rows.items():
            row.show_original(self._original_of(name))

    def _any_wrong(self, names: list[str]) -> bool:
        return any(not problem.missing for name in names for problem in self._problems[name])

    # ---- which rows -------------------------------------------------------------------------------------------------

    def _choose_rows(self) -> None:
        given = self._value if isinstance(self._value, dict) else {}
        sought = self.search.text().strip().casefold()
        names = [*self._order, *(name for name in given if name not in self._listed)]
        if sought:
            wanted = [name for name in names if sought in name.casefold() or sought in self._title(name)]
        elif len(names) <= PAGE:
            wanted = names
        else:
            first = {name for name in names if name in given or self._is_required(name) or name in self._problems}
            wanted = [*(name for name in names if name in first), *(name for name in names if name not in first)]
        left = len(wanted) - self._more
        rest = wanted[self._more :]
        del wanted[self._more :]
        wanted += [name for name in rest if name in self._problems and self._any_wrong([name])][:PAGE]
        self.more.setVisible(left > 0)
        self.more.setText(f"Show more ({left:,} left)")
        self._nothing.setVisible(not wanted)
        self._nothing.setText("No field has this name." if sought else "There is nothing to fill in.")
        self._show_rows(wanted, given)

    def _show_rows(self, wanted: list[str], given: dict[str, Json]) -> None:
        self._round += 1
        current = self._round
        for name in [name for name in self._rows if name not in wanted]:
            row = self._rows[name]
            row.hide()
            if name not in self._listed:
                row.deleteLater()
                del self._rows[name]
        self._wanted = wanted
        self._pending = set()
        for index, name in enumerate(wanted):
            row = self._rows.get(name)
            if row is not None and self._rows_at(index) is row and not self._workshop.slices.late:
                row.set_value(given.get(name, ABSENT))
                row.show()
            else:
                self._pending.add(name)
                self._workshop.slices.add(self, lambda at=index, which=name: self._show_row(current, at, which))

    def _rows_at(self, index: int) -> QWidget | None:
        item = self._list.itemAt(index)
        return None if item is None else item.widget()

    def _show_row(self, current: int, index: int, name: str) -> None:
        if current != self._round or not isinstance(self._value, dict):
            return
        self._pending.discard(name)
        row = self._rows.get(name)
        if row is None:
            schema = self._workshop.planner.field_schema(self._plan, name)
            row = self._rows[name] = Place(self._workshop, schema, name, self._is_required(name))
            row.edited.connect(lambda: self._row_edited(name))
            row.removed.connect(lambda: self._row_removed(name))
        row.set_value(self._value.get(name, ABSENT))
        if self._rows_at(index) is not row:
            self._list.insertWidget(index, row)
        row.show_problems(self._problems.get(name, ()))
        if self._original is not None:
            row.show_original(self._original_of(name))
        row.show()

    def _row_edited(self, name: str) -> None:
        before = self._value if isinstance(self._value, dict) else {}
        new = self._rows[name].value()
        self._value = with_key(before, name, new, self._order)
        self.edited.emit()

    def _row_removed(self, name: str) -> None:
        """What the schema does not list goes altogether; emptied while one types, it stays where it is."""
        if name not in self._listed:
            self._choose_rows()

    def _original_of(self, name: str) -> Maybe | None:
        if self._original is None:
            return None
        return self._original.get(name, ABSENT) if isinstance(self._original, dict) else ABSENT

    def _is_required(self, name: str) -> bool:
        return name in self._listed and self._listed[name].required

    def _title(self, name: str) -> str:
        known = self._listed.get(name)
        schema = known.schema if known is not None else None
        words = schema.get("description") if isinstance(schema, dict) else ""
        return words.casefold() if isinstance(words, str) else ""

    # ---- building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._add.setAccessibleName(f"Add {self._name}")
        keep_icon(self._add, self._workshop.theme, "add")
        self._add.clicked.connect(self._added)
        self.search = QLineEdit()
        self.search.setPlaceholderText(f"Find one of {len(self._order):,} fields")
        self.search.setAccessibleName("Find a field")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _: self._searched())
        if len(self._order) <= PAGE:
            self.search.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(M)
        self._nothing = plain_label("", "hint")
        self._note = plain_label("", "danger", selectable=True, wrap=True)
        self._note.setObjectName("otherFieldsProblem")
        self._note.hide()
        self.more = QPushButton()
        self.more.setProperty("kind", "quiet")
        self.more.hide()
        self.more.clicked.connect(self._show_more)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.search)
        column.addLayout(self._list)
        column.addWidget(self._nothing)
        column.addWidget(self.more)
        column.addWidget(self._note)
        if self._plan.invites:
            column.addLayout(self._name_row())
        line = QHBoxLayout()
        line.addWidget(self._add)
        line.addStretch(1)
        self._column.addLayout(line)
        self._column.addWidget(self._body)
        self.setFocusProxy(self._add)

    def _name_row(self) -> QHBoxLayout:
        self.new_name = QLineEdit()
        self.new_name.setPlaceholderText("name of another field")
        self.new_name.setAccessibleName(f"Name of another field of {self._name}")
        self.new_name.setFont(self._workshop.theme.mono())
        button = QPushButton("Add field")
        keep_icon(button, self._workshop.theme, "add")
        button.clicked.connect(self._named)
        self.new_name.returnPressed.connect(self._named)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.new_name, 1)
        row.addWidget(button)
        return row

    def _named(self) -> None:
        name = self.new_name.text()
        given = self._value if isinstance(self._value, dict) else {}
        if not name or name in given:
            return
        self.new_name.clear()
        schema = self._workshop.planner.field_schema(self._plan, name)
        self._value = with_key(given, name, starting_value(self._workshop.planner, schema, 1), self._order)
        self._more = max(self._more, len(given) + 1)
        self._choose_rows()
        self.edited.emit()

    def _added(self) -> None:
        self.set_value(starting_value(self._workshop.planner, self._schema))
        self._workshop.slices.go()
        self.edited.emit()

    def _searched(self) -> None:
        self._more = PAGE
        self._choose_rows()
        self._workshop.slices.go()

    def _show_more(self) -> None:
        self._more += PAGE
        self._choose_rows()
