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
from callgate.ui.shell.palette_entry import PaletteEntry


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


class Service:
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
    def offer(self) -> PaletteEntry:
        [offer] = self.window.findChildren(PaletteEntry)
        return offer


@pytest.fixture
def service(qtbot: QtBot, settings: QSettings) -> Iterator[Service]:
    service = Service(settings)
    qtbot.addWidget(service.window)
    yield service


def test_it_is_on_from_the_start_and_says_how_it_stands(service: Service) -> None:
    service.shortcut.start()
    assert service.entry.isChecked() and service.entry.text().endswith("(waiting for the desktop)")
    service.fake.become("on", "Ctrl+Alt+Space & more")
    assert service.entry.text() == "Show the oldest waiting tool call (Ctrl+Alt+Space && more)"
    assert service.offer.title == "Global shortcut: off" and service.offer.is_there
    service.fake.become("unavailable")
    assert service.entry.text() == "Not available on this desktop"
    assert not service.entry.isEnabled() and not service.entry.isChecked() and not service.offer.is_there


def test_switching_it_off_is_remembered(service: Service, settings: QSettings) -> None:
    service.shortcut.start()
    service.fake.become("on")
    service.entry.trigger()
    assert service.fake.state == "off" and not service.entry.isChecked()
    again = Service(settings)
    again.shortcut.start()
    assert again.fake.started == 0 and not again.entry.isChecked()
    again.offer.trigger()
    assert again.fake.started == 1 and again.entry.isChecked()


def test_a_no_to_the_desktop_switches_it_off_for_good(service: Service, settings: QSettings) -> None:
    service.shortcut.start()
    service.fake.become("declined")
    assert service.fake.state == "off" and not service.entry.isChecked() and service.entry.isEnabled()
    again = Service(settings)
    again.shortcut.start()
    assert again.fake.started == 0, "else the desktop would ask at every start"


def test_an_unavailable_one_is_still_wanted_at_the_next_start(service: Service, settings: QSettings) -> None:
    service.shortcut.start()
    service.fake.become("unavailable")
    again = Service(settings)
    again.shortcut.start()
    assert again.fake.started == 1


def test_presses_that_come_too_fast_are_one(service: Service) -> None:
    for _ in range(50):
        service.fake.pressed.emit()
    assert service.presses == 1
    service.now += 2 * PAUSE_SECONDS
    service.fake.pressed.emit()
    assert service.presses == 2


def test_without_a_session_bus_there_is_none(qtbot: QtBot, bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert type(shortcut_of_desktop(bridge, bridge)) is Shortcut
