"""A field for a list: a place for each item, which can be added, removed and moved."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem
from callgate.core.schema.form_plan import ListPlan
from callgate.core.schema.form_value import ABSENT, FieldPath, Maybe, present
from callgate.ui.schema_form.field import Field, Workshop
from callgate.ui.schema_form.place import Place
from callgate.ui.schema_form.start import starting_value
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import M, S

PAGE: Final = 30
"""Items that are shown at once."""


class ListField(Field):
    nests = True

    def __init__(self, workshop: Workshop, plan: ListPlan, name: str) -> None:
        super().__init__()
        self._workshop, self._plan, self._name = workshop, plan, name
        self._value: Maybe = ABSENT
        self._rows: list[Place] = []
        self._moves: list[tuple[QToolButton, QToolButton]] = []
        self._shown = PAGE
        self._focus_last = False
        self._round = 0
        self._fresh = 0
        """Rows, from the first, that show their item."""
        self._problems: dict[int, list[FieldProblem]] = {}
        self._original: Maybe | None = None
        self._build()

    def set_value(self, value: Maybe) -> None:
        self._value = value
        self._match_rows()

    def value(self) -> Maybe:
        return self._value

    def drafts(self) -> Iterator[FieldProblem]:
        for index, row in enumerate(self._rows[: self._fresh]):
            for problem in row.drafts():
                yield replace(problem, path=(index, *problem.path))

    def at(self, path: FieldPath) -> QWidget | None:
        index = path[0]
        return self._rows[index].at(path[1:]) if isinstance(index, int) and index < len(self._rows) else None

    def reread(self) -> None:
        if isinstance(self._value, list):
            read: list[Json] = []
            for row in self._rows:
                row.reread()
                value = row.value()
                if present(value):
                    read.append(value)
            self._value = [*read, *self._value[len(self._rows) :]]

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        self._problems = {}
        for problem in problems:
            if isinstance(index := problem.path[0], int):
                self._problems.setdefault(index, []).append(replace(problem, path=problem.path[1:]))
        for index, row in enumerate(self._rows):
            row.show_problems(self._problems.get(index, ()))
        further = [index for index in self._problems if index >= self._shown]
        self._note.setVisible(bool(further))
        if further:
            self._note.setText(f"[{further[0]}]: {self._problems[further[0]][0].message}")

    def show_original(self, original: Maybe | None) -> None:
        self._original = original
        for index, row in enumerate(self._rows):
            row.show_original(self._original_of(index))

    # ---- rows -------------------------------------------------------------------------------------------------------

    def _match_rows(self) -> None:
        """As many rows as there are items, the same ones as far as they go."""
        items = self._value if isinstance(self._value, list) else []
        count = min(len(items), self._shown)
        while len(self._rows) > count:
            row = self._rows.pop()
            self._moves.pop()
            row.hide()
            row.deleteLater()
        self._round += 1
        self._update_rows(self._round, 0)
        left = len(items) - self._shown
        self.more.setVisible(left > 0)
        self.more.setText(f"Show more ({left:,} left)")
        self._empty.setVisible(self._value == [])
        self.add.setVisible(self._plan.takes_more(len(items)))

    def _update_rows(self, current: int, start: int) -> None:
        """Gives the rows that are there their items, then makes those that are missing."""
        items = self._value if isinstance(self._value, list) else []
        if current != self._round:
            return
        self._fresh = start
        for index in range(start, len(self._rows)):
            if self._workshop.slices.late and index > start:
                self._workshop.slices.add(self, partial(self._update_rows, current, index))
                return
            self._rows[index].set_value(items[index])
            self._fresh = index + 1
        if len(self._rows) < min(len(items), self._shown):
            self._workshop.slices.add(self, self._make_next)
        else:
            self._finish_rows()

    def _make_next(self) -> None:
        items = self._value if isinstance(self._value, list) else []
        index = len(self._rows)
        if index >= min(len(items), self._shown):
            return
        self._make_row(index, items[index])
        if index + 1 < min(len(items), self._shown):
            self._workshop.slices.add(self, self._make_next)
        else:
            self._finish_rows()

    def _make_row(self, index: int, value: Json) -> None:
        row = Place(self._workshop, self._plan.item(index), index, required=False, can_be_absent=False)
        up = row.add_button("up", f"Move [{index}] up")
        down = row.add_button("down", f"Move [{index}] down")
        remove = row.add_button("remove", f"Remove [{index}]")
        up.clicked.connect(lambda: self._move(index, -1))
        down.clicked.connect(lambda: self._move(index, 1))
        remove.clicked.connect(lambda: self._remove(index))
        row.edited.connect(lambda: self._row_edited(index))
        row.set_value(value)
        self._rows.append(row)
        self._fresh = len(self._rows)
        self._moves.append((up, down))
        self._list.addWidget(row)
        row.show_problems(self._problems.get(index, ()))
        if self._original is not None:
            row.show_original(self._original_of(index))

    def _finish_rows(self) -> None:
        items = self._value if isinstance(self._value, list) else []
        for index, (up, down) in enumerate(self._moves):
            up.setEnabled(index > 0)
            down.setEnabled(index + 1 < len(items))
        if self._focus_last and self._rows:
            self._focus_last = False
            self._rows[-1].focus_field()

    def _original_of(self, index: int) -> Maybe | None:
        if self._original is None:
            return None
        items = self._original if isinstance(self._original, list) else []
        return items[index] if index < len(items) else ABSENT

    # ---- what the person does ---------------------------------------------------------------------------------------

    def _row_edited(self, index: int) -> None:
        value = self._rows[index].value()
        if isinstance(self._value, list) and present(value):
            self._value = [*self._value[:index], value, *self._value[index + 1 :]]
        self.edited.emit()

    def _change(self, items: list[Json]) -> None:
        self.set_value(items)
        self._workshop.slices.go()
        self.edited.emit()

    def _add(self) -> None:
        items = self._value if isinstance(self._value, list) else []
        fresh = starting_value(self._workshop.planner, self._plan.item(len(items)), 1)
        self._shown = max(self._shown, len(items) + 1)
        self._focus_last = True
        self._change([*items, fresh])

    def _remove(self, index: int) -> None:
        if isinstance(self._value, list):
            self._change([*self._value[:index], *self._value[index + 1 :]])

    def _move(self, index: int, by: int) -> None:
        if isinstance(self._value, list) and 0 <= index + by < len(self._value):
            items = list(self._value)
            items[index], items[index + by] = items[index + by], items[index]
            self._change(items)

    def _show_more(self) -> None:
        self._shown += PAGE
        self._match_rows()

    def _build(self) -> None:
        self._list = QVBoxLayout()
        self._list.setSpacing(S)
        self._empty = plain_label("An empty list.", "hint")
        self._empty.hide()
        self._note = plain_label("", "danger", selectable=True, wrap=True)
        self._note.hide()
        self.add = QPushButton("Add item")
        self.add.setAccessibleName(f"Add an item to {self._name}")
        keep_icon(self.add, self._workshop.theme, "add")
        self.add.clicked.connect(self._add)
        self.more = QPushButton()
        self.more.setProperty("kind", "quiet")
        self.more.hide()
        self.more.clicked.connect(self._show_more)
        line = QHBoxLayout()
        line.setSpacing(S)
        line.addWidget(self.add)
        line.addWidget(self._empty)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addLayout(self._list)
        column.addWidget(self.more)
        column.addWidget(self._note)
        column.addLayout(line)
        self.setFocusProxy(self.add)
