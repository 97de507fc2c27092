"""A rule being written."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, completed, sample_tools
from tests.fakes.loop import BoundLoop

from callgate.core.rules.policy import Rule
from callgate.ui.bridge import Bridge
from callgate.ui.settings.rule_editor import RuleEditor
from callgate.ui.theme.theme import Theme

OLD = Rule(
    "allow", "read_file", "built-in", when="args.path:src/**", id="r1", origin="workspace", uses=7, fingerprint="f"
)


@pytest.fixture
def editor(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> RuleEditor:
    console.tool_list = list(sample_tools())
    editor = RuleEditor(console, bridge, theme, now=lambda: 1000.0)
    qtbot.addWidget(editor)
    editor.resize(700, 400)
    return editor


def _words(editor: RuleEditor) -> str:
    return editor.findChild(QLabel, "ruleWords").text()


def test_a_new_rule_is_explained_while_it_is_written(editor: RuleEditor) -> None:
    editor.open()
    assert _words(editor) == "Saves: allow every tool, whatever its arguments"
    editor.verdict.choose("deny")
    editor.tool.setText("git_*")
    editor.agent.setText("claude-code")
    editor.expression.set_text("args.force=true")
    assert _words(editor) == "Saves: deny git_* for claude-code when args.force is true"
    assert editor.rule == Rule("deny", "git_*", agent="claude-code", when="args.force=true")


def test_a_mistake_keeps_it_from_being_saved(editor: RuleEditor) -> None:
    editor.open()
    editor.expression.set_text("args.n>lots")
    assert not editor.save.isEnabled() and _words(editor) == "Fix the expression first."
    editor.expression.set_text("")
    assert editor.save.isEnabled()


def test_an_edited_rule_keeps_what_was_not_touched(editor: RuleEditor) -> None:
    editor.open(OLD, new=False)
    assert editor.rule == OLD and editor.scope.currentData() == "workspace"
    editor.expression.set_text("args.path:docs/**")
    assert editor.rule == replace(OLD, when="args.path:docs/**")


def test_a_grant_is_bound_to_its_definition_only_while_it_is_about_the_same_tool(editor: RuleEditor) -> None:
    editor.open(OLD, new=False)
    editor.tool.setText("write_file")
    assert editor.rule.fingerprint == ""
    editor.review.setChecked(True)
    assert editor.rule.review


def test_enter_saves_and_escape_does_not(editor: RuleEditor) -> None:
    saved: list[tuple[Rule, str]] = []
    left: list[int] = []
    editor.saved.connect(lambda rule, scope: saved.append((rule, scope)))
    editor.cancelled.connect(lambda: left.append(1))
    editor.open(OLD, new=False)
    QTest.keyClick(editor.tool, Qt.Key.Key_Escape)
    assert (saved, left) == ([], [1])
    QTest.keyClick(editor.tool, Qt.Key.Key_Return)
    assert saved == [(OLD, "workspace")]


def test_what_the_engine_refuses_is_told_until_something_changes(editor: RuleEditor) -> None:
    editor.open()
    editor.tell("No workspace is open.")
    label = editor.findChild(QLabel, "ruleWords")
    assert label.text() == "No workspace is open." and label.property("tone") == "danger"
    editor.tool.setText("x")
    assert label.text().startswith("Saves:")


def test_it_is_tried_on_past_calls(editor: RuleEditor, console: FakeConsole, loop: BoundLoop) -> None:
    console.past = [completed("read_file", {"path": "src/a.py"}, id="p")]
    editor.open(OLD, new=False)
    words = editor.findChild(QLabel, "backTest")
    loop.until(lambda: words.text() == "It would have allowed 1 past call of 1.")


def test_it_is_tested_on_a_call_that_is_pasted_and_forgets_it(editor: RuleEditor) -> None:
    editor.open(OLD, new=False)
    editor.trial.field.setPlainText('{"path": "docs/a.md"}')
    assert editor.trial.words.startswith("The rule does not cover it")
    editor.expression.set_text("args.path:docs/**")
    editor.source.setText("")
    assert editor.trial.words == "The rule covers it. All rules together: allow."
    editor.open()
    assert editor.trial.words == ""
