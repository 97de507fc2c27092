"""The menu entry of the global shortcut: what it says in each state, and what it remembers."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.bridge import Bridge
from callgate.ui.desktop.global_shortcut import PAUSE_SECONDS, GlobalShortcut, shortcut_of_desktop
from callgate.ui.desktop.shortcut import Shortcut, ShortcutState
from callgate.ui.offer import Offer


class FakeShortcut(QObject):
    pressed = Signal()
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.state: ShortcutState = "off"
        self.keys = ""
        self.started = 0

    def start(self) -> None:
        self.started += 1
        self.become("asking")

    def stop(self) -> None:
        self.become("off")

    def become(self, state: ShortcutState, keys: str = "") -> None:
        self.state, self.keys = state, keys
        self.changed.emit()


class Desk:
    def __init__(self, settings: QSettings) -> None:
        self.window = QWidget()
        self.fake, self.now = FakeShortcut(), 100.0
        self.shortcut = GlobalShortcut(self.fake, settings, self.window, now=lambda: self.now)
        self.presses = 0
        self.shortcut.pressed.connect(self._count)

    def _count(self) -> None:
        self.presses += 1

    @property
    def entry(self) -> QAction:
        [action] = self.shortcut.menu.actions()
        return action

    @property
    def offer(self) -> Offer:
        [offer] = self.window.findChildren(Offer)
        return offer


@pytest.fixture
def desk(qtbot: QtBot, settings: QSettings) -> Iterator[Desk]:
    desk = Desk(settings)
    qtbot.addWidget(desk.window)
    yield desk


def test_it_is_on_from_the_start_and_says_how_it_stands(desk: Desk) -> None:
    desk.shortcut.start()
    assert desk.entry.isChecked() and desk.entry.text().endswith("(waiting for the desktop)")
    desk.fake.become("on", "Ctrl+Alt+Space & more")
    assert desk.entry.text() == "Show the oldest waiting tool call (Ctrl+Alt+Space && more)"
    assert desk.offer.title == "Global shortcut: off" and desk.offer.is_there
    desk.fake.become("unavailable")
    assert desk.entry.text() == "Not available on this desktop"
    assert not desk.entry.isEnabled() and not desk.entry.isChecked() and not desk.offer.is_there


def test_switching_it_off_is_remembered(desk: Desk, settings: QSettings) -> None:
    desk.shortcut.start()
    desk.fake.become("on")
    desk.entry.trigger()
    assert desk.fake.state == "off" and not desk.entry.isChecked()
    again = Desk(settings)
    again.shortcut.start()
    assert again.fake.started == 0 and not again.entry.isChecked()
    again.offer.trigger()
    assert again.fake.started == 1 and again.entry.isChecked()


def test_a_no_to_the_desktop_switches_it_off_for_good(desk: Desk, settings: QSettings) -> None:
    desk.shortcut.start()
    desk.fake.become("declined")
    assert desk.fake.state == "off" and not desk.entry.isChecked() and desk.entry.isEnabled()
    again = Desk(settings)
    again.shortcut.start()
    assert again.fake.started == 0, "else the desktop would ask at every start"


def test_an_unavailable_one_is_still_wanted_at_the_next_start(desk: Desk, settings: QSettings) -> None:
    desk.shortcut.start()
    desk.fake.become("unavailable")
    again = Desk(settings)
    again.shortcut.start()
    assert again.fake.started == 1


def test_presses_that_come_too_fast_are_one(desk: Desk) -> None:
    for _ in range(50):
        desk.fake.pressed.emit()
    assert desk.presses == 1
    desk.now += 2 * PAUSE_SECONDS
    desk.fake.pressed.emit()
    assert desk.presses == 2


def test_without_a_session_bus_there_is_none(qtbot: QtBot, bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert type(shortcut_of_desktop(bridge, bridge)) is Shortcut
