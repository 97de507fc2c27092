from collections.abc import Callable

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLabel, QSplitter, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, sample_tools
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.detail import ToolDetail
from callgate.ui.tools.detail_home import BESIDE, DetailHome
from callgate.ui.tools.detail_page import DetailPage
from callgate.ui.tools.tool_cache import ToolCache


class Stage:
    """A tree with a page beside it, as the window has them."""

    def __init__(self, detail: ToolDetail, theme: Theme, settings: QSettings, has_page: bool = True) -> None:
        self.detail = detail
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.addWidget(QLabel("tree"))
        self.page = DetailPage(theme)
        self.home = DetailHome(detail, self.split, self.page if has_page else None, settings)
        self.page.wanted.connect(self.page.show)
        self.page.closed.connect(self.page.hide)
        self.split.resize(300, 700)
        self.split.show()
        detail.show_tool(sample_tools()[0])


@pytest.fixture
def make(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Callable[..., Stage]:
    def made(has_page: bool = True) -> Stage:
        detail = ToolDetail(console, bridge, theme, ToolCache(console, bridge))
        stage = Stage(detail, theme, settings, has_page)
        qtbot.addWidget(stage.split)
        qtbot.addWidget(stage.page)
        return stage

    return made


def test_details_come_up_on_their_page_and_leave_with_it(make: Callable[..., Stage]) -> None:
    stage = make()
    stage.home.show()
    assert stage.page.isVisible() and stage.page.isAncestorOf(stage.detail) and stage.detail.isVisible()
    stage.home.leave()
    assert not stage.page.isVisible() and stage.detail.isHidden()


def test_a_page_that_is_on_show_is_not_asked_for_again(make: Callable[..., Stage]) -> None:
    stage = make()
    asked: list[int] = []
    stage.page.wanted.connect(lambda: asked.append(1))
    stage.home.show()
    stage.home.show()
    assert asked == [1]


def test_where_details_stand_is_chosen_and_remembered(make: Callable[..., Stage]) -> None:
    stage = make()
    stage.home.show()
    stage.detail.findChild(QToolButton, "moveDetails").click()
    assert stage.split.isAncestorOf(stage.detail) and stage.detail.isVisible() and not stage.page.isVisible()
    again = make()
    assert again.home.place == "tree"
    again.home.show()
    assert again.detail.isVisible() and not again.page.isVisible()
    again.detail.findChild(QToolButton, "moveDetails").click()
    assert again.page.isVisible() and make().home.place == "page"


def test_a_page_that_is_asked_for_takes_the_details(make: Callable[..., Stage]) -> None:
    stage = make()
    stage.home.move_to("tree")
    stage.home.show()
    stage.page.show()
    assert stage.home.place == "page" and stage.page.isAncestorOf(stage.detail) and stage.detail.isVisible()


def test_with_a_wide_tree_details_stand_beside_it(make: Callable[..., Stage]) -> None:
    stage = make()
    stage.home.move_to("tree")
    stage.home.show()
    tree = stage.split.widget(0)
    assert stage.detail.y() > tree.y() and stage.detail.height() > tree.height()
    stage.split.resize(BESIDE, 700)
    assert stage.detail.x() > tree.x() and stage.detail.width() > tree.width()
    stage.split.resize(BESIDE - 60, 700)
    assert stage.detail.y() > tree.y()


def test_the_line_between_is_remembered_for_each_direction(make: Callable[..., Stage]) -> None:
    stage = make()
    stage.home.move_to("tree")
    stage.home.show()
    stage.split.setSizes([150, 550])
    stage.split.splitterMoved.emit(150, 1)
    stage.split.resize(BESIDE + 100, 700)
    stage.split.setSizes([400, 340])
    stage.split.splitterMoved.emit(400, 1)
    stage.split.resize(300, 700)
    assert stage.split.sizes()[0] == pytest.approx(150, abs=8)
    again = make()
    again.split.resize(BESIDE + 100, 700)
    again.home.show()
    assert again.split.sizes()[0] == pytest.approx(400, abs=8)


def test_without_a_page_details_stand_with_the_tree_and_cannot_be_moved(make: Callable[..., Stage]) -> None:
    stage = make(has_page=False)
    stage.home.show()
    assert stage.split.isAncestorOf(stage.detail) and stage.detail.findChild(QToolButton, "moveDetails").isHidden()
    stage.home.move_to("page")
    assert stage.home.place == "tree"
