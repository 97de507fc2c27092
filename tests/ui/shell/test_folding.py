import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from callgate.ui.shell.dock import Dock
from callgate.ui.shell.folding import NARROW, Folding
from callgate.ui.theme.theme import Theme

Parts = tuple[QMainWindow, Dock, Dock, Folding]


@pytest.fixture
def parts(theme: Theme, qtbot: QtBot) -> Parts:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLabel("centre"))
    first = Dock("first", "First", QLabel("a"), theme)
    second = Dock("second", "Second", QLabel("b"), theme)
    window.resize(1280, 700)
    folding = Folding(window, first, second, (290, 240))
    folding.place(1280)
    window.show()
    QApplication.processEvents()
    return window, first, second, folding


def test_a_wide_window_has_both_side_by_side(parts: Parts) -> None:
    _, first, second, _ = parts
    assert first.width() == 290 and second.width() == 240
    assert second.x() > first.x()


def test_a_narrow_window_has_them_as_tabs_and_a_wide_one_side_by_side_again(parts: Parts) -> None:
    window, first, second, folding = parts
    folding.fit(NARROW - 1)
    assert window.tabifiedDockWidgets(first) == [second]
    folding.fit(NARROW)
    QApplication.processEvents()
    assert window.tabifiedDockWidgets(first) == []
    assert first.width() == 290 and second.width() == 240


def test_a_pane_that_was_hidden_stays_hidden(parts: Parts) -> None:
    _, _, second, folding = parts
    second.hide()
    folding.fit(NARROW - 1)
    folding.fit(NARROW)
    assert second.isHidden()


def test_a_pane_that_the_person_has_moved_is_left_alone(parts: Parts) -> None:
    window, first, second, folding = parts
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, second)
    folding.fit(NARROW - 1)
    assert window.tabifiedDockWidgets(first) == []
    folding.place(NARROW)
    assert window.dockWidgetArea(second) == Qt.DockWidgetArea.LeftDockWidgetArea
