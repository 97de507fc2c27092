"""Quitting with calls that wait: asked once, never in the way, and never answered by itself."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting

from callgate.core.invocation import Decision
from callgate.ui.bridge import Bridge
from callgate.ui.leaving import Leaving
from callgate.ui.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("does not support")  # said by Qt's offscreen platform of raising


class Desk:
    def __init__(self, console: FakeConsole, bridge: Bridge, theme: Theme, window: QMainWindow) -> None:
        self.console, self.bridge, self.window = console, bridge, window
        self.tray = False
        self.left: list[int] = []
        self.leaving = Leaving(console, bridge, theme, window, has_tray=lambda: self.tray)
        self.leaving.left.connect(lambda: self.left.append(1))

    @property
    def asks(self) -> bool:
        return self.leaving.question.isVisible()

    def wait(self, *names: str) -> None:
        for number, name in enumerate(names):
            self.console.change(waiting(name, {"path": "secret"}, id=f"inv_{number}"))
        self.bridge.flush()

    def text(self, name: str) -> str:
        label = self.leaving.question.findChild(QLabel, name)
        assert label is not None
        return label.text()

    def button(self, name: str) -> QPushButton:
        return self.leaving.question.findChild(QPushButton, name)


@pytest.fixture
def desk(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> Iterator[Desk]:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    desk = Desk(console, bridge, theme, window)
    yield desk
    desk.leaving.close()


def test_where_nothing_waits_nothing_is_asked(desk: Desk) -> None:
    desk.leaving.request()
    assert desk.left == [1] and not desk.asks


def test_calls_that_wait_are_counted_and_named_without_arguments(desk: Desk) -> None:
    desk.wait("run_command", "run_command", "write_file", "a" * 90, "x\u202ey", "fetch")
    desk.leaving.request()
    assert desk.asks and desk.left == [] and not desk.leaving.question.isModal()
    assert desk.text("leavingHeading") == "6 calls are waiting"
    assert desk.text("leavingTools").startswith("run_command (2), write_file, aaa")
    assert desk.text("leavingTools").endswith(" and 2 more")
    assert desk.button("denyAndQuit").text() == "Deny them and quit"
    said = "".join(label.text() for label in desk.leaving.question.findChildren(QLabel))
    assert "secret" not in said


def test_one_call_is_one(desk: Desk) -> None:
    desk.wait("read_file")
    desk.leaving.request()
    assert desk.text("leavingHeading") == "1 call is waiting"
    assert desk.button("denyAndQuit").text() == "Deny it and quit"


def test_denying_and_quitting_leaves(desk: Desk) -> None:
    desk.wait("read_file")
    desk.leaving.request()
    QTest.mouseClick(desk.button("denyAndQuit"), Qt.MouseButton.LeftButton)
    assert desk.left == [1] and not desk.asks
    assert desk.console.decisions == [], "the calls are ended with their requests, not decided one by one"


def test_cancel_escape_and_closing_change_nothing(desk: Desk) -> None:
    desk.wait("read_file")
    for answer in (
        lambda: QTest.mouseClick(desk.button("cancelLeaving"), Qt.MouseButton.LeftButton),
        lambda: QTest.keyClick(desk.leaving.question, Qt.Key.Key_Escape),
        desk.leaving.question.close,
    ):
        desk.leaving.request()
        assert desk.asks
        answer()
        assert not desk.asks and desk.left == [] and desk.window.isVisible()


def test_enter_never_quits(desk: Desk) -> None:
    desk.wait("read_file")
    desk.leaving.request()
    QTest.keyClick(desk.leaving.question, Qt.Key.Key_Return)
    assert desk.left == []


def test_without_a_tray_it_goes_on_minimised(desk: Desk) -> None:
    desk.wait("read_file")
    desk.leaving.request()
    assert desk.button("keepRunning").text() == "Keep running minimised"
    desk.button("keepRunning").click()
    assert desk.window.isMinimized() and desk.left == [] and not desk.asks


def test_with_a_tray_it_goes_on_there(desk: Desk) -> None:
    desk.tray = True
    desk.wait("read_file")
    desk.leaving.request()
    assert desk.button("keepRunning").text() == "Keep running in the tray"
    desk.button("keepRunning").click()
    assert not desk.window.isVisible() and desk.left == []


def test_asking_again_brings_the_same_question_forward(desk: Desk) -> None:
    desk.wait("read_file")
    desk.leaving.request()
    question = desk.leaving.question
    question.setWindowState(Qt.WindowState.WindowMinimized)
    desk.leaving.request()
    assert question.isVisible() and not question.isMinimized() and desk.left == []


def test_it_follows_what_is_decided_meanwhile_and_never_quits_by_itself(desk: Desk) -> None:
    desk.wait("read_file", "write_file")
    desk.leaving.request()
    desk.console.decide("inv_0", Decision("deny"), "dialog")
    desk.bridge.flush()
    assert desk.text("leavingHeading") == "1 call is waiting"
    desk.console.decide("inv_1", Decision("approve"), "dialog")
    desk.bridge.flush()
    assert desk.text("leavingHeading") == "Nothing waiting any more"
    assert desk.asks and desk.left == [], "the call that was just approved would be stopped"
    desk.leaving.request()
    assert desk.left == []
    desk.button("denyAndQuit").click()
    assert desk.left == [1]


def test_the_question_comes_up_though_its_window_is_in_the_tray(desk: Desk) -> None:
    desk.window.hide()
    desk.wait("read_file")
    desk.leaving.request()
    assert desk.asks and desk.leaving.question.windowHandle().transientParent() is None
