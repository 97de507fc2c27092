"""Chords decide from anywhere in a window, and belong to a text where one is written: the table of the module."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting

from callgate.ui.decision.chords import DecisionChords
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.theme.theme import Theme

CTRL = Qt.KeyboardModifier.ControlModifier
ENTER, BACKSPACE, E = Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_E


class Scene:
    """A window with one widget of each kind, and the bar of a waiting call."""

    def __init__(self, qtbot: QtBot, console: FakeConsole, theme: Theme) -> None:
        self.console = console
        self.window, self.part = QWidget(), QWidget()
        qtbot.addWidget(self.window)
        self.bar: DecisionBar | None = DecisionBar(console, theme, "card", arm_ms=0)
        reading = QPlainTextEdit("text")
        reading.setReadOnly(True)
        self.claimed: list[int] = []
        own = QShortcut(QKeySequence("Ctrl+Return"), self.part)
        own.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        own.activated.connect(lambda: self.claimed.append(1))
        inside = QLineEdit("two words")
        QVBoxLayout(self.part).addWidget(inside)
        self.widgets: dict[str, QWidget] = {
            "reading": reading,
            "list": QListWidget(),
            "button": QPushButton("Other"),
            "bar": self.bar,
            "filter": QLineEdit("two words"),
            "message": QPlainTextEdit("two words"),
            "part": inside,
        }
        column = QVBoxLayout(self.window)
        for widget in (*list(self.widgets.values())[:-1], self.part):
            column.addWidget(widget)
        self.walked: list[int] = []
        self.chords = DecisionChords(lambda: self.bar, self.walked.append, lambda: self.walked.append(0), self.window)
        self.chords.add_window(self.window, has_palette=True)
        console.change(waiting())
        self.bar.show_invocation(console.waiting()[0])
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)

    def press(self, where: str, key: Qt.Key, *more: Qt.KeyboardModifier) -> None:
        self.widgets[where].setFocus()
        modifiers = CTRL
        for each in more:
            modifiers |= each
        QTest.keyClick(self.widgets[where], key, modifiers)

    @property
    def outcome(self) -> str:
        verbs = [decision.verb for _, decision, _ in self.console.decisions]
        mode = "" if self.bar is None or self.bar.mode == "verbs" else self.bar.mode
        return ",".join([*verbs, *filter(None, [mode])])


@pytest.fixture
def scene(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Callable[[], Scene]:
    return lambda: Scene(qtbot, console, theme)


@pytest.mark.parametrize(
    ("where", "outcomes"),
    [
        ("reading", ("approve", "deny", "edit")),
        ("list", ("approve", "deny", "edit")),
        ("button", ("approve", "deny", "edit")),
        ("bar", ("approve", "deny", "edit")),
        ("filter", ("approve", "", "")),
        ("message", ("", "", "")),
        ("part", ("", "", "")),
    ],
)
@pytest.mark.parametrize("chord", [0, 1, 2])
def test_where_the_focus_is(scene: Callable[[], Scene], where: str, outcomes: tuple[str, ...], chord: int) -> None:
    stage = scene()
    stage.press(where, (ENTER, BACKSPACE, E)[chord])
    assert stage.outcome == outcomes[chord]
    assert stage.claimed == ([1] if (where, chord) == ("part", 0) else [])
    written = stage.widgets["filter"]
    assert isinstance(written, QLineEdit)
    assert written.text() == ("two " if (where, chord) == ("filter", 1) else "two words")


def test_in_a_denial_ctrl_enter_does_nothing_and_an_empty_reason_denies_by_ctrl_backspace(
    scene: Callable[[], Scene],
) -> None:
    stage = scene()
    assert stage.bar is not None
    stage.bar._open_denial()
    for where in ("bar", "reading", "list"):
        stage.press(where, ENTER)
    reason = stage.bar.findChild(QLineEdit, "denyReason")
    assert reason is not None
    stage.widgets["reason"] = reason
    QTest.keyClicks(reason, "why not")
    stage.press("reason", ENTER)
    stage.press("reason", BACKSPACE)
    assert stage.outcome == "deny" and stage.console.decisions == [] and reason.text() == "why "
    stage.press("reason", BACKSPACE)
    assert stage.console.decisions == []
    stage.press("reason", BACKSPACE)
    assert [decision.verb for _, decision, _ in stage.console.decisions] == ["deny"]


def test_with_nothing_up_they_do_nothing(scene: Callable[[], Scene]) -> None:
    stage = scene()
    stage.bar = None
    for key in (ENTER, BACKSPACE, E):
        stage.press("reading", key)
    assert stage.console.decisions == []


def test_they_walk(scene: Callable[[], Scene]) -> None:
    stage = scene()
    stage.press("reading", Qt.Key.Key_J)
    stage.press("message", Qt.Key.Key_J, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(stage.widgets["filter"], Qt.Key.Key_F8)
    stage.press("reading", Qt.Key.Key_K)
    assert stage.walked == [1, -1, 0], "Ctrl+K opens the palette of this window"


def test_in_a_window_without_a_palette_ctrl_k_walks_back(qtbot: QtBot, scene: Callable[[], Scene]) -> None:
    stage = scene()
    dialog = QWidget()
    qtbot.addWidget(dialog)
    stage.chords.add_window(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=2000)
    for key in (Qt.Key.Key_J, Qt.Key.Key_K):
        QTest.keyClick(dialog, key, CTRL)
    QTest.keyClick(dialog, Qt.Key.Key_J, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert stage.walked == [1, -1, -1]


def test_a_window_that_goes_takes_its_keys_along(qtbot: QtBot, scene: Callable[[], Scene]) -> None:
    stage = scene()
    other = QWidget()
    stage.chords.add_window(other)
    other.show()
    gone: list[int] = []
    other.destroyed.connect(lambda: gone.append(1))
    other.deleteLater()
    qtbot.waitUntil(lambda: bool(gone), timeout=2000)
    stage.window.activateWindow()
    qtbot.waitUntil(stage.window.isActiveWindow, timeout=2000)
    stage.press("reading", ENTER)
    assert stage.outcome == "approve"
