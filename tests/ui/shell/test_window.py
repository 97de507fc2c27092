from collections.abc import Callable

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QDockWidget, QLineEdit, QPlainTextEdit, QPushButton, QStatusBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, sample_conversation, sample_tools, waiting
from tests.fakes.loop import BoundLoop, until

from callgate.core.calls.invocation import Decision
from callgate.core.events import FaultRaised, ProxyChanged
from callgate.core.gate_mode import GateMode
from callgate.ui.bridge import HIDDEN_MS, Bridge
from callgate.ui.shell.banner import FaultBanner
from callgate.ui.shell.page import Page, Pane
from callgate.ui.shell.window import MainWindow, Panels
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.panel import ToolsPanel

Open = Callable[[], MainWindow]


@pytest.fixture
def open_window(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Open:
    console.tool_list = list(sample_tools())

    def make() -> MainWindow:
        rules = QPlainTextEdit()
        rules.setObjectName("rules")
        others = (QPlainTextEdit(), QPlainTextEdit(), QPlainTextEdit(), QPlainTextEdit())
        wide = Page("wide", "Wide", QPlainTextEdit(), pane="narrow")
        panels = Panels(
            ToolsPanel(console, bridge, theme),
            *others,
            pages=(Page("rules", "Rules", rules, icon="rule"), wide),
            panes=(Pane("narrow", "Narrow", QPlainTextEdit(), "right", 200, icon="wire"),),
        )
        window = MainWindow(console, bridge, theme, settings, panels)
        qtbot.addWidget(window)
        window.show()
        loop.settle()
        return window

    return make


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    return open_window()


def _dock(window: MainWindow, name: str) -> QDockWidget:
    return window.findChild(QDockWidget, name)


def _status(window: MainWindow) -> str:
    bar = window.findChild(QStatusBar)
    return " | ".join(label.text() for label in bar.findChildren(QWidget) if hasattr(label, "text"))


def test_the_main_parts_have_their_names(window: MainWindow) -> None:
    assert window.objectName() == "mainWindow"
    for name in ("toolFilter", "toolTree", "toolDetail", "proxyAddress", "gateMode"):
        part = window.findChild(QWidget, name)
        assert part is not None and part.accessibleName(), name


def test_the_address_appears_everywhere_when_the_proxy_listens(
    window: MainWindow, console: FakeConsole, bridge: Bridge
) -> None:
    console.bus.publish(ProxyChanged("http://127.0.0.1:9191", NOON))
    bridge.flush()
    assert window.findChild(QPushButton, "proxyAddress").text() == "http://127.0.0.1:9191"
    assert "Listening on http://127.0.0.1:9191" in _status(window)


def test_a_waiting_call_is_counted_everywhere_without_taking_the_keyboard_or_the_room(
    window: MainWindow, console: FakeConsole, bridge: Bridge
) -> None:
    field = window.findChild(QLineEdit, "toolFilter")
    field.setFocus()
    assert _dock(window, "approvalsDock").isHidden()
    console.change(waiting())
    bridge.flush()
    assert _dock(window, "approvalsDock").isHidden()
    assert window.findChild(QPushButton, "waitingCount").text() == "1 waiting"
    assert window.windowTitle() == "(1) Callgate"
    assert window.focusWidget() is field
    console.decide("inv_1", Decision("approve"), "test")
    bridge.flush()
    assert window.windowTitle() == "Callgate"
    assert "Nothing waiting" in _status(window)


def test_tools_and_conversations_are_counted(
    window: MainWindow, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    assert "7 tools, 6 enabled" in _status(window) and "0 conversations" in _status(window)
    console.enable_tool("run_command", True)
    console.play(sample_conversation("conv_1"))
    console.play(sample_conversation("conv_2"))
    bridge.flush()
    assert "7 tools |" in _status(window) and "2 conversations" in _status(window)


def test_conversations_of_earlier_runs_are_counted(open_window: Open, console: FakeConsole) -> None:
    console.play(sample_conversation("conv_old"))
    assert "1 conversation " in _status(open_window())


def test_a_forgotten_conversation_is_no_longer_counted(
    window: MainWindow, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(sample_conversation("conv_1"))
    bridge.flush()

    async def forget() -> None:
        await console.forget("conv_1")
        window.recount()
        await until(lambda: "0 conversations" in _status(window))

    loop.run(forget())


def test_a_fault_is_shown_in_the_banner(window: MainWindow, console: FakeConsole, bridge: Bridge) -> None:
    banner = window.findChild(FaultBanner)
    assert not banner.isVisible()
    console.bus.publish(FaultRaised("journal", "The disk is full.", NOON))
    bridge.flush()
    assert banner.isVisible()


def test_the_welcome_page_stands_in_until_a_conversation_is_chosen(window: MainWindow) -> None:
    conversation = window.centralWidget().findChildren(QPlainTextEdit)
    assert window.welcome.isVisible()
    window.show_conversation("conv_1")
    assert not window.welcome.isVisible() and any(part.isVisible() for part in conversation)
    window.show_conversation("")
    assert window.welcome.isVisible()


def test_the_window_passes_on_what_the_program_must_do(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.demo_requested, timeout=1000):
        window.findChild(QPushButton, "demoButton").click()
    with qtbot.waitSignal(window.quit_requested, timeout=1000):
        window.actions_of_window.quit.trigger()
    window.show_conversation("conv_1")
    with qtbot.waitSignal(window.new_conversation_requested, timeout=1000):
        window.actions_of_window.new_conversation.trigger()
    assert window.welcome.isVisible()


def test_closing_says_so_and_the_next_window_looks_the_same(open_window: Open, qtbot: QtBot) -> None:
    first = open_window()
    first.resize(790, 600)  # fits on the screen that tests have: what does not is made to fit
    _dock(first, "conversationsDock").hide()
    with qtbot.waitSignal(first.closed, timeout=1000):
        first.close()
    second = open_window()
    assert (second.width(), second.height()) == (first.width(), first.height())
    assert _dock(second, "conversationsDock").isHidden()
    second.actions_of_window.reset_layout.trigger()
    assert not _dock(second, "conversationsDock").isHidden()


def test_the_theme_is_switched_and_remembered(open_window: Open, theme: Theme) -> None:
    open_window().actions_of_window.switch_theme.trigger()
    assert not theme.is_dark
    theme.set_mode("dark")
    open_window()
    assert not theme.is_dark


def test_a_hidden_window_asks_for_fewer_batches(window: MainWindow, console: FakeConsole, bridge: Bridge) -> None:
    window.hide()
    console.bus.publish(ProxyChanged("", NOON))
    assert bridge._timer.interval() == HIDDEN_MS
    window.show()
    assert not bridge._timer.isActive()


def test_a_narrow_window_folds_its_side(window: MainWindow, loop: BoundLoop) -> None:
    tools, conversations = _dock(window, "toolsDock"), _dock(window, "conversationsDock")
    assert window.tabifiedDockWidgets(tools) == []
    window.resize(920, 640)
    loop.settle()
    assert window.tabifiedDockWidgets(tools) == [conversations]
    assert window.width() == 920
    window.resize(1280, 800)
    loop.settle()
    assert window.tabifiedDockWidgets(tools) == []


def test_keys_go_to_the_panes(window: MainWindow, qtbot: QtBot) -> None:
    actions = window.actions_of_window
    field = window.findChild(QLineEdit, "toolFilter")
    actions.filter_tools.trigger()
    assert window.focusWidget() is field
    actions.focus_tools.trigger()
    assert window.focusWidget() is window.findChild(QWidget, "toolTree")
    actions.focus_approvals.trigger()
    assert not _dock(window, "approvalsDock").isHidden()
    actions.focus_conversations.trigger()
    assert _dock(window, "conversationsDock").isAncestorOf(window.focusWidget())


def test_escape_clears_the_filter_first_and_then_returns_to_writing(window: MainWindow, qtbot: QtBot) -> None:
    field = window.findChild(QLineEdit, "toolFilter")
    field.setFocus()
    field.setText("git")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "" and window.focusWidget() is field
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.centralWidget().isAncestorOf(window.focusWidget())


def test_a_slash_is_a_letter_where_one_writes(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_of_window.back.trigger()
    composer = window.focusWidget()
    assert isinstance(composer, QPlainTextEdit)
    qtbot.keyClick(composer, Qt.Key.Key_Slash)
    assert composer.toPlainText() == "/" and window.focusWidget() is composer


# ---- rules and the gate --------------------------------------------------------------------------------------------


def test_the_rules_take_the_place_of_the_conversation_and_leave_it_again(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_of_window.of_pages["rules"].trigger()
    rules = window.findChild(QPlainTextEdit, "rules")
    assert rules.isVisible() and not window.welcome.isVisible()
    window.actions_of_window.back.trigger()
    assert not rules.isVisible() and window.welcome.isVisible()
    window.show_page("rules")
    window.show_conversation("conv_1")
    assert not rules.isVisible()


def test_opening_the_gate_is_asked_in_the_window_and_shown_in_the_bar(
    window: MainWindow, console: FakeConsole, bridge: Bridge
) -> None:
    window.bar.gate.choose("observe")
    assert window.gate_question.isVisible() and console.mode.kind == "rules"
    console.set_gate_mode(GateMode("observe"))
    bridge.flush()
    assert window.findChild(QPushButton, "gateMode").text() == "Gate: Observe only"
    assert window.bar.property("stripe") is True


def test_a_rule_that_was_just_saved_can_be_undone_in_the_window(
    window: MainWindow, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("approve", scope="always"), "card")
    bridge.flush()
    qtbot.waitUntil(window.notice.isVisible)
    window.notice.findChild(QPushButton, "undoButton").click()
    assert console.rules() == ()


@pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
def test_it_comes_up_from_wherever_it_was(window: MainWindow) -> None:
    window.hide()
    window.come_up()
    assert window.isVisible()
    window.showMinimized()
    window.come_up()
    assert not window.isMinimized()


def test_a_button_at_the_top_shows_a_place_and_leaves_it_again(window: MainWindow, qtbot: QtBot) -> None:
    rules, queue = (window.findChild(QToolButton, name) for name in ("placeRules", "placeApprovals"))
    rules.click()
    assert window.findChild(QPlainTextEdit, "rules").isVisible() and rules.isChecked()
    rules.click()
    assert not window.findChild(QPlainTextEdit, "rules").isVisible() and not rules.isChecked()
    queue.click()
    qtbot.waitUntil(lambda: _dock(window, "approvalsDock").isVisible() and queue.isChecked(), timeout=5000)
    queue.click()
    qtbot.waitUntil(lambda: _dock(window, "approvalsDock").isHidden() and not queue.isChecked(), timeout=5000)


def test_the_button_of_a_pane_stands_for_its_wide_form_too(window: MainWindow, qtbot: QtBot) -> None:
    button = window.findChild(QToolButton, "placeNarrow")
    window.show_page("wide")
    assert button.isChecked()
    button.click()
    assert not button.isChecked() and _dock(window, "narrowDock").isHidden()
    window.show_pane("narrow")
    qtbot.waitUntil(button.isChecked, timeout=5000)
    window.show_page("wide")
    _dock(window, "narrowDock").close()
    assert button.isChecked()
    window.leave_page()
    assert not button.isChecked()
