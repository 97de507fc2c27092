"""The box of a row stands out from the ground, ticked, half ticked or not, dark or light."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.composer.tool_chooser import TickDelegate
from callgate.ui.result_view.styled_text import contrast
from callgate.ui.theme.theme import Mode, Theme


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("state", list(Qt.CheckState))
def test_the_box_is_seen(qtbot: QtBot, theme: Theme, mode: Mode, state: Qt.CheckState) -> None:
    theme.set_mode(mode)
    tree = QTreeWidget()
    qtbot.addWidget(tree)
    tree.setStyleSheet(f"background: {theme.color('surface').name()}")
    tree.setItemDelegate(TickDelegate(theme, tree))
    item = QTreeWidgetItem(["read_file"])
    item.setSizeHint(0, QSize(100, 24))
    item.setCheckState(0, state)
    tree.addTopLevelItem(item)
    tree.resize(200, 100)
    picture = tree.viewport().grab().toImage()
    box = tree.visualItemRect(item)
    seen = [contrast(picture.pixelColor(x, box.center().y()), theme.color("surface")) for x in range(box.left(), 44)]
    assert max(seen) >= 3
