from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QTreeView
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, sample_tools
from tests.fakes.loop import BoundLoop

from callgate.core.events import ToolsChanged
from callgate.core.tool import Tool
from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.panel import ToolsPanel


@pytest.fixture
def panel(loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, qtbot: QtBot) -> ToolsPanel:
    console.tool_list = list(sample_tools())
    panel = ToolsPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    return panel


@pytest.fixture
def tree(panel: ToolsPanel) -> QTreeView:
    return panel.findChild(QTreeView, "toolTree")


@pytest.fixture
def field(panel: ToolsPanel) -> QLineEdit:
    return panel.findChild(QLineEdit, "toolFilter")


def _index(panel: ToolsPanel, name: str) -> QModelIndex:
    return panel.filter.mapFromSource(panel.model.index_of(name))


def _shown(panel: ToolsPanel) -> set[str]:
    return {label.text() for label in panel.findChildren(QLabel) if label.isVisible()}


def _change(console: FakeConsole, bridge: Bridge, tools: tuple[Tool, ...]) -> None:
    console.tool_list = list(tools)
    console.bus.publish(ToolsChanged(tools, NOON))
    bridge.flush()


def _click_box(panel: ToolsPanel, tree: QTreeView, index: QModelIndex, qtbot: QtBot) -> None:
    delegate = tree.itemDelegate()
    assert isinstance(delegate, ToolDelegate)
    place = delegate.box_rect(tree.visualRect(index)).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_all_tools_are_listed_open_and_counted(panel: ToolsPanel, tree: QTreeView) -> None:
    assert "7 tools" in _shown(panel)
    assert all(tree.isExpanded(panel.filter.index(row, 0)) for row in range(3))
    assert tree.accessibleName() == "Tools"


def test_typing_filters_at_once_and_counts(panel: ToolsPanel, field: QLineEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "get_*")
    assert "1 of 7" in _shown(panel)
    assert panel.filter.index(0, 0, panel.filter.index(0, 0)).data() == "get_weather"


def test_a_filter_that_nothing_fits_offers_a_way_out(panel: ToolsPanel, field: QLineEdit, tree: QTreeView) -> None:
    field.setText("zzz")
    assert {"Nothing matches", "None of the 7 tools fits “zzz”."} <= _shown(panel)
    button = next(b for b in panel.findChildren(QPushButton) if b.isVisible())
    assert button.text() == "Clear filter"
    button.click()
    assert field.text() == "" and tree.isVisible()


def test_without_any_tool_the_panel_says_where_they_come_from(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, qtbot: QtBot
) -> None:
    panel = ToolsPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    assert "No tools yet" in _shown(panel)
    _change(console, bridge, sample_tools())
    assert "No tools yet" not in _shown(panel)


def test_a_click_on_a_check_box_switches_the_tool(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    _click_box(panel, tree, _index(panel, "read_file"), qtbot)
    assert console.enabled == [("read_file", False)]
    bridge.flush()
    assert _index(panel, "read_file").data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    _click_box(panel, tree, _index(panel, "read_file"), qtbot)
    assert console.enabled[-1] == ("read_file", True)


def test_space_switches_the_current_tool(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, qtbot: QtBot
) -> None:
    tree.setCurrentIndex(_index(panel, "run_command"))
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert console.enabled == [("run_command", True)]


def test_a_click_on_a_source_closes_it_and_its_box_does_not(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, qtbot: QtBot
) -> None:
    group = panel.filter.index(1, 0)
    _click_box(panel, tree, group, qtbot)
    assert console.enabled == [("git_status", False), ("git_commit", False)]
    assert tree.isExpanded(group)
    place = tree.visualRect(group).center() + QPoint(20, 0)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not tree.isExpanded(group)


def test_choosing_a_tool_shows_its_details_until_they_are_closed(panel: ToolsPanel, tree: QTreeView) -> None:
    assert not panel.detail.isVisible()
    tree.setCurrentIndex(_index(panel, "write_file"))
    assert panel.detail.isVisible() and panel.detail.tool == sample_tools()[2]
    panel.detail.close_requested.emit()
    assert not panel.detail.isVisible() and panel.selected is None


def test_a_change_of_the_catalog_keeps_selection_and_closed_sources(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, bridge: Bridge
) -> None:
    tree.setCurrentIndex(_index(panel, "get_weather"))
    tree.collapse(panel.filter.index(0, 0))
    changed = replace(sample_tools()[6], description="Now with wind.")
    _change(console, bridge, (Tool("aaa", "another"), *sample_tools()[:6], changed))
    assert panel.selected == changed
    assert "Now with wind." in _shown(panel)
    assert [tree.isExpanded(panel.filter.index(row, 0)) for row in range(4)] == [True, False, True, True]


def test_details_of_a_tool_that_is_gone_close(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, bridge: Bridge
) -> None:
    tree.setCurrentIndex(_index(panel, "get_weather"))
    _change(console, bridge, sample_tools()[:2])
    assert not panel.detail.isVisible()


def test_a_filter_opens_closed_sources_only_for_its_time(panel: ToolsPanel, tree: QTreeView, field: QLineEdit) -> None:
    tree.collapse(panel.filter.index(0, 0))
    field.setText("read_file")
    assert tree.isExpanded(panel.filter.index(0, 0))
    field.setText("")
    assert not tree.isExpanded(panel.filter.index(0, 0))


def test_return_in_the_filter_goes_to_the_first_match(
    panel: ToolsPanel, tree: QTreeView, field: QLineEdit, qtbot: QtBot
) -> None:
    field.setText("commit")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.selected is not None and panel.selected.name == "git_commit"
