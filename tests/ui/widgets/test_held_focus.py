"""The keyboard stays where it is when buttons come and go."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.widgets.held_focus import hold_focus


def test_a_button_gives_the_focus_to_the_bar_and_a_text_keeps_it(qtbot: QtBot) -> None:
    bar = QWidget()
    bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    qtbot.addWidget(bar)
    button, field = QPushButton("x"), QLineEdit()
    column = QVBoxLayout(bar)
    column.addWidget(button)
    column.addWidget(field)
    bar.show()
    bar.activateWindow()
    qtbot.waitUntil(bar.isActiveWindow)
    button.setFocus()
    hold_focus(bar)
    assert bar.hasFocus()
    field.setFocus()
    hold_focus(bar)
    assert field.hasFocus()
