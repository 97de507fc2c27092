from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.copy_button import CopyButton


def test_a_click_copies_what_the_text_is_then_and_says_so_for_a_while(
    theme: Theme, qtbot: QtBot, qapp: QApplication
) -> None:
    text = "before"
    button = CopyButton(theme, lambda: text, "the address")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Copy the address"
    text = "after"
    button.click()
    assert qapp.clipboard().text() == "after"
    assert button.toolTip() == "Copied"
    qtbot.waitUntil(lambda: button.toolTip() == "Copy the address", timeout=5000)
