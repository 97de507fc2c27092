"""One inspector, two seats: it is where it was asked for last, also after a restart."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.home import InspectorHome
from callgate.ui.traffic.inspector.inspector import WireInspector


class Stage:
    """A window with a page for it and a dock for it."""

    def __init__(self, home: InspectorHome) -> None:
        self.home = home
        self.window, self.pages, self.dock, self.talk = QMainWindow(), QStackedWidget(), QDockWidget(), QWidget()
        self.pages.addWidget(self.talk)
        self.pages.addWidget(home.page)
        self.window.setCentralWidget(self.pages)
        self.dock.setWidget(home.pane)
        self.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.hide()
        home.page_wanted.connect(lambda: self.pages.setCurrentWidget(home.page))
        home.pane_wanted.connect(self.dock.show)
        home.page_left.connect(lambda: self.pages.setCurrentWidget(self.talk))
        self.window.show()


@pytest.fixture
def make(
    qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings
) -> Callable[[], tuple[WireInspector, Stage]]:
    def build() -> tuple[WireInspector, Stage]:
        inspector = WireInspector(console, bridge, theme, settings=settings)
        stage = Stage(InspectorHome(inspector, settings))
        qtbot.addWidget(stage.window)
        return inspector, stage

    return build


def test_at_first_it_has_the_whole_width(make: Callable[[], tuple[WireInspector, Stage]]) -> None:
    inspector, stage = make()
    stage.home.show()
    assert inspector.isVisible() and stage.home.page.isVisible() and stage.dock.isHidden()
    assert inspector.head.leave_button.isVisible()
    inspector.head.leave_button.click()
    assert not inspector.isVisible() and stage.talk.isVisible()


def test_a_button_moves_it_and_nothing_empty_stays_open(make: Callable[[], tuple[WireInspector, Stage]]) -> None:
    inspector, stage = make()
    stage.home.show()
    inspector.head.move_button.click()
    assert inspector.isVisible() and stage.dock.isVisible() and stage.talk.isVisible()
    assert not inspector.head.leave_button.isVisible()
    inspector.head.move_button.click()
    assert inspector.isVisible() and stage.home.page.isVisible() and stage.dock.isHidden()


def test_its_place_is_remembered(make: Callable[[], tuple[WireInspector, Stage]]) -> None:
    inspector, stage = make()
    stage.home.show()
    inspector.head.move_button.click()
    again, second = make()
    second.home.show()
    assert second.home.place == "pane" and again.isVisible() and second.dock.isVisible()


def test_escape_leaves_the_page(make: Callable[[], tuple[WireInspector, Stage]]) -> None:
    inspector, stage = make()
    stage.home.show()
    QTest.keyClick(inspector.tabs, Qt.Key.Key_Escape)
    assert stage.talk.isVisible()
