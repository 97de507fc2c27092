"""A field is emptied by a button that looks like all others, in either theme."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.clear_button import add_clear_button


def test_it_empties_the_field_and_follows_the_theme(qtbot: QtBot, theme: Theme) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    add_clear_button(field, theme)
    field.show()
    field.setText("clock")
    button = field.findChild(QToolButton)
    for mode in ("light", "dark"):
        theme.set_mode(mode)
        assert button.icon().cacheKey() == theme.icon("cancelled", "text3").cacheKey()
    qtbot.waitUntil(button.isVisible)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert field.text() == ""
