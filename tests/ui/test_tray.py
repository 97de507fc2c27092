"""Noticing from afar: what is told, what never is, and when it is quiet."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, reviewing, running, waiting
from tests.fakes.tray import FakeTray

from callgate.core.gate_mode import GateMode
from callgate.core.invocation import Decision
from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme
from callgate.ui.tray import LISTED, Tray

PAUSE, AGAIN = 50, 30


class Desk:
    """A tray with everything that it did."""

    def __init__(self, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings) -> None:
        self.console, self.bridge = console, bridge
        self.port = FakeTray()
        self.looks = False
        self.beeps: list[int] = []
        self.tray = Tray(
            console, bridge, theme, settings, self.port,
            looks=lambda: self.looks, beep=lambda: self.beeps.append(1), pause_ms=PAUSE, again_ms=AGAIN,
        )  # fmt: skip
        self.marked: list[int] = []
        self.tray.attention_wanted.connect(lambda: self.marked.append(1))

    def action(self, name: str) -> QAction:
        return next(action for action in self.tray.menu.actions() if action.objectName() == name)

    def mode(self, words: str) -> QAction:
        gate = next(action.menu() for action in self.tray.menu.actions() if action.text() == "Gate")
        return next(action for action in gate.actions() if action.text().startswith(words))


@pytest.fixture
def desk(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings) -> Iterator[Desk]:
    desk = Desk(console, bridge, theme, settings)
    yield desk
    desk.tray.close()


def _wait(desk: Desk, *numbers: int) -> None:
    for number in numbers:
        desk.console.change(waiting("run_command", {"command": "cat secret"}, id=f"inv_{number}"))
    desk.bridge.flush()


# ---- what is told --------------------------------------------------------------------------------------------------


def test_a_notification_names_tool_and_agent_and_never_arguments(desk: Desk) -> None:
    _wait(desk, 1)
    assert desk.port.messages == [("Tool call needs approval", "claude-code wants to run run_command")]
    assert "secret" not in str(desk.port.messages) + desk.port.tip


def test_several_at_once_are_one_notification(desk: Desk) -> None:
    _wait(desk, 1, 2, 3)
    assert desk.port.messages == [("3 tool calls need approval", "claude-code: run_command")]


def test_what_comes_soon_after_is_told_in_one_with_how_many_wait(qtbot: QtBot, desk: Desk) -> None:
    _wait(desk, 1)
    for number in range(2, 42):
        _wait(desk, number)
    assert len(desk.port.messages) == len(desk.marked) == 1, "a notification for each would be a flood"
    qtbot.waitUntil(lambda: len(desk.port.messages) == 2)
    assert desk.port.messages[1] == ("40 tool calls need approval · 41 waiting", "claude-code: run_command")
    assert len(desk.marked) == 2


def test_what_was_decided_meanwhile_is_not_told_any_more(qtbot: QtBot, desk: Desk) -> None:
    _wait(desk, 1, 2)
    _wait(desk, 3, 4)
    desk.console.decide("inv_3", Decision("deny"), "dialog")
    desk.bridge.flush()
    qtbot.waitUntil(lambda: len(desk.port.messages) == 2)
    assert desk.port.messages[1][0] == "Tool call needs approval · 3 waiting"


def test_whoever_looks_by_then_is_told_nothing_more(qtbot: QtBot, desk: Desk) -> None:
    _wait(desk, 1)
    _wait(desk, 2)
    desk.looks = True
    qtbot.waitUntil(lambda: not desk.tray._pause.isActive())
    assert len(desk.port.messages) == len(desk.marked) == 1
    desk.looks = False
    _wait(desk, 3)
    assert desk.port.messages[-1][0] == "Tool call needs approval · 3 waiting", "and is not told it later"


def test_a_call_that_came_just_as_the_person_left_is_told(qtbot: QtBot, desk: Desk) -> None:
    desk.looks = True
    _wait(desk, 1)
    assert desk.port.messages == []
    desk.looks = False
    qtbot.waitUntil(lambda: len(desk.port.messages) == len(desk.marked) == 1)


def test_without_a_tray_the_window_is_marked_all_the_same(desk: Desk) -> None:
    desk.port.available = False
    _wait(desk, 1)
    assert desk.marked == [1]


def test_a_result_that_waits_is_told_as_one(desk: Desk) -> None:
    desk.console.change(reviewing())
    desk.bridge.flush()
    assert desk.port.messages[0][1] == "read_file has run for claude-code: review its result"


def test_names_of_strangers_are_revealed_and_cut(desk: Desk) -> None:
    desk.console.change(waiting("x\u202e" + "y" * 200))
    desk.bridge.flush()
    [(_, text)] = desk.port.messages
    assert "⟨U+202E RLO⟩" in text and len(text) < 100


def test_nothing_is_said_of_calls_that_a_rule_let_through(desk: Desk) -> None:
    desk.console.change(running())
    desk.bridge.flush()
    assert desk.port.messages == [] and desk.port.count == 0


def test_nothing_is_said_while_the_person_looks_but_it_is_counted(desk: Desk) -> None:
    desk.looks = True
    _wait(desk, 1, 2)
    assert desk.port.messages == []
    assert (desk.port.count, desk.port.tip) == (2, "Callgate: 2 waiting")
    assert desk.action("trayApprovals").text() == "Approvals (2)"
    desk.console.decide("inv_1", Decision("approve"), "card")
    desk.bridge.flush()
    assert desk.port.count == 1


def test_a_call_that_was_decided_within_the_same_moment_is_not_told(desk: Desk) -> None:
    desk.console.change(waiting())
    desk.console.decide("inv_1", Decision("approve"), "card")
    desk.bridge.flush()
    assert desk.port.messages == []


def test_a_click_on_the_notification_leads_to_the_call(desk: Desk) -> None:
    asked: list[str] = []
    desk.tray.call_requested.connect(asked.append)
    desk.tray.open_requested.connect(lambda: asked.append("window"))
    _wait(desk, 1)
    desk.port.message_clicked.emit()
    desk.console.decide("inv_1", Decision("approve"), "card")
    desk.bridge.flush()
    desk.port.message_clicked.emit()
    assert asked == ["inv_1", "window"]


def test_the_menu_names_the_oldest_calls_and_leads_to_them(desk: Desk) -> None:
    asked: list[str] = []
    desk.tray.call_requested.connect(asked.append)
    _wait(desk, *range(1, 9))
    named = [action for action in desk.tray.menu.actions() if action.objectName().startswith("trayCall:")]
    assert [action.objectName() for action in named] == [f"trayCall:inv_{number}" for number in range(1, LISTED + 1)]
    assert {action.text().strip() for action in named} == {"run_command  ·  claude-code"}
    named[1].trigger()
    assert asked == ["inv_2"]
    desk.console.decide("inv_1", Decision("approve"), "card")
    desk.bridge.flush()
    names = [action.objectName() for action in desk.tray.menu.actions()]
    assert "trayCall:inv_1" not in names and "trayCall:inv_6" in names
    assert names.index("trayApprovals") < names.index("trayCall:inv_2")


# ---- sound and quiet -----------------------------------------------------------------------------------------------


def test_it_makes_no_sound_unless_asked_to_and_remembers_that(qtbot: QtBot, desk: Desk, settings: QSettings) -> None:
    _wait(desk, 1)
    assert desk.beeps == []
    desk.action("traySound").trigger()
    _wait(desk, 2)
    qtbot.waitUntil(lambda: desk.beeps == [1])
    assert settings.value("notice/sound", type=bool)


def test_do_not_disturb_is_quiet_and_tells_afterwards(desk: Desk) -> None:
    heard: list[bool] = []
    desk.tray.quiet_changed.connect(heard.append)
    desk.action("trayQuiet").trigger()
    _wait(desk, 1, 2)
    assert desk.tray.is_quiet and desk.port.messages == [] and desk.port.count == 2
    desk.action("trayQuiet").trigger()
    assert heard == [True, False]
    assert desk.port.messages == [("2 tool calls need approval", "claude-code: run_command")]


def test_an_hour_of_quiet_ends_by_itself(desk: Desk) -> None:
    desk.action("trayQuiet").trigger()
    assert desk.tray._quiet.interval() == 3_600_000
    desk.tray._quiet.timeout.emit()
    assert not desk.action("trayQuiet").isChecked()


# ---- the menu ------------------------------------------------------------------------------------------------------


def test_the_menu_leads_everywhere(desk: Desk) -> None:
    heard: list[str] = []
    desk.tray.open_requested.connect(lambda: heard.append("open"))
    desk.tray.approvals_requested.connect(lambda: heard.append("approvals"))
    desk.tray.quit_requested.connect(lambda: heard.append("quit"))
    for name in ("trayOpen", "trayApprovals", "trayQuit"):
        desk.action(name).trigger()
    desk.port.clicked.emit()
    assert heard == ["open", "approvals", "quit", "open"]
    assert desk.port.menu is desk.tray.menu


def test_the_gate_is_made_stricter_here_and_opened_only_after_a_question(desk: Desk) -> None:
    wanted: list[int] = []
    desk.tray.observe_wanted.connect(lambda: wanted.append(1))
    desk.mode("Ask").trigger()
    assert desk.console.mode == GateMode("ask") and desk.mode("Ask").isChecked()
    desk.mode("Observe").trigger()
    assert wanted == [1] and desk.console.mode == GateMode("ask")
    assert not desk.mode("Observe").isChecked()


def test_an_open_gate_shows_in_the_tray(desk: Desk) -> None:
    desk.console.set_gate_mode(GateMode("observe"))
    desk.bridge.flush()
    assert desk.port.tip == "Callgate: nothing waiting. The gate only observes"
    desk.console.mode = GateMode()
    desk.tray.refresh()
    assert desk.port.tip == "Callgate: nothing waiting"


def test_that_the_program_goes_on_is_said_once(desk: Desk, settings: QSettings) -> None:
    desk.tray.say_hidden()
    desk.tray.say_hidden()
    assert [title for title, _ in desk.port.messages] == ["Callgate is still running"]
