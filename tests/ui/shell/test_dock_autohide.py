"""Panes make room for a page that needs the whole width, and come back as they stood."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.shell.dock_autohide import DockAutohide


class Stage:
    def __init__(self, qtbot: QtBot) -> None:
        self.window, self.pages = QMainWindow(), QStackedWidget()
        self.talk, self.wide = QWidget(), QWidget()
        self.pages.addWidget(self.talk)
        self.pages.addWidget(self.wide)
        self.window.setCentralWidget(self.pages)
        self.left, self.right = QDockWidget(), QDockWidget()
        for name, dock in (("left", self.left), ("right", self.right)):
            dock.setObjectName(name)
            dock.setWidget(QWidget())
            self.window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
        DockAutohide(self.window, self.wide, ("left", "right", "missing"))
        qtbot.addWidget(self.window)
        self.window.show()

    @property
    def hidden(self) -> list[bool]:
        return [self.left.isHidden(), self.right.isHidden()]


def test_panes_make_room_and_come_back(qtbot: QtBot) -> None:
    stage = Stage(qtbot)
    stage.pages.setCurrentWidget(stage.wide)
    assert stage.hidden == [True, True]
    stage.pages.setCurrentWidget(stage.talk)
    assert stage.hidden == [False, False]


def test_what_the_person_had_hidden_stays_hidden(qtbot: QtBot) -> None:
    stage = Stage(qtbot)
    stage.left.hide()
    stage.pages.setCurrentWidget(stage.wide)
    stage.pages.setCurrentWidget(stage.talk)
    assert stage.hidden == [True, False]


def test_of_tabs_the_one_on_top_is_on_top_again(qtbot: QtBot) -> None:
    stage = Stage(qtbot)
    stage.window.tabifyDockWidget(stage.left, stage.right)
    stage.right.raise_()
    qtbot.waitUntil(lambda: not stage.right.visibleRegion().isEmpty())
    stage.pages.setCurrentWidget(stage.wide)
    assert stage.hidden == [True, True]
    stage.pages.setCurrentWidget(stage.talk)
    qtbot.waitUntil(lambda: not stage.right.visibleRegion().isEmpty())
    assert stage.left.visibleRegion().isEmpty()


def test_a_window_is_remembered_without_the_page(qtbot: QtBot) -> None:
    stage = Stage(qtbot)
    stage.pages.setCurrentWidget(stage.wide)
    stage.window.close()
    assert stage.hidden == [False, False]
    stage.window.show()
    assert stage.hidden == [True, True], "the page is still the one on show"
