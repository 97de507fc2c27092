"""A press that was not meant does nothing."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.decision.click_guard import (
    FROM_ELSEWHERE,
    HOLD_MS,
    KEYS_FROM_ELSEWHERE,
    NOT_MOVED,
    RAISE_MS,
    STRAY,
    SWAP_MS,
    ClickGuard,
    Foreground,
    GuardedButton,
)

LEFT = Qt.MouseButton.LeftButton


class Scene:
    """A window with a field and one button, and a clock that the test turns."""

    def __init__(self, qtbot: QtBot, arm_ms: int = 5) -> None:
        self.time = 100.0
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.field = QLineEdit()
        self.bar = QWidget()
        self.foreground = Foreground(self.window, lambda: self.time, active=True)
        self.guard = ClickGuard(self.bar, arm_ms, lambda: self.time, self.foreground)
        self.said: list[str] = []
        self.guard.absorbed.connect(self.said.append)
        self.button = GuardedButton("Approve", self.guard)
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
        qtbot.waitUntil(lambda: self.guard.armed, timeout=2000)
        self.time += RAISE_MS / 1000

    def leave(self) -> None:
        """Another program gets the keyboard, for a while."""
        self.foreground.move(False)
        self.time += 1


@pytest.fixture
def scene(qtbot: QtBot) -> Callable[..., Scene]:
    return lambda **given: Scene(qtbot, **given)


def test_it_arms_only_after_its_time_on_the_screen(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene(arm_ms=60)
    assert not stage.guard.armed
    stage.window.show()
    assert not stage.guard.armed
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == []
    qtbot.waitUntil(lambda: stage.guard.armed, timeout=2000)


def test_something_else_shown_disarms_it_and_so_does_hiding(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    heard: list[bool] = []
    stage.guard.armed_changed.connect(heard.append)
    stage.guard.rearm()
    assert not stage.guard.armed
    qtbot.waitUntil(lambda: stage.guard.armed, timeout=2000)
    stage.window.hide()
    assert not stage.guard.armed
    assert heard == [False, True]
    stage.window.show()
    assert heard[2] is False


def test_a_click_in_an_active_window_counts(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == [True]


# ---- the table of rules --------------------------------------------------------------------------------------------

HERE, THERE, NEAR = QPoint(400, 300), QPoint(460, 300), QPoint(402, 301)
SHORT, LONG = RAISE_MS / 1000 - 0.05, RAISE_MS / 1000 + 0.05
ELSEWHERE = [("leave",), ("wait", 1.0)]
ROWS: dict[str, tuple[list[tuple[object, ...]], tuple[object, ...], tuple[bool, str]]] = {
    "b: a press with the program in front": ([], ("press", HERE), (True, "")),
    "b: forwarded before the window is activated": (ELSEWHERE, ("press", HERE), (False, FROM_ELSEWHERE)),
    "b: forwarded after the window is activated": ([*ELSEWHERE, ("come",)], ("press", HERE), (False, FROM_ELSEWHERE)),
    "b: activated a good while before": ([*ELSEWHERE, ("come",), ("wait", LONG)], ("press", HERE), (True, "")),
    "b: from one window of the program to another": (
        [("leave",), ("wait", SWAP_MS / 2000), ("come",)],
        ("press", HERE),
        (True, ""),
    ),
    "b: back from another program that had it for less than that": (
        [("leave",), ("wait", SWAP_MS / 2000), ("come back",)],
        ("press", HERE),
        (False, FROM_ELSEWHERE),
    ),
    "b: made as the window came, read late": (
        [*ELSEWHERE, ("come",), ("wait", LONG)],
        ("press", HERE, LONG),
        (False, FROM_ELSEWHERE),
    ),
    "c: made before it was armed, read after": (
        [("show",), ("wait", 1.0), ("arm",)],
        ("press", HERE, 0.1),
        (False, ""),
    ),
    "b: a chord in the program": ([], ("chord",), (True, "")),
    "b: a chord that comes with the window": ([*ELSEWHERE, ("come",)], ("chord",), (False, KEYS_FROM_ELSEWHERE)),
    "b: Enter in a field that comes with the window": ([*ELSEWHERE, ("come",)], ("enter",), (False, "")),
    "b: Enter after words that were written here": ([*ELSEWHERE, ("come",)], ("enter text",), (True, "")),
    "c: another call is shown": ([("show",)], ("press", HERE), (False, "")),
    "c: the chord for the call before": ([("show",)], ("chord",), (False, "")),
    "c: Enter for the call before": ([("show",)], ("enter",), (False, "")),
    "c: armed again": ([("show",), ("arm",)], ("press", HERE), (True, "")),
    "e: a second press at the same place": (
        [*ELSEWHERE, ("press", HERE), ("come",), ("wait", LONG)],
        ("press", NEAR),
        (False, NOT_MOVED),
    ),
    "e: a second press after moving": (
        [*ELSEWHERE, ("press", HERE), ("come",), ("wait", LONG)],
        ("press", THERE),
        (True, ""),
    ),
    "e: a second press after moving away and back": (
        [*ELSEWHERE, ("press", HERE), ("come",), ("wait", LONG), ("left", THERE)],
        ("press", HERE),
        (True, ""),
    ),
    "e: at once after moving, the window just activated": (
        [*ELSEWHERE, ("press", HERE), ("come",)],
        ("press", THERE),
        (True, ""),
    ),
    "e: at once without moving": ([*ELSEWHERE, ("come",), ("press", HERE)], ("press", HERE), (False, NOT_MOVED)),
    "e: a button that slides away under a resting pointer": (
        [*ELSEWHERE, ("press", HERE), ("come",), ("wait", LONG), ("left", HERE)],
        ("press", HERE),
        (False, NOT_MOVED),
    ),
    "e: a platform that never activates, after moving": (
        [*ELSEWHERE, ("press", HERE), ("wait", LONG)],
        ("press", THERE),
        (True, ""),
    ),
    "e: the same much later": (
        [*ELSEWHERE, ("press", HERE), ("wait", 60.0)],
        ("press", THERE),
        (False, FROM_ELSEWHERE),
    ),
    "e: a chord after an absorbed press": (
        [*ELSEWHERE, ("press", HERE), ("come",), ("wait", LONG)],
        ("chord",),
        (False, STRAY),
    ),
    "e: a chord after stray letters": ([("type", HERE)], ("chord",), (False, STRAY)),
    "e: long after stray letters": ([("type", HERE), ("wait", 60.0)], ("chord",), (False, STRAY)),
    "e: a press after stray letters, without moving": ([("type", HERE)], ("press", HERE), (False, NOT_MOVED)),
    "e: a chord after letters, and then to a button": ([("type", HERE), ("over", THERE)], ("chord",), (True, "")),
    "e: a button that slides under the pointer": ([("type", HERE), ("over", HERE)], ("chord",), (False, STRAY)),
    "e: a chord after letters, and then to a field": ([("type", HERE), ("focus",)], ("chord",), (True, "")),
    "e: Enter in a field that was written in": ([("type", HERE)], ("enter",), (True, "")),
}


def _play(stage: Scene, event: tuple[object, ...]) -> bool:
    match event:
        case ("leave",):
            stage.foreground.move(False)
        case ("come",):
            stage.foreground.move(True)
        case ("wait", float() as seconds):
            stage.time += seconds
        case ("show",):
            stage.guard.rearm()
            stage.guard._timer.stop()
        case ("arm",):
            stage.guard._arm()
        case ("type", QPoint() as pointer):
            stage.foreground.doubt(pointer)
        case ("over", QPoint() as pointer):
            stage.foreground.pointer_at(pointer)
        case ("left", QPoint() as pointer):
            stage.foreground.pointer_went(pointer)
        case ("focus",):
            stage.guard.watch_field(stage.field)
            QApplication.sendEvent(stage.field, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
        case ("come back",):
            stage.foreground.move(True, visited=True)
        case ("press", QPoint() as pointer):
            return stage.guard.accepts_press(pointer)
        case ("press", QPoint() as pointer, float() as age):
            return stage.guard.accepts_press(pointer, age)
        case ("chord",):
            return stage.guard.accepts_chord()
        case ("enter",):
            return stage.guard.accepts_field_key(written=False)
        case ("enter text",):
            return stage.guard.accepts_field_key(written=True)
        case _:
            raise AssertionError(event)
    return True


@pytest.mark.parametrize("row", ROWS)
def test_what_counts(qtbot: QtBot, scene: Callable[..., Scene], row: str) -> None:
    state, event, (counts, words) = ROWS[row]
    stage = scene()
    stage.show(qtbot)
    for before in state:
        _play(stage, before)
    stage.said.clear()
    assert _play(stage, event) is counts
    assert stage.said == ([words] if words else [])


def test_a_press_that_decides_nothing_is_never_swallowed(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.set_decides(False)
    stage.leave()
    QTest.mouseClick(stage.button, LEFT)
    assert (stage.presses, stage.said) == ([True], [])
    stage.foreground.move(True)
    stage.guard.rearm()
    QTest.mouseClick(stage.button, LEFT)
    assert stage.presses == [True, True]


def test_with_shift_it_decides_and_is_guarded(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    stage.button.set_decides(False, shifted=True)
    held: list[bool] = []
    stage.button.clicked.connect(lambda: held.append(stage.button.shifted))
    stage.leave()
    QTest.mouseClick(stage.button, LEFT, Qt.KeyboardModifier.ShiftModifier)
    assert held == [] and stage.said == [FROM_ELSEWHERE]
    QTest.mouseClick(stage.button, LEFT)
    stage.foreground.move(True)
    stage.foreground.trust()
    stage.time += 1
    QTest.mouseClick(stage.button, LEFT, Qt.KeyboardModifier.ShiftModifier)
    stage.button.click()
    assert held == [False, True, False]


def test_letters_that_no_field_takes_are_noticed(qtbot: QtBot, scene: Callable[..., Scene]) -> None:
    stage = scene()
    stage.show(qtbot)
    foreground = Foreground.of_program()
    assert foreground is Foreground.of_program()
    foreground.trust()  # it is the program's: earlier tests may have left it in doubt
    strayed: list[int] = []
    foreground.strayed.connect(lambda: strayed.append(1))
    QTest.keyClicks(stage.field, "in a field")
    QTest.keyClick(stage.window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(stage.window, Qt.Key.Key_Space)
    assert strayed == [] and not foreground.doubtful
    QTest.keyClicks(stage.window, "A1")
    assert strayed == [1, 1] and foreground.doubtful
    foreground.trust()


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
    stage.guard.rearm()
    qtbot.waitUntil(lambda: stage.guard.armed, timeout=2000)
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
            held.guard.rearm()
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
