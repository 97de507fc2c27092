from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.tools.detail_page import DetailPage


def _seen(page: DetailPage) -> set[str]:
    return {label.text() for label in page.findChildren(QLabel) if label.isVisible() and label.text()}


def test_a_page_without_a_tool_says_how_to_get_one_and_escape_leaves_it(theme: Theme, qtbot: QtBot) -> None:
    page, detail = DetailPage(theme), QLabel("the details")
    qtbot.addWidget(page)
    page.hold(detail)
    detail.hide()
    page.show()
    assert "Choose a tool" in _seen(page)
    detail.show()
    page.show_detail(True)
    assert _seen(page) == {"the details"}
    with qtbot.waitSignal(page.closed, timeout=1000):
        qtbot.keyClick(page, Qt.Key.Key_Escape)
