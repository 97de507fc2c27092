"""What a person can do with a form, field by field."""

import time
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from callgate.ui.schema_form.choice_fields import ChoiceField
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.schema_form.list_field import ListField
from callgate.ui.schema_form.object_field import ObjectField
from callgate.ui.schema_form.place import LongField
from callgate.ui.schema_form.raw_field import RawField
from callgate.ui.theme.theme import Theme


def shown(theme: Theme, schema: dict[str, Any], value: Any = None) -> SchemaForm:
    form = SchemaForm(schema, theme)
    if value is not None:
        form.set_value(value)
    form.resize(500, 400)
    form.show()
    form.settle()
    return form


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def within(form: SchemaForm, *path: str | int) -> QWidget:
    place = form.at(path)
    assert place is not None
    return place


def named(form: QWidget, kind: type, name: str) -> Any:
    QApplication.processEvents()
    found = [widget for widget in form.findChildren(kind) if widget.accessibleName() == name and widget.isVisible()]
    assert len(found) == 1, f"{len(found)} widgets are called {name}"
    return found[0]


def write(editor: QWidget, text: str) -> None:
    editor.setFocus()
    if isinstance(editor, QLineEdit):
        editor.selectAll()
    else:
        assert isinstance(editor, QPlainTextEdit)
        editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClicks(editor, text)


def test_fields_that_nobody_touches_stay_absent_and_defaults_are_only_shown(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string", "default": "main"}, n={"type": "integer"}, b={"type": "boolean"}))
    assert form.value() == {}
    assert named(form, QPlainTextEdit, "a").placeholderText() == "default: main"


def test_typing_makes_a_field_present_and_the_cross_takes_it_out(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string"}, z={"type": "string"}), {"z": "1"})
    told: list[object] = []
    form.changed.connect(lambda: told.append(form.value()))
    write(named(form, QPlainTextEdit, "a"), "hi")
    assert told[-1] == {"a": "hi", "z": "1"}
    assert list(form.value()) == ["a", "z"]  # type: ignore[arg-type]
    QTest.mouseClick(named(form, QToolButton, "Leave a out"), Qt.MouseButton.LeftButton)
    assert form.value() == {"z": "1"}


def test_an_empty_text_is_not_an_absent_one(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string"}), {"a": ""})
    assert form.value() == {"a": ""}
    assert named(form, QPlainTextEdit, "a").placeholderText() == "empty text"
    QTest.mouseClick(named(form, QToolButton, "Leave a out"), Qt.MouseButton.LeftButton)
    assert form.value() == {}


def test_a_text_of_several_lines_is_pasted_as_it_is(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string"}))
    editor = named(form, QPlainTextEdit, "a")
    editor.setFocus()
    QApplication.clipboard().setText("one\n\ttwo\u00a0three\n")
    editor.paste()
    assert form.value() == {"a": "one\n\ttwo\u00a0three\n"}


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ("5.0", 5.0), ("-0.5", -0.5), ("1" + "0" * 30, 10**30), ("1e3", 1000.0)]
)
def test_a_number_is_what_is_typed_digit_for_digit(theme: Theme, text: str, value: float) -> None:
    form = shown(theme, fields(n={"type": "number"}))
    write(named(form, QLineEdit, "n"), text)
    found = form.value()["n"]  # type: ignore[index,call-overload]
    assert (found, type(found)) == (value, type(value))


def test_a_number_that_can_not_be_read_is_marked_and_keeps_what_stood_there(theme: Theme) -> None:
    form = shown(theme, fields(n={"type": "integer"}), {"n": 7})
    write(named(form, QLineEdit, "n"), "12a")
    assert form.value() == {"n": 12}
    assert [(one.path, one.message) for one in form.problems()] == [(("n",), "is not a whole number")]
    form.check()
    assert form.at(("n",)).complaint == "is not a whole number"  # type: ignore[union-attr]
    assert named(form, QLineEdit, "n").property("wrong") == "true"
    write(named(form, QLineEdit, "n"), "")
    form.check()
    assert not named(form, QLineEdit, "n").property("wrong")
    assert form.value() == {}
    assert form.problems() == ()


def test_true_and_false_are_pressed_and_pressed_again_to_leave_them_out(theme: Theme) -> None:
    form = shown(theme, fields(b={"type": "boolean"}))
    yes = named(form, QPushButton, "b: true")
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
    assert form.value() == {"b": True}
    QTest.mouseClick(named(form, QPushButton, "b: false"), Qt.MouseButton.LeftButton)
    assert form.value() == {"b": False}
    QTest.mouseClick(named(form, QPushButton, "b: false"), Qt.MouseButton.LeftButton)
    assert form.value() == {}


def test_one_of_many_values_is_chosen_and_the_wheel_passes_over_it(theme: Theme) -> None:
    form = shown(theme, fields(c={"enum": ["a", "b", "c", "d", "e", 1, 1.5, None]}))
    box = named(form, QComboBox, "c")
    assert box.currentIndex() == -1
    center = QPointF(box.rect().center())
    none = Qt.KeyboardModifier.NoModifier
    wheel = QWheelEvent(
        center, center, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(box, wheel)
    assert form.value() == {}
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    box.activated.emit(box.currentIndex())
    assert form.value() == {"c": None}


def test_items_are_added_moved_and_removed(theme: Theme) -> None:
    form = shown(theme, fields(l={"type": "array", "items": {"type": "string"}}), {"l": ["a", "b"]})
    QTest.mouseClick(named(form, QPushButton, "Add an item to l"), Qt.MouseButton.LeftButton)
    form.settle()
    assert form.value() == {"l": ["a", "b", ""]}
    QTest.keyClicks(named(form, QPlainTextEdit, "[2]"), "c")
    assert form.value() == {"l": ["a", "b", "c"]}
    QTest.mouseClick(named(form, QToolButton, "Move [2] up"), Qt.MouseButton.LeftButton)
    assert form.value() == {"l": ["a", "c", "b"]}
    QTest.mouseClick(named(form, QToolButton, "Remove [0]"), Qt.MouseButton.LeftButton)
    assert form.value() == {"l": ["c", "b"]}
    assert not named(form, QToolButton, "Move [0] up").isEnabled()
    assert not named(form, QToolButton, "Move [1] down").isEnabled()


def test_a_list_takes_no_more_than_it_may_hold(theme: Theme) -> None:
    form = shown(theme, fields(l={"type": "array", "maxItems": 1, "items": {"type": "integer"}}), {"l": [1]})
    field = form.at(("l",)).field  # type: ignore[union-attr]
    assert isinstance(field, ListField)
    assert field.add.isHidden()


def test_another_shape_is_chosen_and_the_first_one_comes_back_as_it_was(theme: Theme) -> None:
    schema = fields(s={"anyOf": [{"type": "object", "title": "Obj"}, {"type": "integer"}, {"type": "null"}]})
    form = shown(theme, schema, {"s": {"x": 1}})
    box = named(form, QComboBox, "Shape of s")
    assert box.currentText() == "Obj"
    for row, value in ((1, 0), (2, None), (0, {"x": 1})):
        box.setCurrentIndex(row)
        box.activated.emit(row)
        form.settle()
        assert form.value() == {"s": value}


def test_an_absent_object_is_added_and_left_out_again(theme: Theme) -> None:
    inner = {"type": "object", "required": ["k"], "properties": {"k": {"const": 1}, "t": {"type": "string"}}}
    form = shown(theme, fields(o=inner))
    QTest.mouseClick(named(form, QPushButton, "Add o"), Qt.MouseButton.LeftButton)
    form.settle()
    assert form.value() == {"o": {"k": 1}}
    write(named(form, QPlainTextEdit, "t"), "x")
    assert form.value() == {"o": {"k": 1, "t": "x"}}
    QTest.mouseClick(named(form, QToolButton, "Leave o out"), Qt.MouseButton.LeftButton)
    assert form.value() == {}


def test_a_field_of_another_name_is_added_with_the_schema_for_it(theme: Theme) -> None:
    form = shown(theme, {"type": "object", "additionalProperties": {"type": "integer"}})
    write(named(form, QLineEdit, "Name of another field of value"), "width")
    QTest.keyClick(named(form, QLineEdit, "Name of another field of value"), Qt.Key.Key_Return)
    form.settle()
    assert form.value() == {"width": 0}
    write(named(form, QLineEdit, "width"), "12")
    assert form.value() == {"width": 12}


def test_what_the_schema_does_not_describe_is_edited_as_json_in_its_place(theme: Theme) -> None:
    form = shown(theme, fields(any={}), {"any": [1, {"a": None}], "unlisted": "x"})
    editor = named(form, QPlainTextEdit, "any as JSON")
    assert editor.toPlainText() == '[1, {"a": null}]'
    write(editor, "[2")
    assert form.value() == {"unlisted": "x"}
    assert form.problems()[0].path == ("any",)
    write(editor, '{"ok": 1.0}')
    assert form.value() == {"any": {"ok": 1.0}, "unlisted": "x"}
    assert form.problems() == ()


def test_a_value_of_the_wrong_type_is_neither_lost_nor_changed(theme: Theme) -> None:
    value = {"n": "12", "t": 5, "b": 1, "l": {"x": 1}, "o": [1], "c": 1.0}
    schema = fields(
        n={"type": "integer"},
        t={"type": "string"},
        b={"type": "boolean"},
        l={"type": "array"},
        o={"type": "object"},
        c={"enum": [1]},
    )
    form = shown(theme, schema, value)
    form.reread()
    assert form.value() == value
    assert isinstance(form.at(("n",)).field, RawField)  # type: ignore[union-attr]
    assert {one.path for one in form.problems()} == {("n",), ("t",), ("b",), ("l",), ("o",)}


@pytest.mark.parametrize("text", ["a\u200bb", "\u202ereversed", "a\u00a0b", "x\r\ny", "\x1b[0m", "\ud800"])
def test_text_with_hidden_letters_is_shown_with_them_spelled_out(theme: Theme, text: str) -> None:
    form = shown(theme, fields(a={"type": "string"}), {"a": text})
    editor = named(form, QPlainTextEdit, "a as JSON")
    assert editor.toPlainText().isascii()
    form.reread()
    assert form.value() == {"a": text}


def test_an_object_can_be_edited_as_json_and_back(theme: Theme) -> None:
    form = shown(theme, fields(o=fields(x={"type": "integer"})), {"o": {"x": 1}})
    toggle = named(form, QToolButton, "Edit o as JSON")
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    write(named(form, QPlainTextEdit, "o as JSON"), '{"x": 2}')
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    form.settle()
    assert form.value() == {"o": {"x": 2}}
    assert named(form, QLineEdit, "x").text() == "2"


def test_missing_fields_are_marked_only_when_it_is_asked_for(theme: Theme) -> None:
    form = shown(theme, {**fields(a={"type": "string"}), "required": ["a"]})
    place = form.at(("a",))
    assert place is not None
    assert place.complaint == ""
    assert form.problems()[0].missing
    form.set_strict(True)
    assert place.complaint == "is required"


def test_fields_that_differ_from_the_original_are_marked_while_one_edits(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string"}, b={"type": "integer"}), {"a": "x", "b": 1})
    form.mark_changed_from({"a": "x", "b": 2})

    def marked() -> dict[str, str]:
        labels = {name: within(form, name).findChild(QLabel, "fieldChanged") for name in ("a", "b")}
        return {name: label.text() for name, label in labels.items() if not label.isHidden()}

    assert marked() == {"b": "was 2"}
    write(named(form, QLineEdit, "b"), "2")
    write(named(form, QPlainTextEdit, "a"), "y")
    assert marked() == {"a": "was x"}


def test_setting_a_value_says_nothing_and_leaves_the_cursor_alone(theme: Theme) -> None:
    form = shown(theme, fields(a={"type": "string"}), {"a": "abc"})
    editor = named(form, QPlainTextEdit, "a")
    cursor = editor.textCursor()
    cursor.setPosition(2)
    editor.setTextCursor(cursor)
    told: list[int] = []
    form.changed.connect(lambda: told.append(1))
    form.set_value({"a": "abc", "other": 1})
    assert not told
    assert editor.textCursor().position() == 2


def test_a_schema_that_can_not_be_used_is_said_to_and_the_value_kept(theme: Theme) -> None:
    form = shown(theme, {"type": "object", "properties": {"a": {"type": "nonsense"}}}, {"a": [1]})
    assert form.value() == {"a": [1]}
    assert "cannot be used" in form.problems()[0].message


def test_two_thousand_fields_show_a_page_with_what_matters_first_and_a_search(theme: Theme) -> None:
    schema = {**fields(**{f"f{n}": {"type": "string"} for n in range(2000)}), "required": ["f1500"]}
    form = shown(theme, schema, {"f1900": "here"})
    field = form.at(()).field  # type: ignore[union-attr]
    assert isinstance(field, ObjectField)
    assert form.at(("f1500",)) is not None
    assert form.at(("f1900",)) is not None
    assert form.at(("f1999",)) is None
    field.search.setText("f1999")
    form.settle()
    write(named(form, QPlainTextEdit, "f1999"), "found")
    assert form.value() == {"f1900": "here", "f1999": "found"}
    field.search.clear()
    QTest.mouseClick(field.more, Qt.MouseButton.LeftButton)
    form.settle()
    assert len([one for one in field.findChildren(QPlainTextEdit) if one.isVisible()]) == 60


def test_a_problem_in_a_field_that_is_not_on_the_page_brings_it_there(theme: Theme) -> None:
    schema = fields(**{f"f{n}": {"type": "integer"} for n in range(300)})
    value = {f"f{n}": n for n in range(300)}
    form = shown(theme, schema, {**value, "f299": "no number"})
    form.settle()
    place = form.at(("f299",))
    assert place is not None
    assert "is not of type" in place.complaint


def test_a_form_can_be_taken_down_while_it_is_built(theme: Theme, qtbot: Any) -> None:
    form = SchemaForm(fields(**{f"f{n}": {"type": "string"} for n in range(200)}), theme)
    gone: list[int] = []
    form.destroyed.connect(lambda: gone.append(1))
    form.retire()
    qtbot.waitUntil(lambda: bool(gone), timeout=5000)


def test_choices_follow_the_value_that_is_set(theme: Theme) -> None:
    form = shown(theme, fields(c={"enum": ["first one", "second one", "third one", "fourth"]}), {"c": "third one"})
    field = form.at(("c",)).field  # type: ignore[union-attr]
    assert isinstance(field, ChoiceField)
    assert field.box.currentText() == "third one"
    form.set_value({})
    assert field.box.currentIndex() == -1


def test_a_text_too_long_for_an_editor_is_only_edited_where_that_is_wanted(theme: Theme) -> None:
    text = "x" * 200_000
    form = SchemaForm(fields(a={"type": "string"}, any={}), theme)
    before = time.process_time()
    form.set_value({"a": text, "any": text})
    form.resize(500, 400)
    form.show()
    form.settle()
    QApplication.processEvents()
    assert time.process_time() - before < 1
    assert isinstance(form.at(("a",)).field, LongField)  # type: ignore[union-attr]
    form.reread()
    assert form.value() == {"a": text, "any": text}
    QTest.mouseClick(named(form, QPushButton, "Edit a"), Qt.MouseButton.LeftButton)
    editor = named(form, QPlainTextEdit, "a")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClicks(editor, "y")
    assert form.value() == {"a": text + "y", "any": text}
