"""Quitting with calls that wait: asked once, never in the way, and never answered by itself."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting

from callgate.core.calls.invocation import Decision
from callgate.ui.bridge import Bridge
from callgate.ui.shell.leaving import Leaving
from callgate.ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("does not support")  # said by Qt's offscreen platform of raising


class Service:
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
def service(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> Iterator[Service]:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    service = Service(console, bridge, theme, window)
    yield service
    service.leaving.close()


def test_where_nothing_waits_nothing_is_asked(service: Service) -> None:
    service.leaving.request()
    assert service.left == [1] and not service.asks


def test_calls_that_wait_are_counted_and_named_without_arguments(service: Service) -> None:
    service.wait("run_command", "run_command", "write_file", "a" * 90, "x\u202ey", "fetch")
    service.leaving.request()
    assert service.asks and service.left == [] and not service.leaving.question.isModal()
    assert service.text("leavingHeading") == "6 calls are waiting"
    assert service.text("leavingTools").startswith("run_command (2), write_file, aaa")
    assert service.text("leavingTools").endswith(" and 2 more")
    assert service.button("denyAndQuit").text() == "Deny them and quit"
    said = "".join(label.text() for label in service.leaving.question.findChildren(QLabel))
    assert "secret" not in said


def test_one_call_is_one(service: Service) -> None:
    service.wait("read_file")
    service.leaving.request()
    assert service.text("leavingHeading") == "1 call is waiting"
    assert service.button("denyAndQuit").text() == "Deny it and quit"


def test_denying_and_quitting_leaves(service: Service) -> None:
    service.wait("read_file")
    service.leaving.request()
    QTest.mouseClick(service.button("denyAndQuit"), Qt.MouseButton.LeftButton)
    assert service.left == [1] and not service.asks
    assert service.console.decisions == [], "the calls are ended with their requests, not decided one by one"


def test_cancel_escape_and_closing_change_nothing(service: Service) -> None:
    service.wait("read_file")
    for answer in (
        lambda: QTest.mouseClick(service.button("cancelLeaving"), Qt.MouseButton.LeftButton),
        lambda: QTest.keyClick(service.leaving.question, Qt.Key.Key_Escape),
        service.leaving.question.close,
    ):
        service.leaving.request()
        assert service.asks
        answer()
        assert not service.asks and service.left == [] and service.window.isVisible()


def test_enter_never_quits(service: Service) -> None:
    service.wait("read_file")
    service.leaving.request()
    QTest.keyClick(service.leaving.question, Qt.Key.Key_Return)
    assert service.left == []


def test_without_a_tray_it_goes_on_minimised(service: Service) -> None:
    service.wait("read_file")
    service.leaving.request()
    assert service.button("keepRunning").text() == "Keep running minimised"
    service.button("keepRunning").click()
    assert service.window.isMinimized() and service.left == [] and not service.asks


def test_with_a_tray_it_goes_on_there(service: Service) -> None:
    service.tray = True
    service.wait("read_file")
    service.leaving.request()
    assert service.button("keepRunning").text() == "Keep running in the tray"
    service.button("keepRunning").click()
    assert not service.window.isVisible() and service.left == []


def test_asking_again_brings_the_same_question_forward(service: Service) -> None:
    service.wait("read_file")
    service.leaving.request()
    question = service.leaving.question
    question.setWindowState(Qt.WindowState.WindowMinimized)
    service.leaving.request()
    assert question.isVisible() and not question.isMinimized() and service.left == []


def test_it_follows_what_is_decided_meanwhile_and_never_quits_by_itself(service: Service) -> None:
    service.wait("read_file", "write_file")
    service.leaving.request()
    service.console.decide("inv_0", Decision("deny"), "dialog")
    service.bridge.flush()
    assert service.text("leavingHeading") == "1 call is waiting"
    service.console.decide("inv_1", Decision("approve"), "dialog")
    service.bridge.flush()
    assert service.text("leavingHeading") == "Nothing waiting any more"
    assert service.asks and service.left == [], "the call that was just approved would be stopped"
    service.leaving.request()
    assert service.left == []
    service.button("denyAndQuit").click()
    assert service.left == [1]


def test_the_question_comes_up_though_its_window_is_in_the_tray(service: Service) -> None:
    service.window.hide()
    service.wait("read_file")
    service.leaving.request()
    assert service.asks and service.leaving.question.windowHandle().transientParent() is None
