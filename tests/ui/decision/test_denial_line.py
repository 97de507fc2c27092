"""The line that asks for the reason of a denial: what sends it, what does not, and what it never does."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, denied, waiting
from tests.fakes.loop import BoundLoop

from callgate.core.calls.invocation import Invocation
from callgate.ui.decision.chords import DecisionChords
from callgate.ui.decision.denial_line import DenialLine
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


class Shown:
    def __init__(self, qtbot: QtBot, console: FakeConsole, loop: BoundLoop, theme: Theme) -> None:
        self.console, self.loop = console, loop
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.line = DenialLine(console, theme, "dialog", self.window)
        column = QVBoxLayout(self.window)
        column.addWidget(self.line)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)
        self.call: Invocation = denied_without_reason()

    def begin(self, patience: float | None = None) -> None:
        async def deny() -> None:
            self.console.late_reasons.begin(self.call, patience)
            self.line.show_denial(self.call)

        self.loop.run(deny())

    def settled(self) -> Invocation:
        return self.loop.run(self.console.late_reasons.settled(self.call))

    def words(self, name: str) -> str:
        found = self.line.findChild(QLabel, name)
        assert found is not None
        return found.text()

    def button(self, words: str) -> QPushButton:
        return next(button for button in self.line.findChildren(QPushButton) if button.text() == words)


def denied_without_reason() -> Invocation:
    return replace(denied(), explanation="")


@pytest.fixture
def shown(qtbot: QtBot, console: FakeConsole, loop: BoundLoop, theme: Theme) -> Shown:
    return Shown(qtbot, console, loop, theme)


def test_it_names_the_call_and_counts_down(shown: Shown) -> None:
    shown.begin()
    assert shown.words("denialWords") == f"Denied {shown.call.tool}. Add a reason for the model?"
    assert shown.words("denialCountdown") == "Sent without one in 5 s"
    shown.loop.until(lambda: shown.words("denialCountdown") == "Sent without one in 4 s")
    assert shown.line.isVisible()


def test_a_chip_sends_its_reason(shown: Shown) -> None:
    shown.begin()
    QTest.mouseClick(shown.button("Too risky"), LEFT)
    told = shown.settled()
    assert (told.explanation, told.reason_at) == ("Too risky", shown.console.now)
    assert not shown.line.isVisible()


def test_a_written_reason_stops_the_countdown_and_enter_sends_it(shown: Shown) -> None:
    shown.begin()
    assert shown.line.field.hasFocus(), "nothing else waits for the keyboard"
    QTest.keyClicks(shown.line.field, "use the test database")
    assert shown.words("denialCountdown") == "Enter sends it"
    left = shown.console.late_reasons.left(shown.call.id)
    shown.loop.run(asyncio.sleep(0.05))
    assert shown.console.late_reasons.left(shown.call.id) == left
    QTest.keyClick(shown.line.field, Qt.Key.Key_Return)
    assert shown.settled().explanation == "use the test database"


def _escape(shown: Shown) -> None:
    QTest.keyClicks(shown.line.field, "half a tho")
    QTest.keyClick(shown.line.field, Qt.Key.Key_Escape)


def _empty_enter(shown: Shown) -> None:
    QTest.keyClick(shown.line.field, Qt.Key.Key_Return)


def _send_now(shown: Shown) -> None:
    QTest.mouseClick(shown.button("Send now"), LEFT)


@pytest.mark.parametrize("act", [_escape, _empty_enter, _send_now])
def test_what_sends_no_reason_sends_at_once(shown: Shown, act: Callable[[Shown], None]) -> None:
    shown.begin()
    act(shown)
    assert shown.settled() == shown.call
    assert not shown.line.isVisible()


def test_it_goes_when_the_engine_has_sent_it(shown: Shown) -> None:
    shown.begin()
    shown.console.late_reasons.end_all()
    shown.loop.until(lambda: not shown.line.isVisible())
    assert shown.settled() == shown.call


def test_nothing_is_asked_where_no_reason_can_follow(shown: Shown) -> None:
    shown.begin(patience=3)
    assert not shown.line.isVisible()


def test_it_leaves_the_keyboard_to_the_next_call(shown: Shown) -> None:
    shown.console.change(waiting(id="inv_next"))
    shown.begin()
    assert shown.line.isVisible() and not shown.line.field.hasFocus()


def test_out_of_sight_it_sends_nothing_that_was_not_confirmed(shown: Shown) -> None:
    shown.begin()
    QTest.keyClicks(shown.line.field, "half a tho")
    shown.window.hide()
    assert not shown.line.is_open
    shown.console.late_reasons.end_all()
    assert shown.settled() == shown.call


def test_ctrl_enter_in_it_approves_nothing(shown: Shown) -> None:
    ran: list[str] = []

    class Bar:
        @staticmethod
        def isAncestorOf(_: object) -> bool:
            return False

        confirm = staticmethod(lambda: ran.append("approved"))

    chords = DecisionChords(lambda: Bar, lambda _: None, lambda: None, shown.window)  # type: ignore[arg-type, return-value]
    chords.add_window(shown.window)
    shown.begin()
    QTest.keyClicks(shown.line.field, "no")
    QTest.keyClick(shown.line.field, Qt.Key.Key_Return, CTRL)
    assert ran == [] and shown.line.is_open
    shown.console.late_reasons.end_all()
