from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from tests.fakes.console import sample_tools

from callgate.core.tool import Tool
from callgate.ui.tools.model import ToolModel, ToolRole


class ModelTester(Protocol):
    def check(self, model: ToolModel, force_py: bool = ...) -> None: ...


def _tree(model: ToolModel) -> list[tuple[str, list[str]]]:
    groups = [model.index(row, 0) for row in range(model.rowCount())]
    return [
        (str(group.data()), [str(model.index(row, 0, group).data()) for row in range(model.rowCount(group))])
        for group in groups
    ]


def test_an_empty_model_is_sound(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(ToolModel())


def test_a_model_with_tools_is_sound(qtmodeltester: ModelTester) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    qtmodeltester.check(model)


def test_tools_stand_under_their_sources_in_the_order_of_the_catalog(qapp: QApplication) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    assert _tree(model) == [
        ("built-in", ["read_file", "search_text", "write_file", "run_command"]),
        ("git", ["git_status", "git_commit"]),
        ("http", ["get_weather"]),
    ]
    assert model.total == 7


def test_a_change_of_the_catalog_keeps_the_places_that_views_hold(qapp: QApplication) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    kept = QPersistentModelIndex(model.index_of("git_commit"))
    gone = QPersistentModelIndex(model.index_of("write_file"))
    group = QPersistentModelIndex(model.index_of("git_commit").parent())
    new = Tool("aaa", "another")
    model.apply((new, *(tool for tool in reversed(sample_tools()) if tool.name != "write_file")))
    assert kept.data() == "git_commit" and group.data() == "git"
    assert not gone.isValid()
    assert _tree(model)[0] == ("another", ["aaa"])


def test_a_tool_that_changes_is_announced_alone(qapp: QApplication) -> None:
    model = ToolModel()
    tools = sample_tools()
    model.apply(tools)
    changed: list[str] = []
    model.dataChanged.connect(lambda first, last, roles: changed.append(str(first.data())))
    model.apply((replace(tools[0], description="Other words."), *tools[1:]))
    assert changed == ["read_file"]
    model.apply((replace(tools[0], enabled=False), *tools[1:]))
    assert changed == ["read_file", "read_file", "built-in"]


def test_a_check_asks_for_the_switch_and_changes_nothing_itself(qapp: QApplication) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    asked: list[tuple[str, bool]] = []
    model.enable_requested.connect(lambda name, enabled: asked.append((name, enabled)))
    index = model.index_of("read_file")
    assert model.setData(index, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert asked == [("read_file", False)]
    assert index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked


def test_a_source_shows_and_switches_all_of_its_tools(qapp: QApplication) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    asked: list[tuple[str, bool]] = []
    model.enable_requested.connect(lambda name, enabled: asked.append((name, enabled)))
    built_in, git = model.index(0, 0), model.index(1, 0)
    assert built_in.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.PartiallyChecked
    assert git.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    model.setData(built_in, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert asked == [("run_command", True)]
    model.setData(git, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert asked[1:] == [("git_status", False), ("git_commit", False)]


def test_rows_say_aloud_what_they_are(qapp: QApplication) -> None:
    model = ToolModel()
    model.apply(sample_tools())
    role = Qt.ItemDataRole.AccessibleTextRole
    assert model.index(0, 0).data(role) == "built-in: 4 tools, 3 enabled"
    assert model.index_of("run_command").data(role) == "run_command, disabled"
    assert model.index_of("run_command").data(ToolRole.SOURCE) == "built-in"


def test_an_unknown_tool_is_nowhere(qapp: QApplication) -> None:
    assert ToolModel().index_of("read_file") == QModelIndex()


_CATALOGS = st.lists(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("xyz")), unique_by=lambda pair: pair[0]), max_size=5
)


@settings(max_examples=40, deadline=None)
@given(_CATALOGS)
def test_after_any_changes_the_tree_is_the_last_catalog(catalogs: Sequence[Sequence[tuple[str, str]]]) -> None:
    model = ToolModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for catalog in catalogs:
        model.apply(tuple(Tool(name, source) for name, source in catalog))
        expected: dict[str, list[str]] = {}
        for name, source in catalog:
            expected.setdefault(source, []).append(name)
        assert _tree(model) == list(expected.items())
    del tester
