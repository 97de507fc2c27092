from dataclasses import replace
from typing import Protocol

import pytest
from PySide6.QtWidgets import QApplication
from tests.fakes.console import sample_tools

from callgate.core.tool import Tool
from callgate.ui.tools.filter import ToolFilter
from callgate.ui.tools.model import ToolModel


class ModelTester(Protocol):
    def check(self, model: ToolFilter, force_py: bool = ...) -> None: ...


@pytest.fixture
def model(qapp: QApplication) -> ToolModel:
    model = ToolModel()
    model.apply(sample_tools())
    return model


@pytest.fixture
def proxy(model: ToolModel) -> ToolFilter:
    proxy = ToolFilter()
    proxy.setSourceModel(model)
    return proxy


def _tree(proxy: ToolFilter) -> list[tuple[str, list[str]]]:
    groups = [proxy.index(row, 0) for row in range(proxy.rowCount())]
    return [
        (str(group.data()), [str(proxy.index(row, 0, group).data()) for row in range(proxy.rowCount(group))])
        for group in groups
    ]


def test_the_filter_is_sound_empty_and_full(qtmodeltester: ModelTester, proxy: ToolFilter) -> None:
    empty = ToolFilter()
    empty.setSourceModel(ToolModel(empty))
    qtmodeltester.check(empty)
    proxy.set_text("file")
    qtmodeltester.check(proxy)


def test_without_a_filter_everything_is_shown_as_it_stands(proxy: ToolFilter) -> None:
    assert [source for source, _ in _tree(proxy)] == ["built-in", "git", "http"]
    assert proxy.shown == 7


def test_only_sources_with_matches_stay(proxy: ToolFilter) -> None:
    proxy.set_text("git_*")
    assert _tree(proxy) == [("git", ["git_status", "git_commit"])]
    assert proxy.shown == 2


def test_a_source_is_not_shown_for_its_own_name_alone(proxy: ToolFilter) -> None:
    proxy.set_text("http")
    assert _tree(proxy) == []


def test_the_source_with_the_best_match_comes_first(proxy: ToolFilter) -> None:
    proxy.set_text("commit")
    assert _tree(proxy) == [("git", ["git_commit"])]
    proxy.set_text("s")
    assert _tree(proxy)[0] == ("built-in", ["search_text", "read_file", "write_file", "run_command"])


def test_clearing_the_filter_restores_the_order(proxy: ToolFilter) -> None:
    before = _tree(proxy)
    proxy.set_text("w")
    assert _tree(proxy) != before
    proxy.set_text("")
    assert _tree(proxy) == before


def test_tools_that_change_or_come_are_judged_by_the_filter_in_force(model: ToolModel, proxy: ToolFilter) -> None:
    proxy.set_text("weather")
    tools = sample_tools()
    model.apply((*tools, Tool("weather_map", "maps")))
    assert {source for source, _ in _tree(proxy)} == {"http", "maps"}
    model.apply(tuple(replace(tool, description="weather") if tool.name == "git_status" else tool for tool in tools))
    assert _tree(proxy) == [("http", ["get_weather"]), ("git", ["git_status"])]
