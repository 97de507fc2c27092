"""A press that was not meant does nothing."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.deliberate import HOLD_MS, RAISE_MS, DeliberateButton, Deliberation

LEFT = Qt.MouseButton.LeftButton


class Scene:
    """A window with a field and one button, and a clock that the test turns."""

    def __init__(self, qtbot: QtBot, arm_ms: int = 5) -> None:
        self.time = 100.0
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.field = QLineEdit()
        self.bar = QWidget()
        self.deliberation = Deliberation(self.bar, arm_ms, lambda: self.time)
        self.button = DeliberateButton("Approve", self.deliberation)
        QVBoxLayout(self.bar).addWidget(self.button)
        column = QVBoxLayout(self.window)
        column.addWidget(self.field)
        column.addWidget(self.bar)
        self.presses: list[bool] = []
        self.button.clicked.connect(lambda: self.presses.append(True))

    def show(self, qtbot: QtBot, *, active: bool = True) -> None:
        self.window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not active)
        self.window.show()
        if active:
            self.window.activateWindow()
            qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)
        qtbot.waitUntil(lambda: self.deliberation.armed, timeout=2000)
        self.time += RAISE_MS / 1000

    def send(self, kind: QEvent.Type) -> None:
        QApplication.sendEvent(self.bar, QEvent(kind))


@pytest.fixture
def scene(qtbot: QtBot) -> Callable[..., Scene]:
    return lambda **given: Scene(qtbot, **given)


def test_it_arms_only_after_its_time_on_the_screen(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene(arm_ms=60)
    assert not stage.deliberation.armed
    stage.window.show()
    assert not stage.deliberation.armed
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == []
    qtbot.waitUntil(lambda: stage.deliberation.armed, timeout=2000)


def test_something_else_shown_disarms_it_and_so_does_hiding(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    heard: list[bool] = []
    stage.deliberation.armed_changed.connect(heard.append)
    stage.deliberation.rearm()
    assert not stage.deliberation.armed
    qtbot.waitUntil(lambda: stage.deliberation.armed, timeout=2000)
    stage.window.hide()
    assert not stage.deliberation.armed
    assert heard == [False, True]
    stage.window.show()
    assert heard[2] is False


def test_a_click_in_an_active_window_counts(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == [True]


def test_the_click_right_after_the_window_came_forward_is_absorbed(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    absorbed: list[int] = []
    stage.deliberation.absorbed.connect(lambda: absorbed.append(1))
    stage.send(QEvent.Type.WindowDeactivate)
    stage.send(QEvent.Type.WindowActivate)
    QTest.mouseClick(stage.button, LEFT)
    assert (stage.presses, absorbed) == ([], [1])
    stage.time += RAISE_MS / 1000
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == [True]


def test_a_click_into_an_inactive_window_only_raises_it(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    other = QWidget()
    qtbot.addWidget(other)
    stage.show(qtbot)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow, timeout=2000)
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == []
    stage.time += RAISE_MS / 1000
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == [True]


def test_the_second_half_of_a_double_click_is_no_second_press(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    QTest.mouseClick(stage.button, LEFT)
    QTest.mouseDClick(stage.button, LEFT)
    assert stage.presses == [True]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_it_only_when_the_focus_was_put_there_on_purpose(
    qtbot: QtBot, scene: Callable[..., Scene], key: Qt.Key
) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(stage.button, key)
    assert stage.presses == []
    stage.field.setFocus()
    QTest.keyClick(stage.field, Qt.Key.Key_Tab)
    assert stage.button.hasFocus()
    QTest.keyClick(stage.button, key)
    assert stage.presses == []  # typed before anyone could see where the focus is
    stage.time += RAISE_MS / 1000
    QTest.keyClick(stage.button, key)
    assert stage.presses == [True]


def test_focus_that_came_back_with_the_window_is_not_on_purpose(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
    stage.time += RAISE_MS / 1000
    QTest.keyClick(stage.button, Qt.Key.Key_Space)
    assert stage.presses == []


def test_purpose_does_not_outlive_what_was_shown(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.setFocus(Qt.FocusReason.TabFocusReason)
    stage.deliberation.rearm()
    qtbot.waitUntil(lambda: stage.deliberation.armed, timeout=2000)
    QTest.keyClick(stage.button, Qt.Key.Key_Return)
    assert stage.presses == []


def test_a_key_that_is_held_down_presses_once(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.setFocus(Qt.FocusReason.TabFocusReason)
    stage.time += RAISE_MS / 1000
    none = Qt.KeyboardModifier.NoModifier
    for repeated in (False, True, True):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, none, "\r", repeated)
        QApplication.sendEvent(stage.button, event)
    assert stage.presses == [True]


def test_it_is_never_a_default_button(scene: Callable[..., Scene]) -> None:
    stage = scene()
    assert not stage.button.autoDefault()
    assert not stage.button.isDefault()


# ---- holding -------------------------------------------------------------------------------------------------------


@pytest.fixture
def held(qtbot: QtBot, scene: Callable[..., Scene]) -> Scene:
    """A button that wants to be held for 700 ms, shown and armed."""
    stage = scene()
    stage.button.set_hold(HOLD_MS)
    stage.show(qtbot)
    return stage


def _go_on(stage: Scene, seconds: float) -> None:
    stage.time += seconds
    stage.button._frames.timeout.emit()


def test_a_hold_counts_when_it_has_lasted(held: Scene) -> None:
    by_hold: list[bool] = []
    held.button.clicked.connect(lambda: by_hold.append(held.button.held))
    QTest.mousePress(held.button, LEFT)
    _go_on(held, 0.5)
    assert held.presses == [] and 0.7 < held.button.progress < 0.75
    _go_on(held, 0.25)
    assert held.presses == [True] and by_hold == [True]
    QTest.mouseRelease(held.button, LEFT)
    assert held.presses == [True] and not held.button.held


def test_letting_go_early_is_told_and_does_nothing(held: Scene) -> None:
    let_go: list[int] = []
    held.button.let_go.connect(lambda: let_go.append(1))
    QTest.mouseClick(held.button, LEFT)
    assert (held.presses, let_go, held.button.progress) == ([], [1], 0.0)
    _go_on(held, 5)
    assert held.presses == []


def test_moving_off_the_button_lets_go(held: Scene) -> None:
    QTest.mousePress(held.button, LEFT)
    QTest.mouseMove(held.button, held.button.rect().bottomRight() + held.button.rect().bottomRight())
    _go_on(held, 5)
    assert held.presses == []


@pytest.mark.parametrize("how", ["disabled", "hidden", "rearmed", "another_time"])
def test_a_button_that_changes_under_the_hand_lets_go(held: Scene, how: str) -> None:
    QTest.mousePress(held.button, LEFT)
    match how:
        case "disabled":
            held.button.setEnabled(False)
        case "hidden":
            held.button.hide()
        case "rearmed":
            held.deliberation.rearm()
        case _:
            held.button.set_hold(0)
    _go_on(held, 5)
    assert held.presses == []


def test_a_key_can_be_held_instead_and_repeats_do_not_count(held: Scene) -> None:
    held.button.setFocus(Qt.FocusReason.TabFocusReason)
    held.time += 1
    QTest.keyPress(held.button, Qt.Key.Key_Space)
    repeat = QKeyEvent(QEvent.Type.KeyRelease, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ", True)
    QApplication.sendEvent(held.button, repeat)
    _go_on(held, 0.8)
    assert held.presses == [True]
    QTest.keyRelease(held.button, Qt.Key.Key_Space)
    QTest.keyClick(held.button, Qt.Key.Key_Return)
    assert held.presses == [True]


def test_a_click_from_elsewhere_is_told_apart_from_a_hold(held: Scene) -> None:
    by_hold: list[bool] = []
    held.button.clicked.connect(lambda: by_hold.append(held.button.held))
    held.button.click()
    assert by_hold == [False]


def test_the_progress_can_be_seen(held: Scene) -> None:
    QTest.mousePress(held.button, LEFT)
    begun = held.button.grab().toImage()
    held.time += 0.4
    assert held.button.grab().toImage() != begun
