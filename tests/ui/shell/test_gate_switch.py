"""The switch for the gate as a whole."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.core.events import GateChanged
from callgate.core.gate_mode import GateMode
from callgate.ui.bridge import Bridge
from callgate.ui.shell.gate_switch import GateSwitch
from callgate.ui.theme.theme import Theme


@pytest.fixture
def switch(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> GateSwitch:
    switch = GateSwitch(console, theme, now=lambda: console.now)
    qtbot.addWidget(switch)
    bridge.batch.connect(switch.apply)
    return switch


def _action(switch: GateSwitch, words: str):
    return next(action for action in switch.modes.actions() if action.text().startswith(words))


def test_it_offers_three_modes_and_marks_the_one_that_holds(switch: GateSwitch) -> None:
    assert [action.text() for action in switch.modes.actions()] == ["Ask about everything", "By rules", "Observe only…"]
    assert _action(switch, "By rules").isChecked()
    assert switch.objectName() == "gateMode" and switch.accessibleName() == "Gate mode: By rules"


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
def test_a_click_opens_the_menu(switch: GateSwitch) -> None:
    switch.show()
    switch.click()
    assert switch.modes.isVisible()
    switch.modes.close()


def test_stricter_is_done_at_once(switch: GateSwitch, console: FakeConsole, bridge: Bridge) -> None:
    _action(switch, "Ask about everything").trigger()
    assert console.mode == GateMode("ask")
    bridge.flush()
    assert switch.text() == "Gate: Ask"


def test_opening_it_is_only_asked_for(switch: GateSwitch, console: FakeConsole, qtbot: QtBot) -> None:
    with qtbot.waitSignal(switch.observe_wanted, timeout=1000):
        _action(switch, "Observe only").trigger()
    assert console.mode == GateMode()
    assert _action(switch, "By rules").isChecked()


def test_an_open_gate_counts_down_and_falls_back_by_itself(
    switch: GateSwitch, console: FakeConsole, bridge: Bridge
) -> None:
    heard: list[str] = []
    switch.mode_changed.connect(lambda mode: heard.append(mode.kind))
    console.set_gate_mode(GateMode("observe", console.now + 900))
    bridge.flush()
    assert switch.text() == "Gate: Observe only  15:00"
    assert switch.property("kind") == "alarm"
    console.now += 28
    switch.tick()
    assert switch.text() == "Gate: Observe only  14:32"
    console.now += 900
    switch.tick()
    assert switch.text() == "Gate: By rules" and switch.property("kind") == "address"
    assert heard == ["observe", "rules"]
    assert not switch._timer.isActive()


def test_it_looks_unlike_itself_when_open(switch: GateSwitch, theme: Theme, qapp: QApplication) -> None:
    theme.apply(qapp)
    try:
        switch.show()
        calm = switch.grab().toImage()
        switch.apply((GateChanged(GateMode("observe"), 0.0),))
        alarm = switch.grab().toImage()
        assert calm.pixelColor(4, calm.height() // 2) != alarm.pixelColor(4, alarm.height() // 2)
        assert alarm.pixelColor(4, alarm.height() // 2) == theme.color("denied")
        assert switch.text() == "Gate: Observe only"
    finally:
        qapp.setStyleSheet("")
