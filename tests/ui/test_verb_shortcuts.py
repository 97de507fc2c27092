"""Keys decide where the call is looked at, and belong to a text where one is written."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.deliberate import RAISE_MS, Deliberation
from callgate.ui.verb_shortcuts import VerbShortcuts

CTRL = Qt.KeyboardModifier.ControlModifier


class Scene:
    """A scope with a filter, a text to read, and a bar that has a field of its own."""

    def __init__(self, qtbot: QtBot, arm_ms: int = 5) -> None:
        self.time = 100.0
        self.ran: list[str] = []
        self.scope, self.bar = QWidget(), QWidget()
        qtbot.addWidget(self.scope)
        self.filter, self.field, self.reading = QLineEdit("two words"), QLineEdit("two words"), QPlainTextEdit("text")
        self.reading.setReadOnly(True)
        QVBoxLayout(self.bar).addWidget(self.field)
        column = QVBoxLayout(self.scope)
        for widget in (self.filter, self.reading, self.bar):
            column.addWidget(widget)
        self.deliberation = Deliberation(self.bar, arm_ms, lambda: self.time)
        self.keys = VerbShortcuts(self.bar, self.scope, self.deliberation, **{verb: self.note(verb) for verb in VERBS})
        self.keys.offer(confirm=True, choose=True)
        self.scope.show()
        self.scope.activateWindow()
        qtbot.waitUntil(self.scope.isActiveWindow, timeout=2000)
        qtbot.waitUntil(lambda: self.deliberation.armed, timeout=2000)
        self.time += RAISE_MS / 1000

    def note(self, verb: str) -> Callable[[], None]:
        return lambda: self.ran.append(verb)

    def press(self, target: QWidget, key: Qt.Key) -> None:
        target.setFocus()
        QTest.keyClick(target, key, CTRL)


VERBS = ("confirm", "refuse", "edit")
KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_E)


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene(qtbot)


def test_with_the_focus_on_the_text_of_the_call_each_key_runs_its_verb(scene: Scene) -> None:
    for key in KEYS:
        scene.press(scene.reading, key)
    assert scene.ran == list(VERBS)


def test_a_filter_of_other_calls_decides_nothing_and_keeps_its_keys(scene: Scene) -> None:
    for key in KEYS:
        scene.press(scene.filter, key)
    assert scene.ran == []
    assert scene.filter.text() == "two ", "Ctrl+Backspace deleted a word"


def test_a_field_of_the_bar_can_be_finished_and_nothing_else(scene: Scene) -> None:
    for key in KEYS:
        scene.press(scene.field, key)
    assert scene.ran == ["confirm"]
    assert scene.field.text() == "two "


def test_what_is_not_offered_does_not_run(scene: Scene) -> None:
    scene.keys.offer(confirm=True, choose=False)
    for key in KEYS:
        scene.press(scene.reading, key)
    assert scene.ran == ["confirm"]


def test_keys_that_come_with_the_window_are_taken_for_another_one(scene: Scene) -> None:
    absorbed: list[bool] = []
    scene.deliberation.absorbed.connect(lambda: absorbed.append(True))
    QApplication.sendEvent(scene.bar, QEvent(QEvent.Type.WindowActivate))
    scene.press(scene.reading, Qt.Key.Key_Return)
    assert (scene.ran, absorbed) == ([], [True])
    scene.time += RAISE_MS / 1000
    scene.press(scene.reading, Qt.Key.Key_Return)
    assert scene.ran == ["confirm"]


def test_a_bar_that_goes_before_its_scope_takes_its_keys_along(qtbot: QtBot, scene: Scene) -> None:
    scene.bar.deleteLater()
    qtbot.waitUntil(lambda: not scene.scope.findChildren(QShortcut), timeout=2000)
    for key in KEYS:
        scene.press(scene.reading, key)
    assert scene.ran == []
