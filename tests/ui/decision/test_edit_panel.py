"""Editing what a call is given: as a form, as text, both in step, and never without the original."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot
from tests.fakes.console import reviewing, waiting

from callgate.ui.decision.edit_panel import EditPanel
from callgate.ui.theme.theme import Theme

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["path"],
}


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> EditPanel:
    panel = EditPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def note(panel: EditPanel) -> str:
    label = panel.findChild(QLabel, "editNote")
    assert label is not None
    return label.text()


def test_the_editor_starts_with_the_arguments_laid_out(edit: EditPanel) -> None:
    edit.open(waiting(arguments='{"a":1,"b":"\u202e"}'))
    assert edit.text == '{\n  "a": 1,\n  "b": "\\u202e"\n}'
    assert not edit.edited
    assert edit.problem == ""


def test_the_keyboard_is_in_the_first_field_of_the_form(edit: EditPanel, qtbot: QtBot) -> None:
    edit.activateWindow()
    edit.open(waiting(arguments='{"path": "notes.txt"}'), SCHEMA)
    qtbot.waitUntil(lambda: edit.focusWidget() is not None)
    field = edit.focusWidget()
    assert edit.form is not None and edit.form.isAncestorOf(field)
    qtbot.keyClicks(field, "x")
    assert "xnotes.txt" in edit.text


def test_the_problem_is_never_older_than_the_text(edit: EditPanel) -> None:
    edit.open(waiting())
    edit.field.setPlainText('{"a": "' + "x" * 60_000)
    assert "Line 1" in edit.problem
    edit.field.setPlainText("{}")
    assert edit.problem == ""


def test_hidden_characters_and_doubled_keys_are_pointed_out(edit: EditPanel) -> None:
    edit.open(waiting())
    edit.field.setPlainText('{"a": "x\u200by"}')
    assert "U+200B" in note(edit)
    edit.field.setPlainText('{"a": 1, "a": 2}')
    assert "Duplicate key" in note(edit)


def test_free_text_needs_no_json(edit: EditPanel) -> None:
    edit.open(replace(waiting(arguments="SELECT 1"), variant="custom"))
    edit.field.setPlainText("SELECT 2")
    assert (edit.problem, edit.edited) == ("", True)


def test_a_tool_of_the_wire_itself_is_edited_as_json(edit: EditPanel) -> None:
    edit.open(replace(waiting(arguments='{"command":["ls"]}'), variant="built_in"))
    assert edit.field.toPlainText().startswith("{\n")
    edit.field.setPlainText("ls")
    edit.check()
    assert edit.problem


def test_a_result_is_edited_as_text(edit: EditPanel) -> None:
    edit.open(reviewing())
    edit.field.setPlainText("no json at all")
    assert edit.problem == ""


def test_revert_brings_back_what_the_model_wrote(edit: EditPanel) -> None:
    edit.open(waiting(arguments='{"a":1}'))
    edit.field.setPlainText("{}")
    edit.revert.click()
    assert not edit.edited
    assert not edit.revert.isEnabled()


def open_form(edit: EditPanel, arguments: str = '{"path":"a.py","limit":5}') -> None:
    edit.open(waiting("read_file", arguments=arguments), SCHEMA)
    assert edit.form is not None
    edit.form.settle()


def type_into(edit: EditPanel, name: str, text: str) -> None:
    assert edit.form is not None
    place = edit.form.at((name,))
    assert place is not None
    field = place.findChild(QLineEdit) or place.findChild(QPlainTextEdit)
    if isinstance(field, QLineEdit):
        field.setText(text)
        field.textEdited.emit(text)
    elif isinstance(field, QPlainTextEdit):
        field.setPlainText(text)
    else:
        raise AssertionError(f"{name} has no field")


def test_with_a_schema_it_opens_as_a_form_that_holds_the_arguments(edit: EditPanel) -> None:
    open_form(edit)
    assert edit.views.current == "Form" and edit.form is not None
    assert edit.form.value() == {"path": "a.py", "limit": 5}
    assert not edit.edited


def test_what_is_changed_in_the_form_stands_in_the_text_and_is_named(edit: EditPanel) -> None:
    open_form(edit)
    type_into(edit, "path", "b.py")
    assert edit.edited
    assert '"b.py"' in edit.text
    assert note(edit).startswith("Edited: path.")


def test_what_is_changed_in_the_text_stands_in_the_form(edit: EditPanel) -> None:
    open_form(edit)
    edit.views.choose("Text")
    edit.field.setPlainText('{"path": "c.py"}')
    edit.views.choose("Form")
    assert edit.form is not None
    assert edit.form.value() == {"path": "c.py"}


def test_a_value_that_does_not_fit_the_schema_is_told_and_not_sent(edit: EditPanel) -> None:
    open_form(edit)
    edit.views.choose("Text")
    edit.field.setPlainText('{"path": "a.py", "limit": 0}')
    assert edit.problem.startswith("limit:")
    edit.field.setPlainText('{"limit": 3}')
    assert "path" in edit.problem


def test_of_an_agents_own_tool_it_is_told_but_may_be_sent(edit: EditPanel) -> None:
    edit.open(waiting("Read", arguments='{"path":"a"}', owner="client"), SCHEMA)
    edit.views.choose("Text")
    edit.field.setPlainText('{"path": 3}')
    assert edit.problem == ""
    assert note(edit).startswith("Does not fit the tool's schema: path")


def test_back_to_the_original_by_hand_is_no_edit(edit: EditPanel) -> None:
    open_form(edit)
    type_into(edit, "path", "b.py")
    type_into(edit, "path", "a.py")
    assert not edit.edited


def test_revert_reverts_the_form_too(edit: EditPanel) -> None:
    open_form(edit)
    type_into(edit, "path", "b.py")
    edit.revert.click()
    assert edit.form is not None
    assert edit.form.value() == {"path": "a.py", "limit": 5}


def test_broken_text_stays_text(edit: EditPanel) -> None:
    open_form(edit)
    edit.views.choose("Text")
    edit.field.setPlainText("{oops")
    edit.views.choose("Form")
    assert edit.views.current == "Text"
    assert "Line 1" in edit.problem


def test_very_large_arguments_are_text_only(edit: EditPanel) -> None:
    edit.open(waiting("read_file", arguments='{"path": "' + "x" * 60_000 + '"}'), SCHEMA)
    assert edit.form is None and edit.views.isHidden()
    assert edit.field.isVisible()
