from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QTreeView
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, sample_tools
from tests.fakes.loop import BoundLoop

from callgate.core.catalog.lint import Finding
from callgate.core.events import ToolsChanged
from callgate.core.tool import Tool, ToolSpec
from callgate.core.toolset import Toolset
from callgate.engine.offer.client_tools import ClientTool
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.widgets.choice_box import ChoiceBox

pytestmark = pytest.mark.qt_log_ignore("does not support")
"""Said by Qt's offscreen platform of every popup."""
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def panel(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> ToolsPanel:
    console.tool_list = list(sample_tools())
    console.tool_service.known = ["claude-code", "codex"]
    panel = ToolsPanel(console, bridge, theme, settings)
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
    return panel.model.index_of(name)


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


def _choose(panel: ToolsPanel, name: str, value: object) -> None:
    box = panel.findChild(ChoiceBox, name)
    assert box.choose(value)
    box.activated.emit(box.currentIndex())


def test_all_tools_are_listed_open_and_counted(panel: ToolsPanel, tree: QTreeView) -> None:
    assert "7 tools" in _shown(panel)
    assert all(tree.isExpanded(panel.model.index(row, 0)) for row in range(3))
    assert tree.accessibleName() == "Tools"


def test_typing_filters_at_once_and_counts(panel: ToolsPanel, field: QLineEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "get_*")
    assert "1 of 7" in _shown(panel)
    assert panel.model.index(0, 0, panel.model.index(0, 0)).data() == "get_weather"


def test_a_filter_that_nothing_fits_offers_a_way_out(panel: ToolsPanel, field: QLineEdit, tree: QTreeView) -> None:
    field.setText("zzz")
    assert {"Nothing matches", "None of the 7 tools fits “zzz”."} <= _shown(panel)
    button = next(b for b in panel.findChildren(QPushButton) if b.isVisible())
    assert button.text() == "Clear filter"
    button.click()
    assert field.text() == "" and tree.isVisible()


def test_the_part_that_keeps_everything_out_can_be_taken_away(panel: ToolsPanel, field: QLineEdit) -> None:
    field.setText("file tag:nope")
    assert "“tag:nope” alone fits none of the 7 tools." in _shown(panel)
    button = next(b for b in panel.findChildren(QPushButton) if b.isVisible())
    assert button.text() == "Remove “tag:nope”"
    button.click()
    assert field.text() == "file" and panel.model.shown == 3


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
    assert _index(panel, "read_file").data(CHECK) == Qt.CheckState.Unchecked
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
    group = panel.model.index(1, 0)
    _click_box(panel, tree, group, qtbot)
    assert console.enabled == [("git_status", False), ("git_commit", False)]
    assert tree.isExpanded(group)
    place = tree.visualRect(group).center() + QPoint(20, 0)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not tree.isExpanded(group)


def test_a_box_of_a_filtered_group_switches_only_what_is_shown(
    panel: ToolsPanel, tree: QTreeView, field: QLineEdit, console: FakeConsole, qtbot: QtBot
) -> None:
    field.setText("*_file")
    _click_box(panel, tree, panel.model.index(0, 0), qtbot)
    assert console.enabled == [("read_file", False), ("write_file", False)]


def test_for_one_agent_boxes_are_its_own_and_the_panel_says_so(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    _choose(panel, "toolScope", "codex")
    assert "Boxes are for codex alone." in _shown(panel)
    _click_box(panel, tree, _index(panel, "read_file"), qtbot)
    bridge.flush()
    assert console.tool_service.own == {"codex": {"read_file": False}} and console.enabled == []
    assert _index(panel, "read_file").data(CHECK) == Qt.CheckState.Unchecked
    _choose(panel, "toolScope", "")
    assert _index(panel, "read_file").data(CHECK) == Qt.CheckState.Checked
    _choose(panel, "toolScope", "codex")
    panel.bar.reset.click()
    bridge.flush()
    assert console.tool_service.own == {} and _index(panel, "read_file").data(CHECK) == Qt.CheckState.Checked


def test_whether_an_agent_gets_tools_at_all_is_chosen_in_its_scope(panel: ToolsPanel, console: FakeConsole) -> None:
    _choose(panel, "toolScope", "codex")
    _choose(panel, "toolAccess", False)
    assert console.agent_switches == {"codex": False}


def test_the_grouping_is_chosen_and_remembered(
    panel: ToolsPanel, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    console.toolset_list = [Toolset("reading", ("read_file",))]
    _change(console, bridge, sample_tools())
    for by, title in (("tag", "demo"), ("toolset", "reading"), ("agent", "claude-code"), ("tag", "demo")):
        _choose(panel, "toolGrouping", by)
        assert panel.model.index(0, 0).data() == title
    again = ToolsPanel(console, bridge, theme, settings)
    qtbot.addWidget(again)
    assert again.model.index(0, 0).data() == "demo" and again.bar.grouping.currentData() == "tag"


def test_by_agent_each_has_boxes_of_its_own(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, qtbot: QtBot
) -> None:
    _choose(panel, "toolGrouping", "agent")
    index = panel.model.index_of("read_file", "agent:codex")
    panel.model.setData(index, Qt.CheckState.Unchecked, CHECK)
    assert console.tool_service.own == {"codex": {"read_file": False}}


def test_before_any_agent_came_by_the_panel_says_when_they_appear(
    panel: ToolsPanel, console: FakeConsole, bridge: Bridge
) -> None:
    console.tool_service.known = []
    _change(console, bridge, sample_tools())
    _choose(panel, "toolGrouping", "agent")
    assert "No agents yet" in _shown(panel)


def test_without_toolsets_the_panel_offers_to_make_one(
    panel: ToolsPanel, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    _choose(panel, "toolGrouping", "toolset")
    assert "No toolsets yet" in _shown(panel)
    with qtbot.waitSignal(panel.toolsets_requested, timeout=1000):
        panel.findChild(QPushButton, "makeToolset").click()
    console.toolset_list = [Toolset("reading", ("read_file",))]
    _change(console, bridge, sample_tools())
    assert "No toolsets yet" not in _shown(panel) and panel.model.index(0, 0).data() == "reading"


def test_a_sum_that_is_still_being_counted_says_so(panel: ToolsPanel) -> None:
    panel.knowledge.appraiser.look_at(sample_tools()[0])
    while not panel.knowledge.facts.tokens:  # a slice may be over before the first one is known
        panel.knowledge.appraiser._step()
    panel.knowledge.facts_changed.emit()
    assert any(text.startswith("≈ ") and text.endswith(" tokens so far…") for text in _shown(panel))
    panel.knowledge.appraiser.finish()
    assert any(text.endswith(" tokens on") for text in _shown(panel))


def test_what_agents_bring_along_is_listed_and_counted_apart(
    panel: ToolsPanel, console: FakeConsole, bridge: Bridge
) -> None:
    console.client_tool_list = [ClientTool("codex", "apply_patch", ToolSpec("apply_patch", "Patches."), NOON, NOON)]
    _change(console, bridge, sample_tools())
    assert "7 tools · 1 from agents" in _shown(panel)
    assert _index(panel, "apply_patch").parent().data() == "Client tools"


def test_what_is_on_is_summed_up_in_tokens(panel: ToolsPanel) -> None:
    panel.knowledge.appraiser.finish()
    assert any(text.startswith("≈ ") and text.endswith(" tokens on") for text in _shown(panel))


def test_completion_offers_what_the_tools_have(panel: ToolsPanel, field: QLineEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "tag:g")
    assert panel.field.offered == ("git",)
    field.clear()
    qtbot.keyClicks(field, "agent:")
    assert panel.field.offered == ("claude-code", "codex")
    field.clear()
    qtbot.keyClicks(field, "lint:")
    assert panel.field.offered[:3] == ("yes", "no", "error")


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
    tree.collapse(panel.model.index(0, 0))
    changed = replace(sample_tools()[6], title="Now with wind")
    _change(console, bridge, (Tool("aaa", "another"), *sample_tools()[:6], changed))
    assert panel.selected == changed
    assert "Now with wind · http · enabled" in _shown(panel)
    assert [tree.isExpanded(panel.model.index(row, 0)) for row in range(4)] == [True, False, True, True]


def test_details_of_a_tool_that_is_gone_close(
    panel: ToolsPanel, tree: QTreeView, console: FakeConsole, bridge: Bridge
) -> None:
    tree.setCurrentIndex(_index(panel, "get_weather"))
    _change(console, bridge, sample_tools()[:2])
    assert not panel.detail.isVisible()


def test_return_in_the_filter_goes_to_the_first_match(
    panel: ToolsPanel, tree: QTreeView, field: QLineEdit, qtbot: QtBot
) -> None:
    field.setText("commit")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.selected is not None and panel.selected.name == "git_commit"


def test_a_filter_on_findings_follows_what_is_found(panel: ToolsPanel, field: QLineEdit) -> None:
    field.setText("lint:error")
    assert panel.model.shown == 0
    panel.knowledge.facts.findings["read_file"] = (Finding("odd", "error", "It is odd.", "Look at it."),)
    panel.knowledge.facts_changed.emit()
    assert panel.model.shown == 1
