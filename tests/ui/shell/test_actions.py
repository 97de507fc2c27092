from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenuBar
from pytestqt.qtbot import QtBot

from callgate.ui.shell.actions import Actions


def test_every_action_is_in_a_menu_and_no_key_is_given_twice(qtbot: QtBot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    actions = Actions(bar)
    pane = QAction("Tools", bar)
    actions.fill(bar, [pane])
    listed = [action for menu in bar.actions() for action in menu.menu().actions()]
    assert pane in listed
    assert set(actions.findChildren(QAction)) <= set(listed)
    keys = [key.toString() for action in listed for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+1", "Ctrl+4", "Ctrl+N", "Ctrl+Q", "Ctrl+F", "/", "Ctrl+Shift+L"} <= set(keys)
    assert "Esc" not in keys
