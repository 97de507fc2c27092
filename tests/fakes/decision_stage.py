"""A decision bar in an active window, over a console in which a call waits."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.core.calls.invocation import Decision, Invocation
from callgate.ui.decision.chords import DecisionChords
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.remember_row import RememberRow
from callgate.ui.decision.scope_box import ScopeBox
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


class Stage:
    """Finds the parts of the bar by name and presses them."""

    def __init__(self, qtbot: QtBot, console: FakeConsole, theme: Theme, arm_ms: int = 0) -> None:
        self.console = console
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.outside = QLineEdit()
        self.bar = DecisionBar(console, theme, "card", arm_ms=arm_ms)
        self.chords = DecisionChords(lambda: self.bar, lambda _: None, lambda: None, self.window)
        self.chords.add_window(self.window)
        column = QVBoxLayout(self.window)
        column.addWidget(self.outside)
        column.addWidget(self.bar)
        self.window.resize(800, 300)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)

    def wait(self, invocation: Invocation) -> Invocation:
        self.console.change(invocation)
        self.bar.show_invocation(invocation)
        return invocation

    def button(self, name: str) -> QPushButton:
        found = self.bar.findChild(QPushButton, name)
        assert found is not None
        return found

    def click(self, name: str) -> None:
        QTest.mouseClick(self.button(name), LEFT)

    @property
    def reason(self) -> QLineEdit:
        found = self.bar.findChild(QLineEdit, "denyReason")
        assert found is not None
        return found

    @property
    def editor(self) -> QPlainTextEdit:
        found = self.bar.findChild(QPlainTextEdit, "argumentsEditor")
        assert found is not None
        return found

    @property
    def answer(self) -> QPlainTextEdit:
        found = self.bar.findChild(QPlainTextEdit, "answerText")
        assert found is not None
        return found

    @property
    def scope(self) -> ScopeBox:
        found = self.bar.findChild(ScopeBox, "rememberScope")
        assert found is not None
        return found

    @property
    def remember(self) -> RememberRow:
        found = self.bar.findChild(RememberRow, "rememberRow")
        assert found is not None
        return found

    @property
    def typed_name(self) -> QLineEdit:
        found = self.bar.findChild(QLineEdit, "typedName")
        assert found is not None
        return found

    def label(self, name: str) -> str:
        found = self.bar.findChild(QLabel, name)
        assert found is not None
        return found.text() if not found.isHidden() else ""

    @property
    def decided(self) -> list[Decision]:
        return [decision for _, decision, _ in self.console.decisions]
