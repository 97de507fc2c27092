"""A tree of any JSON is sound, and makes only what is looked at."""

from typing import Protocol

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QApplication

from callgate.core.messages import Json
from callgate.ui.text.json_tree import LINE, PAGE, JsonRole, JsonTreeModel, one_line


class ModelTester(Protocol):
    def check(self, model: JsonTreeModel, force_py: bool = ...) -> None: ...


def tree_of(value: Json) -> JsonTreeModel:
    model = JsonTreeModel()
    model.set_value(value)
    return model


def test_an_empty_tree_is_sound(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(JsonTreeModel())


def test_a_tree_with_everything_is_sound(qtmodeltester: ModelTester) -> None:
    model = tree_of({"a": [1, None, {"b": []}], "c": {}, "d": "text", "": True})
    model.fetchMore(QModelIndex())
    model.fetchMore(model.index(0, 0))
    qtmodeltester.check(model)


def test_children_are_made_a_page_at_a_time(qapp: QApplication) -> None:
    model = tree_of(list(range(PAGE * 2 + 1)))
    assert model.rowCount() == 0 and model.hasChildren()
    counts = []
    while model.canFetchMore(QModelIndex()):
        model.fetchMore(QModelIndex())
        counts.append(model.rowCount())
    assert counts == [PAGE, PAGE * 2, PAGE * 2 + 1]
    assert model.index(PAGE, 0).data(JsonRole.VALUE) == str(PAGE)


def test_a_value_knows_its_path(qapp: QApplication) -> None:
    model = tree_of({"messages": [{"content-type": {"x y": 1}}]})
    index = QModelIndex()
    for _ in range(4):
        model.fetchMore(index)
        index = model.index(0, 0, index)
    assert model.node(index).path == "messages[0].content-type['x y']"
    assert model.parent(model.parent(index)).data(JsonRole.KEY) == "0"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({}, "{}"),
        ([], "[]"),
        ([1, 2], "[ 2 ]"),
        ({"a": 1}, "{ 1 }"),
        ({"type": "function", "function": {"name": "read"}}, "{ name: read }"),
        ({"role": "user", "content": "x"}, "{ role: user }"),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ('say "hi"\n', '"say \\"hi\\"\\n"'),
        ("\u202e", '"⟨U+202E RLO⟩"'),
    ],
)
def test_every_value_has_a_line(value: Json, line: str) -> None:
    assert one_line(value) == line


def test_a_long_string_is_cut_in_its_line_only(qapp: QApplication) -> None:
    model = tree_of(["x" * 100_000])
    model.fetchMore(QModelIndex())
    index = model.index(0, 0)
    assert len(str(index.data(Qt.ItemDataRole.DisplayRole))) < LINE + 20
    assert model.node(index).value == "x" * 100_000


def test_a_list_that_grows_keeps_what_is_there(qapp: QApplication) -> None:
    model = tree_of([{"n": 1}])
    model.fetchMore(QModelIndex())
    kept = QPersistentModelIndex(model.index(0, 0))
    model.grow([{"n": 1}, {"n": 2}, {"n": 3}])
    assert model.rowCount() == 3 and kept.isValid() and kept.row() == 0
    model.grow(list(range(PAGE * 2)))
    model.grow(list(range(PAGE * 3)))
    assert model.canFetchMore(QModelIndex()), "what was not looked at is still not made"
