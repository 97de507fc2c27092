"""Traffic and inspector stand in the window, out of the way until they are wanted."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QDockWidget, QPlainTextEdit
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.traffic import afternoon, translated_exchange

from callgate.ui.bridge import Bridge
from callgate.ui.shell.page import Pane
from callgate.ui.shell.window import MainWindow, Panels
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.inspector import WireInspector
from callgate.ui.traffic.panel import TrafficPanel


@pytest.fixture
def window(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Iterator[MainWindow]:
    console.play([*afternoon(5), *translated_exchange()])
    bridge.flush()
    traffic, inspector = TrafficPanel(console, bridge, theme), WireInspector(console, bridge, theme)
    traffic.selected.connect(inspector.show_row)
    others = [QPlainTextEdit() for _ in range(5)]
    panes = (
        Pane("traffic", "Traffic", traffic, "bottom", 260, "Ctrl+Shift+T"),
        Pane("inspector", "Wire inspector", inspector, "right", 440),
    )
    window = MainWindow(console, bridge, theme, settings, Panels(*others, panes=panes))
    traffic.inspect_requested.connect(lambda: window.show_pane("inspector"))
    qtbot.addWidget(window)
    window.show()
    loop.settle()
    yield window


def dock(window: MainWindow, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, name)
    assert found is not None
    return found


def test_both_are_hidden_at_first_and_in_the_menus(window: MainWindow) -> None:
    assert dock(window, "trafficDock").isHidden() and dock(window, "inspectorDock").isHidden()
    action = window.actions_of_window.of_panes["traffic"]
    assert action.isVisible() and action.shortcut().toString() == "Ctrl+Shift+T"


def test_a_key_brings_up_the_table_and_another_the_bytes_of_a_row(window: MainWindow, loop: BoundLoop) -> None:
    window.actions_of_window.of_panes["traffic"].trigger()
    panel = window.findChild(TrafficPanel)
    assert panel is not None and panel.isVisible() and panel.filter.line.hasFocus(), "there are no rows yet"
    loop.until(lambda: panel.model.rowCount() > 0)
    window.actions_of_window.of_panes["traffic"].trigger()
    assert panel.table.hasFocus()
    panel.table.select_row("ex_t#0")
    panel.inspect_requested.emit()
    inspector = window.findChild(WireInspector)
    assert inspector is not None and inspector.isVisible() and panel.table.hasFocus(), "the keyboard stays"
    loop.until(lambda: bool(inspector.held))


def test_a_wide_inspector_folds_the_panes_at_the_side(window: MainWindow, loop: BoundLoop) -> None:
    tools = dock(window, "toolsDock")
    window.resize(1280, 800)
    loop.settle()
    assert window.tabifiedDockWidgets(tools) == []
    window.show_pane("inspector")
    loop.settle()
    assert window.tabifiedDockWidgets(tools) == [dock(window, "conversationsDock")]
    dock(window, "inspectorDock").hide()
    loop.settle()
    assert window.tabifiedDockWidgets(tools) == []


def test_at_the_bottom_a_tab_stands_in_for_the_title(window: MainWindow, loop: BoundLoop) -> None:
    window.show_pane("traffic")
    loop.settle()
    assert dock(window, "trafficDock").titleBarWidget().height() > 0
    window.show_approvals()
    loop.settle()
    assert dock(window, "trafficDock") in window.tabifiedDockWidgets(dock(window, "approvalsDock"))
    assert not dock(window, "approvalsDock")._title.isVisible()  # type: ignore[attr-defined]
    dock(window, "approvalsDock").hide()
    loop.settle()
    assert dock(window, "trafficDock")._title.isVisible()  # type: ignore[attr-defined]
