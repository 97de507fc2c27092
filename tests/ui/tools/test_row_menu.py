import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from tests.fakes.console import sample_tools

from callgate.ui.theme.theme import Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Stock
from callgate.ui.tools.model import ToolModel
from callgate.ui.tools.panel import Arrangement
from callgate.ui.tools.query import Query
from callgate.ui.tools.row_menu import fill_row_menu
from callgate.ui.tools.tree import ToolTree


@pytest.fixture
def tree(theme: Theme, qtbot: QtBot) -> ToolTree:
    facts = Facts(ask_enabled=lambda agent: frozenset({"read_file"}))
    tree, arrangement = ToolTree(ToolModel(facts), ToolDelegate(theme, facts)), Arrangement()
    qtbot.addWidget(tree)
    arrangement.fill(Stock(sample_tools(), 7))
    tree.show_sections(sample_tools(), arrangement.sections(Query(), facts), filtered=False)
    return tree


def _choose(tree: ToolTree, index: QModelIndex, words: str) -> list[str]:
    menu = QMenu()
    fill_row_menu(menu, tree, index, tree.filter_wanted.emit)
    names = [action.text() for action in menu.actions() if action.text()]
    next(action for action in menu.actions() if action.text() == words).trigger()
    return names


def test_a_tool_can_be_copied_switched_and_narrowed_to(tree: ToolTree) -> None:
    index = tree.model().index_of("read_file")  # type: ignore[attr-defined]
    names = _choose(tree, index, "Copy as #reference")
    assert QApplication.clipboard().text() == "#read_file"
    assert names[0] == "Switch off" and "Show only tag:files" in names
    wanted: list[str] = []
    tree.filter_wanted.connect(wanted.append)
    _choose(tree, index, "Show only this source")
    _choose(tree, index, "Show only tag:read")
    assert wanted == ["source:built-in", "tag:read"]


def test_the_switch_of_the_menu_is_the_switch_of_the_box(tree: ToolTree) -> None:
    asked: list[tuple[list[str], bool]] = []
    tree.model().switch_requested.connect(  # type: ignore[attr-defined]
        lambda group, tools, on: asked.append(([tool.name for tool in tools], on))
    )
    _choose(tree, tree.model().index(1, 0), "Switch on")
    assert asked == [(["git_status", "git_commit"], True)]


def test_all_groups_are_opened_and_closed(tree: ToolTree) -> None:
    _choose(tree, QModelIndex(), "Close all groups")
    assert not tree.isExpanded(tree.model().index(0, 0))
    _choose(tree, QModelIndex(), "Open all groups")
    assert tree.isExpanded(tree.model().index(0, 0))


def test_a_tool_tip_tells_what_the_row_has_no_room_for(tree: ToolTree) -> None:
    tip = str(tree.model().index_of("write_file").data(Qt.ItemDataRole.ToolTipRole))  # type: ignore[attr-defined]
    assert tip == "write_file\nWrites a file, replacing what was there.\ndisabled"
