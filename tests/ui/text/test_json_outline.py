"""A tree of JSON that grows keeps what is open, spells long strings out and shows what is wrong where it is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.core.messages import Json
from callgate.ui.text.json_outline import JsonOutline
from callgate.ui.text.json_tree import JsonRole, JsonTreeModel
from callgate.ui.theme.theme import Theme


def outline(qtbot: QtBot, theme: Theme, value: Json) -> JsonOutline:
    tree = JsonOutline(theme, "Arguments", guest=True)
    qtbot.addWidget(tree)
    tree.setModel(JsonTreeModel(tree, spells=True))
    tree.json.set_value(value)
    tree.open_small()
    tree.resize(400, 300)
    tree.show()
    return tree


def test_what_grows_keeps_what_is_open(qtbot: QtBot, theme: Theme) -> None:
    tree = outline(qtbot, theme, {"a": {"b": 1}, "c": [1]})
    assert tree.visible_rows(50) == 4
    tree.collapse(tree.json.index(0, 0))
    tree.json.update_value({"a": {"b": 1}, "c": [1, 2], "d": "x"})
    assert not tree.isExpanded(tree.json.index(0, 0)) and tree.isExpanded(tree.json.index(1, 0))
    assert tree.visible_rows(50) == 5
    tree.json.update_value({"other": 1})
    assert tree.json.rowCount() == 0 and tree.json.value == {"other": 1}, "what did not grow is shown anew"


def test_long_strings_are_spelled_out_line_by_line(qtbot: QtBot, theme: Theme) -> None:
    tree = outline(qtbot, theme, {"text": "one\ntwo\n" + "x" * 300})
    index = tree.json.index(0, 0)
    assert index.data(JsonRole.VALUE) == "(3 lines)"
    lines = [tree.json.index(row, 0, index).data() for row in range(tree.json.rowCount(index))]
    assert lines[:2] == ["one", "two"] and "".join(lines[2:]) == "x" * 300
    tree.json.update_value({"text": "one\ntwo\n" + "x" * 300 + "\nmore"})
    assert tree.json.rowCount(index) == len(lines) + 1


def test_what_is_wrong_is_told_beside_the_value(qtbot: QtBot, theme: Theme) -> None:
    tree = outline(qtbot, theme, {"a": {"b": 1}})
    tree.json.set_complaints({("a", "b"): "too small"})
    inner = tree.json.index(0, 0, tree.json.index(0, 0))
    assert inner.data(JsonRole.COMPLAINT) == "too small" and "too small" in inner.data()
    tree.set_needle("b")
    assert not tree.grab().isNull()


def test_a_value_is_copied_and_escape_is_left_to_the_page(qtbot: QtBot, theme: Theme) -> None:
    tree = outline(qtbot, theme, {"a": "text"})
    tree.setCurrentIndex(tree.json.index(0, 0))
    QTest.keyClick(tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "text"
