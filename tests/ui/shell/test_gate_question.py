"""Before the gate is opened: what it means, for how long, and never by accident."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.core.gate_mode import GateMode
from callgate.ui.shell.gate_question import GateQuestion
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.choice_box import ChoiceBox

Make = Callable[[int], GateQuestion]


@pytest.fixture
def make(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Make:
    def make(arm_ms: int = 0) -> GateQuestion:
        question = GateQuestion(console, theme, arm_ms=arm_ms, now=lambda: console.now)
        qtbot.addWidget(question)
        return question

    return make


def _press(question: GateQuestion, name: str) -> None:
    QTest.mouseClick(question.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def _span(question: GateQuestion) -> ChoiceBox:
    return question.findChild(ChoiceBox, "observeSpan")


def test_a_quarter_of_an_hour_unless_another_time_is_chosen(make: Make, console: FakeConsole) -> None:
    question = make(0)
    assert question.isHidden()
    question.ask()
    _press(question, "openGate")
    assert console.mode == GateMode("observe", console.now + 900) and question.isHidden()
    question.ask()
    _span(question).choose(None)
    _press(question, "openGate")
    assert console.mode == GateMode("observe")
    question.ask()
    assert _span(question).currentText() == "for 15 minutes"


def test_cancel_and_escape_leave_the_gate_as_it_is(make: Make, console: FakeConsole) -> None:
    question = make(0)
    question.ask()
    _press(question, "keepGate")
    assert question.isHidden()
    question.ask()
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert question.isHidden() and console.mode == GateMode()


def test_a_click_that_was_on_its_way_does_not_open_it(make: Make, console: FakeConsole) -> None:
    question = make(400)
    question.ask()
    _press(question, "openGate")
    assert console.mode == GateMode() and question.isVisible()
