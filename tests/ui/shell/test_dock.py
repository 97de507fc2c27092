from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QToolButton
from pytestqt.qtbot import QtBot

from callgate.ui.shell.dock import Dock
from callgate.ui.theme.theme import Theme


@pytest.fixture
def dock(theme: Theme, qtbot: QtBot) -> Iterator[Dock]:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = Dock("toolsDock", "Tools", QLabel("content"), theme)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.show()
    yield dock
    window.close()


def test_its_button_hides_it_and_the_action_brings_it_back(dock: Dock) -> None:
    dock.findChild(QToolButton).click()
    assert dock.isHidden()
    dock.toggleViewAction().trigger()
    assert not dock.isHidden()


def test_the_title_carries_a_count_and_gives_way_to_a_tab(dock: Dock) -> None:
    dock.set_count("3 waiting")
    assert {"Tools", "3 waiting"} <= {label.text() for label in dock.titleBarWidget().findChildren(QLabel)}
    dock.set_titled(False)
    assert dock.titleBarWidget().findChildren(QLabel) == []
    dock.set_titled(True)
    assert dock.titleBarWidget().isVisibleTo(dock)
