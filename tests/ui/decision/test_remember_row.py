"""What a lasting decision will save: narrow at first, and the person's to change."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, completed, sample_tools, waiting
from tests.fakes.loop import BoundLoop

from callgate.core.calls.invocation import Decision
from callgate.ui.bridge import Bridge
from callgate.ui.decision.remember_row import RememberRow
from callgate.ui.theme.theme import Theme

CALL = waiting("read_file", {"path": "src/a.py", "limit": 80})
ALWAYS = Decision("approve", scope="always")


@pytest.fixture
def row(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> RememberRow:
    console.tool_list = list(sample_tools())
    row = RememberRow(console, theme, bridge, now=lambda: 1000.0)
    qtbot.addWidget(row)
    row.resize(600, 200)
    row.show()
    row.show_decision(CALL, CALL.arguments, ALWAYS)
    return row


def _chip(row: RememberRow, name: str) -> QPushButton:
    return row.findChild(QPushButton, f"condition:{name}")


def _words(row: RememberRow) -> str:
    return row.findChild(QLabel, "rulePreview").text()


def test_it_starts_with_the_narrowest_useful_rule(row: RememberRow) -> None:
    assert row.expression.text == "args.path:src/**"
    assert _words(row) == "Saves the rule: allow read_file of built-in when args.path fits src/**"
    assert _chip(row, "path").isChecked() and not _chip(row, "limit").isChecked()


def test_a_click_on_an_argument_widens_or_narrows(row: RememberRow) -> None:
    QTest.mouseClick(_chip(row, "limit"), Qt.MouseButton.LeftButton)
    assert row.expression.text == "args.path:src/** and args.limit=80"
    QTest.mouseClick(_chip(row, "path"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(_chip(row, "limit"), Qt.MouseButton.LeftButton)
    assert row.expression.text == ""
    assert _words(row) == "Saves the rule: allow read_file of built-in, whatever its arguments"


def test_its_sub_agents_can_be_left_out_where_the_agent_has_some(row: RememberRow, console: FakeConsole) -> None:
    assert not row.own_only.isVisible()
    console.sub_agents = True
    row.show_decision(CALL, CALL.arguments, ALWAYS)
    assert row.own_only.isVisible() and row.complete(ALWAYS).sub_agents
    row.own_only.click()
    assert not row.complete(ALWAYS).sub_agents
    assert _words(row).endswith("when args.path fits src/**, but not for sub-agents")
    for other in (replace(ALWAYS, scope="turn"), replace(ALWAYS, verb="deny")):
        row.show_decision(CALL, CALL.arguments, other)
        assert not row.own_only.isVisible() and row.complete(other).sub_agents
    child = replace(CALL, id="inv_child", sub_agent="a1")
    row.show_decision(child, child.arguments, ALWAYS)
    assert not row.own_only.isVisible(), "the rule would not cover this very call"


def test_an_expression_written_by_hand_counts_and_the_chips_follow(row: RememberRow) -> None:
    row.expression.field.selectAll()
    QTest.keyClicks(row.expression.field, "args.limit<100")
    assert not _chip(row, "path").isChecked()
    assert row.complete(ALWAYS) == replace(ALWAYS, when="args.limit<100")


def test_a_mistake_is_shown_and_nothing_can_be_saved(row: RememberRow) -> None:
    row.expression.set_text("args.limit>many")
    assert "needs a number" in row.problem
    assert _words(row).startswith("Fix the expression")


def test_uses_and_end_go_into_the_rule(row: RememberRow) -> None:
    row.limits.uses_box.choose(5)
    row.limits.end_box.choose(3600.0)
    completed_decision = row.complete(ALWAYS)
    assert (completed_decision.uses, completed_decision.expires) == (5, 4600.0)


def test_the_same_call_keeps_what_was_chosen_and_another_starts_anew(row: RememberRow) -> None:
    row.expression.set_text("args.limit<100")
    row.limits.uses_box.choose(5)
    row.show_decision(CALL, CALL.arguments, Decision("deny", scope="session", reason="no"))
    assert row.expression.text == "args.limit<100"
    assert _words(row).startswith("Saves the rule: deny read_file")
    other = waiting("read_file", {"path": "docs/b.md"}, id="inv_2")
    row.show_decision(other, other.arguments, ALWAYS)
    assert row.expression.text == "args.path:docs/**" and row.limits.uses is None


def test_what_a_rule_cannot_speak_of_is_said(row: RememberRow) -> None:
    call = waiting("odd", "free text", id="inv_3")
    row.show_decision(call, call.arguments, ALWAYS)
    assert "No condition is possible on the arguments" in row.findChild(QLabel, "unspeakable").text()
    assert "whatever its arguments" in _words(row)


def test_the_rule_is_tried_on_past_calls(row: RememberRow, console: FakeConsole, loop: BoundLoop) -> None:
    console.past = [completed("read_file", {"path": "src/b.py"}, id="p1")]
    row.show_decision(CALL, CALL.arguments, ALWAYS)
    label = row.findChild(QLabel, "backTest")
    loop.until(lambda: label.text() == "It would have allowed 1 past call of 1.")
    row.forget()
    assert row.back_test.isHidden()
