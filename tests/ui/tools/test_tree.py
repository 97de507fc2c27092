import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.fakes.console import sample_tools
from tests.fakes.many_tools import many_tools

from callgate.core.tool import Tool
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Stock
from callgate.ui.tools.model import ToolModel
from callgate.ui.tools.panel import Arrangement
from callgate.ui.tools.query import read_query
from callgate.ui.tools.tree import FOUND_AT_ONCE, ToolTree


class Stage:
    def __init__(self, theme: Theme) -> None:
        self.facts = Facts()
        self.model = ToolModel(self.facts)
        self.tree = ToolTree(self.model, ToolDelegate(theme, self.facts))
        self.arrangement = Arrangement()

    def show(self, tools: tuple[Tool, ...], text: str = "") -> None:
        self.arrangement.fill(Stock(tools, len(tools)))
        self.type(text)

    def type(self, text: str) -> None:
        sections = self.arrangement.sections(read_query(text), self.facts)
        self.tree.show_sections(self.arrangement.stock.tools, sections, filtered=bool(text))

    def open(self) -> list[bool]:
        return [self.tree.isExpanded(self.model.index(row, 0)) for row in range(self.model.rowCount())]


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Stage:
    stage = Stage(theme)
    qtbot.addWidget(stage.tree)
    stage.tree.resize(300, 400)
    stage.tree.show()
    return stage


def test_few_tools_are_open_and_many_are_closed(stage: Stage) -> None:
    stage.show(sample_tools())
    assert stage.open() == [True, True, True]
    stage.show(many_tools(4, 200))
    assert stage.open() == [False] * 4


def test_what_is_closed_and_current_stays_so_when_tools_come_and_go(stage: Stage) -> None:
    stage.show(sample_tools())
    stage.tree.collapse(stage.model.index(0, 0))
    stage.tree.setCurrentIndex(stage.model.index_of("get_weather"))
    stage.show((Tool("aaa", "another"), *sample_tools()))
    assert stage.open() == [True, False, True, True]
    assert stage.tree.tool is not None and stage.tree.tool.name == "get_weather"
    stage.show(sample_tools()[:6])
    assert stage.tree.tool is None


def test_the_place_on_screen_stays_when_tools_come_and_go(stage: Stage) -> None:
    tools = many_tools(2, 60)
    stage.show(tools)
    QApplication.processEvents()
    stage.tree.verticalScrollBar().setValue(900)
    stage.show((*tools, Tool("zzz", "another")))
    assert stage.tree.verticalScrollBar().value() == 900


def test_a_filter_opens_what_it_finds_for_as_long_as_it_lasts(stage: Stage) -> None:
    stage.show(sample_tools())
    stage.tree.collapse(stage.model.index(0, 0))
    stage.type("read_file")
    assert stage.open() == [True]
    stage.type("")
    assert stage.open() == [False, True, True]


def test_a_filter_that_finds_very_many_opens_the_best_only(stage: Stage) -> None:
    stage.show(many_tools(5, 80))
    stage.type("e")
    opened = stage.open()
    assert opened[0] and not all(opened)
    shown = sum(stage.model.rowCount(stage.model.index(row, 0)) for row, is_open in enumerate(opened) if is_open)
    assert shown <= max(FOUND_AT_ONCE, 80)


def test_the_first_tool_can_be_chosen(stage: Stage) -> None:
    chosen: list[str] = []
    stage.tree.tool_chosen.connect(lambda tool: chosen.append(tool.name if tool else ""))
    stage.show(sample_tools(), "commit")
    stage.tree.choose_first()
    assert chosen[-1] == "git_commit"


def test_j_and_k_go_down_and_up(stage: Stage, qtbot: QtBot) -> None:
    stage.show(sample_tools())
    stage.tree.setCurrentIndex(stage.model.index_of("read_file"))
    qtbot.keyClick(stage.tree, Qt.Key.Key_J)
    assert stage.tree.tool is not None and stage.tree.tool.name == "search_text"
    qtbot.keyClick(stage.tree, Qt.Key.Key_K)
    assert stage.tree.tool is not None and stage.tree.tool.name == "read_file"
