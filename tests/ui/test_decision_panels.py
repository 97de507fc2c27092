"""The texts that a person writes beside a decision."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import reviewing, waiting

from callgate.ui.decision_panels import AnswerPanel, EditPanel, ReasonPanel
from callgate.ui.theme import Theme


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> EditPanel:
    panel = EditPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def note(panel: EditPanel) -> str:
    label = panel.findChild(QLabel)
    assert label is not None
    return label.text()


def test_the_editor_starts_with_the_arguments_laid_out(edit: EditPanel) -> None:
    edit.open(waiting(arguments='{"a":1,"b":"\u202e"}'))
    assert edit.text == '{\n  "a": 1,\n  "b": "\\u202e"\n}'
    assert not edit.edited
    assert edit.problem == ""


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
    assert "stands twice" in note(edit)


def test_free_text_needs_no_json(edit: EditPanel) -> None:
    edit.open(replace(waiting(arguments="SELECT 1"), variant="custom"))
    edit.field.setPlainText("SELECT 2")
    assert (edit.problem, edit.edited) == ("", True)


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


def test_escape_dismisses(qtbot: QtBot, theme: Theme) -> None:
    panel = ReasonPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    panel.open("Why?", ("One", "Two"))
    with qtbot.waitSignal(panel.dismissed, timeout=2000):
        QTest.keyClick(panel.field, Qt.Key.Key_Escape)


def test_reasons_are_offered_once_however_often_it_opens(qtbot: QtBot, theme: Theme) -> None:
    panel = ReasonPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    for _ in range(3):
        panel.open("Why?", ("One", "Two"))
    qtbot.waitUntil(lambda: len([b for b in panel.findChildren(QPushButton) if b.text() == "One"]) == 1, timeout=2000)
    panel.field.setText("  because  ")
    assert panel.reason == "because"


def test_an_answer_starts_empty_each_time(qtbot: QtBot, theme: Theme) -> None:
    panel = AnswerPanel(theme)
    qtbot.addWidget(panel)
    panel.open()
    panel.field.setPlainText("old")
    panel.open()
    assert panel.text == ""
