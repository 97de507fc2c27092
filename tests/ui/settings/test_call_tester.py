"""Trying a call on the rules."""

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, sample_tools

from callgate.core.gate_mode import GateMode
from callgate.core.rules.policy import Rule
from callgate.ui.settings.call_tester import CallTester
from callgate.ui.theme.theme import Theme


@pytest.fixture
def tester(qtbot: QtBot, console: FakeConsole, theme: Theme) -> CallTester:
    console.tool_list = list(sample_tools())
    console.rule_list = [
        Rule("allow", "read_file", "built-in", when="args.path:src/**", id="a"),
        Rule("deny", when="args.path:**/.env", note="secrets", id="d"),
    ]
    tester = CallTester(console, theme, now=lambda: 1000.0)
    qtbot.addWidget(tester)
    return tester


def _label(tester: CallTester, name: str) -> str:
    return tester.findChild(QLabel, name).text()


def _trace(tester: CallTester) -> str:
    return tester.findChild(QPlainTextEdit, "testTrace").toPlainText()


def test_a_call_gets_its_verdict_with_every_rule_that_was_tried(tester: CallTester) -> None:
    assert tester.verdict is None and "Name a tool" in _label(tester, "testReason")
    tester.tool.setText("read_file")
    tester.arguments.setPlainText('{"path": "src/a.py"}')
    assert _label(tester, "testVerdict") == "Allow"
    assert "allow read_file of built-in when args.path:src/**  —  matched" in _trace(tester)
    tester.arguments.setPlainText('{"path": "src/.env"}')
    assert (_label(tester, "testVerdict"), _label(tester, "testReason")) == ("Deny", "secrets")
    tester.arguments.setPlainText('{"path": "docs/a.md"}')
    assert (_label(tester, "testVerdict"), _label(tester, "testReason")) == ("Ask", "no rule matched")


def test_a_pasted_call_is_taken_apart(tester: CallTester) -> None:
    tester.arguments.setPlainText('{"type": "tool_use", "name": "read_file", "input": {"path": "src/b.py"}}')
    assert tester.tool.text() == "read_file" and "src/b.py" in tester.arguments.toPlainText()
    assert _label(tester, "testVerdict") == "Allow"


def test_arguments_that_are_no_json_are_pointed_out(tester: CallTester) -> None:
    tester.tool.setText("read_file")
    tester.arguments.setPlainText('{"path": ')
    assert "Arguments: Line 1" in _label(tester, "testReason")


def test_changed_rules_and_the_mode_of_the_gate_count(tester: CallTester, console: FakeConsole) -> None:
    tester.tool.setText("git_status")
    console.rule_list = [Rule("allow", "git_status", id="g")]
    console.set_gate_mode(GateMode("ask"))
    tester.judge()
    assert _label(tester, "testVerdict") == "Allow"
    assert "asks about everything now" in _label(tester, "testReason")


def test_the_commands_of_a_shell_line_are_judged_one_by_one(tester: CallTester, console: FakeConsole) -> None:
    console.rule_list = [Rule("allow", "run_command", when="command:'git *'", id="g")]
    tester.tool.setText("run_command")
    tester.arguments.setPlainText('{"command": "git log | head -3"}')
    assert _label(tester, "testReason") == "no rule allows “head -3”"
