from dataclasses import replace
from typing import Protocol

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.fakes.console import sample_tools

from callgate.core.catalog.lint import Finding
from callgate.core.catalog.token_cost import token_cost
from callgate.core.tool import Tool
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Grouping, Stock
from callgate.ui.tools.model import ToolModel, ToolRole
from callgate.ui.tools.panel import Arrangement
from callgate.ui.tools.query import read_query

CHECK = Qt.ItemDataRole.CheckStateRole


class ModelTester(Protocol):
    def check(self, model: ToolModel, force_py: bool = ...) -> None: ...


class Shelf:
    """A model with what fills it."""

    def __init__(self) -> None:
        self.tools: tuple[Tool, ...] = ()
        self.facts = Facts(ask_enabled=lambda agent: frozenset(t.name for t in self.tools if t.enabled or agent == "x"))
        self.model = ToolModel(self.facts)
        self.arrangement = Arrangement()

    def show(
        self, tools: tuple[Tool, ...], text: str = "", by: Grouping = "source", own: tuple[Tool, ...] = ()
    ) -> bool:
        self.tools, self.facts.enabled = tools, {}
        self.arrangement.set_grouping(by)
        self.arrangement.fill(Stock([*tools, *own], len(tools), ["x"] * len(own), agents=("x",)))
        return self.model.show(self.arrangement.stock.tools, self.arrangement.sections(read_query(text), self.facts))


@pytest.fixture
def shelf(qapp: QApplication) -> Shelf:
    return Shelf()


def test_an_empty_model_is_sound(shelf: Shelf, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(shelf.model)


@pytest.mark.parametrize("by", ["source", "tag", "agent"])
def test_a_model_with_tools_is_sound(shelf: Shelf, qtmodeltester: ModelTester, by: Grouping) -> None:
    qtmodeltester.check(shelf.model)
    shelf.show(sample_tools(), by=by, own=(Tool("mine", "client"),))
    qtmodeltester.check(shelf.model)
    shelf.show(sample_tools(), "file", by=by)
    qtmodeltester.check(shelf.model)


def test_a_tool_that_changes_is_announced_alone_and_rows_stay(shelf: Shelf) -> None:
    tools = sample_tools()
    assert shelf.show(tools)
    changed: list[str] = []
    shelf.model.dataChanged.connect(lambda first, last, roles: changed.append(str(first.data())))
    assert not shelf.show((replace(tools[0], description="Other words."), *tools[1:]))
    assert changed == ["read_file", "built-in"]
    assert not shelf.show((replace(tools[0], description="Other words."), *tools[1:])) and changed[2:] == [
        "read_file",
        "built-in",
    ]


def test_other_rows_are_said_to_be_others(shelf: Shelf) -> None:
    assert shelf.show(sample_tools()) and shelf.model.shown == 7
    assert shelf.show(sample_tools(), "tag:git") and shelf.model.shown == 2
    assert shelf.show(sample_tools()[:2], "")


def test_a_group_shows_whether_all_some_or_none_of_its_tools_are_on(shelf: Shelf) -> None:
    shelf.show(sample_tools())
    assert shelf.model.index(0, 0).data(CHECK) == Qt.CheckState.PartiallyChecked
    assert shelf.model.index(1, 0).data(CHECK) == Qt.CheckState.Checked
    shelf.show(tuple(replace(tool, enabled=False) for tool in sample_tools()))
    assert shelf.model.index(1, 0).data(CHECK) == Qt.CheckState.Unchecked
    assert "2 tools, 0 enabled" in str(shelf.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole))


def test_a_box_asks_for_the_switch_and_changes_nothing_itself(shelf: Shelf) -> None:
    shelf.show(sample_tools())
    asked: list[tuple[str, list[str], bool]] = []
    shelf.model.switch_requested.connect(
        lambda group, tools, enabled: asked.append((group.title, [tool.name for tool in tools], enabled))
    )
    index = shelf.model.index_of("read_file")
    assert shelf.model.setData(index, Qt.CheckState.Unchecked, CHECK)
    assert shelf.model.setData(shelf.model.index(1, 0), Qt.CheckState.Unchecked, CHECK)
    assert asked == [("built-in", ["read_file"], False), ("git", ["git_status", "git_commit"], False)]
    assert index.data(CHECK) == Qt.CheckState.Checked


def test_the_boxes_are_those_of_the_scope_or_of_the_groups_agent(shelf: Shelf) -> None:
    shelf.show(sample_tools())
    assert shelf.model.index_of("run_command").data(CHECK) == Qt.CheckState.Unchecked
    shelf.facts.scope = "x"
    assert shelf.model.index_of("run_command").data(CHECK) == Qt.CheckState.Checked
    shelf.facts.scope = ""
    shelf.show(sample_tools(), by="agent")
    assert shelf.model.index_of("run_command").data(CHECK) == Qt.CheckState.Checked


def test_an_agents_own_tools_have_no_boxes(shelf: Shelf) -> None:
    shelf.show(sample_tools(), own=(Tool("mine", "client"),))
    index = shelf.model.index_of("mine")
    assert index.data(CHECK) is None and not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert not shelf.model.setData(index, Qt.CheckState.Checked, CHECK)


def test_a_tool_is_found_in_the_group_that_is_asked_for(shelf: Shelf) -> None:
    shelf.show(sample_tools(), by="tag")
    assert shelf.model.index_of("write_file", "tag:files").parent().data() == "files"
    assert shelf.model.index_of("write_file", "tag:edit").parent().data() == "edit"
    assert shelf.model.index_of("write_file", "tag:gone").isValid()
    assert not shelf.model.index_of("gone").isValid()


def test_what_badges_show_is_said_aloud(shelf: Shelf) -> None:
    shelf.show(sample_tools())
    shelf.facts.waiting = {("built-in", "read_file"): 2, ("client", "read_file"): 1}
    shelf.facts.changed = frozenset({("built-in", "read_file")})
    shelf.facts.findings = {"read_file": (Finding("a", "warning", "w", "a"), Finding("b", "hint", "w", "a"))}
    said = shelf.model.index_of("read_file").data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "read_file, enabled, 2 waiting, its definition has changed, 1 finding"


def test_a_group_sums_up_what_its_tools_cost(shelf: Shelf) -> None:
    shelf.show(sample_tools())
    assert shelf.model.index(1, 0).data(ToolRole.TOKENS) == 0
    shelf.facts.tokens = {tool.name: token_cost(tool).typical for tool in sample_tools()}
    shelf.model.refresh()
    wanted = sum(token_cost(tool).typical for tool in sample_tools() if tool.source == "git")
    assert shelf.model.index(1, 0).data(ToolRole.TOKENS) == wanted
