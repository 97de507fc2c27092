"""The keys of the verbs."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.decision.verb_keys import CONFIRM, EDIT, REFUSE, shortcut, shown_keys


def test_every_key_needs_a_modifier() -> None:
    assert all(key.startswith("Ctrl+") for keys in (CONFIRM, REFUSE, EDIT) for key in keys)
    assert shown_keys("Ctrl+Return") == "Ctrl+⏎" and shown_keys("Ctrl+Backspace") == "Ctrl+⌫"


def test_a_shortcut_works_anywhere_in_its_window(qtbot: QtBot) -> None:
    window, scope, outside = QWidget(), QWidget(), QLineEdit()
    qtbot.addWidget(window)
    inside = QLineEdit(scope)
    column = QVBoxLayout(window)
    column.addWidget(scope)
    column.addWidget(outside)
    pressed: list[int] = []
    shortcut(scope, CONFIRM, lambda: pressed.append(1))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=2000)
    outside.setFocus()
    QTest.keyClick(outside, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert pressed == [1]
    inside.setFocus()
    QTest.keyClick(inside, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert pressed == [1, 1]
