"""Noticing from afar: what is told, what never is, and when it is quiet."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, reviewing, running, waiting
from tests.fakes.tray import FakeTray

from callgate.core.calls.invocation import Decision
from callgate.core.gate_mode import GateMode
from callgate.ui.bridge import Bridge
from callgate.ui.shell.tray import LISTED, Tray
from callgate.ui.theme.theme import Theme

PAUSE, AGAIN = 50, 30


class Service:
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
def service(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings) -> Iterator[Service]:
    service = Service(console, bridge, theme, settings)
    yield service
    service.tray.close()


def _wait(service: Service, *numbers: int) -> None:
    for number in numbers:
        service.console.change(waiting("run_command", {"command": "cat secret"}, id=f"inv_{number}"))
    service.bridge.flush()


# ---- what is told --------------------------------------------------------------------------------------------------


def test_a_notification_names_tool_and_agent_and_never_arguments(service: Service) -> None:
    _wait(service, 1)
    assert service.port.messages == [("Tool call needs approval", "claude-code wants to run run_command")]
    assert "secret" not in str(service.port.messages) + service.port.tip


def test_several_at_once_are_one_notification(service: Service) -> None:
    _wait(service, 1, 2, 3)
    assert service.port.messages == [("3 tool calls need approval", "claude-code: run_command")]


def test_what_comes_soon_after_is_told_in_one_with_how_many_wait(qtbot: QtBot, service: Service) -> None:
    _wait(service, 1)
    for number in range(2, 42):
        _wait(service, number)
    assert len(service.port.messages) == len(service.marked) == 1, "a notification for each would be a flood"
    qtbot.waitUntil(lambda: len(service.port.messages) == 2)
    assert service.port.messages[1] == ("40 tool calls need approval · 41 waiting", "claude-code: run_command")
    assert len(service.marked) == 2


def test_what_was_decided_meanwhile_is_not_told_any_more(qtbot: QtBot, service: Service) -> None:
    _wait(service, 1, 2)
    _wait(service, 3, 4)
    service.console.decide("inv_3", Decision("deny"), "dialog")
    service.bridge.flush()
    qtbot.waitUntil(lambda: len(service.port.messages) == 2)
    assert service.port.messages[1][0] == "Tool call needs approval · 3 waiting"


def test_whoever_looks_by_then_is_told_nothing_more(qtbot: QtBot, service: Service) -> None:
    _wait(service, 1)
    _wait(service, 2)
    service.looks = True
    qtbot.waitUntil(lambda: not service.tray._pause.isActive())
    assert len(service.port.messages) == len(service.marked) == 1
    service.looks = False
    _wait(service, 3)
    assert service.port.messages[-1][0] == "Tool call needs approval · 3 waiting", "and is not told it later"


def test_a_call_that_came_just_as_the_person_left_is_told(qtbot: QtBot, service: Service) -> None:
    service.looks = True
    _wait(service, 1)
    assert service.port.messages == []
    service.looks = False
    qtbot.waitUntil(lambda: len(service.port.messages) == len(service.marked) == 1)


def test_without_a_tray_the_window_is_marked_all_the_same(service: Service) -> None:
    service.port.available = False
    _wait(service, 1)
    assert service.marked == [1]


def test_a_result_that_waits_is_told_as_one(service: Service) -> None:
    service.console.change(reviewing())
    service.bridge.flush()
    assert service.port.messages[0][1] == "read_file has run for claude-code: review its result"


def test_names_of_strangers_are_revealed_and_cut(service: Service) -> None:
    service.console.change(waiting("x\u202e" + "y" * 200))
    service.bridge.flush()
    [(_, text)] = service.port.messages
    assert "⟨U+202E RLO⟩" in text and len(text) < 100


def test_nothing_is_said_of_calls_that_a_rule_let_through(service: Service) -> None:
    service.console.change(running())
    service.bridge.flush()
    assert service.port.messages == [] and service.port.count == 0


def test_nothing_is_said_while_the_person_looks_but_it_is_counted(service: Service) -> None:
    service.looks = True
    _wait(service, 1, 2)
    assert service.port.messages == []
    assert (service.port.count, service.port.tip) == (2, "Callgate: 2 waiting")
    assert service.action("trayApprovals").text() == "Approvals (2)"
    service.console.decide("inv_1", Decision("approve"), "card")
    service.bridge.flush()
    assert service.port.count == 1


def test_a_call_that_was_decided_within_the_same_moment_is_not_told(service: Service) -> None:
    service.console.change(waiting())
    service.console.decide("inv_1", Decision("approve"), "card")
    service.bridge.flush()
    assert service.port.messages == []


def test_a_click_on_the_notification_leads_to_the_call(service: Service) -> None:
    asked: list[str] = []
    service.tray.call_requested.connect(asked.append)
    service.tray.open_requested.connect(lambda: asked.append("window"))
    _wait(service, 1)
    service.port.message_clicked.emit()
    service.console.decide("inv_1", Decision("approve"), "card")
    service.bridge.flush()
    service.port.message_clicked.emit()
    assert asked == ["inv_1", "window"]


def test_the_menu_names_the_oldest_calls_and_leads_to_them(service: Service) -> None:
    asked: list[str] = []
    service.tray.call_requested.connect(asked.append)
    _wait(service, *range(1, 9))
    named = [action for action in service.tray.menu.actions() if action.objectName().startswith("trayCall:")]
    assert [action.objectName() for action in named] == [f"trayCall:inv_{number}" for number in range(1, LISTED + 1)]
    assert {action.text().strip() for action in named} == {"run_command  ·  claude-code"}
    named[1].trigger()
    assert asked == ["inv_2"]
    service.console.decide("inv_1", Decision("approve"), "card")
    service.bridge.flush()
    names = [action.objectName() for action in service.tray.menu.actions()]
    assert "trayCall:inv_1" not in names and "trayCall:inv_6" in names
    assert names.index("trayApprovals") < names.index("trayCall:inv_2")


# ---- sound and quiet -----------------------------------------------------------------------------------------------


def test_it_makes_no_sound_unless_asked_to_and_remembers_that(
    qtbot: QtBot, service: Service, settings: QSettings
) -> None:
    _wait(service, 1)
    assert service.beeps == []
    service.action("traySound").trigger()
    _wait(service, 2)
    qtbot.waitUntil(lambda: service.beeps == [1])
    assert settings.value("notice/sound", type=bool)


def test_do_not_disturb_is_quiet_and_tells_afterwards(service: Service) -> None:
    heard: list[bool] = []
    service.tray.quiet_changed.connect(heard.append)
    service.action("trayQuiet").trigger()
    _wait(service, 1, 2)
    assert service.tray.is_quiet and service.port.messages == [] and service.port.count == 2
    service.action("trayQuiet").trigger()
    assert heard == [True, False]
    assert service.port.messages == [("2 tool calls need approval", "claude-code: run_command")]


def test_an_hour_of_quiet_ends_by_itself(service: Service) -> None:
    service.action("trayQuiet").trigger()
    assert service.tray._quiet.interval() == 3_600_000
    service.tray._quiet.timeout.emit()
    assert not service.action("trayQuiet").isChecked()


# ---- the menu ------------------------------------------------------------------------------------------------------


def test_the_menu_leads_everywhere(service: Service) -> None:
    heard: list[str] = []
    service.tray.open_requested.connect(lambda: heard.append("open"))
    service.tray.approvals_requested.connect(lambda: heard.append("approvals"))
    service.tray.quit_requested.connect(lambda: heard.append("quit"))
    for name in ("trayOpen", "trayApprovals", "trayQuit"):
        service.action(name).trigger()
    service.port.clicked.emit()
    assert heard == ["open", "approvals", "quit", "open"]
    assert service.port.menu is service.tray.menu


def test_the_gate_is_made_stricter_here_and_opened_only_after_a_question(service: Service) -> None:
    wanted: list[int] = []
    service.tray.observe_wanted.connect(lambda: wanted.append(1))
    service.mode("Ask").trigger()
    assert service.console.mode == GateMode("ask") and service.mode("Ask").isChecked()
    service.mode("Observe").trigger()
    assert wanted == [1] and service.console.mode == GateMode("ask")
    assert not service.mode("Observe").isChecked()


def test_an_open_gate_shows_in_the_tray(service: Service) -> None:
    service.console.set_gate_mode(GateMode("observe"))
    service.bridge.flush()
    assert service.port.tip == "Callgate: nothing waiting. The gate only observes"
    service.console.mode = GateMode()
    service.tray.refresh()
    assert service.port.tip == "Callgate: nothing waiting"


def test_that_the_program_goes_on_is_said_once(service: Service, settings: QSettings) -> None:
    service.tray.say_hidden()
    service.tray.say_hidden()
    assert [title for title, _ in service.port.messages] == ["Callgate is still running"]
