"""Windows' hot key, as far as it can be tried elsewhere: what is registered, and which message counts."""

import ctypes
from ctypes import wintypes

import pytest
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot

from callgate.ui.desktop.windows_shortcut import HOTKEY_ID, KEYS, WM_HOTKEY, WindowsShortcut


class FakeUser32:
    def __init__(self, *, taken: bool = False) -> None:
        self.taken = taken
        self.registered: list[tuple[int, int, int]] = []

    def RegisterHotKey(self, window: None, number: int, modifiers: int, key: int) -> int:
        if self.taken:
            return 0
        self.registered.append((number, modifiers, key))
        return 1

    def UnregisterHotKey(self, window: None, number: int) -> int:
        self.registered = [entry for entry in self.registered if entry[0] != number]
        return 1


def test_it_registers_its_keys_and_gives_them_back(qtbot: QtBot) -> None:
    user32 = FakeUser32()
    shortcut = WindowsShortcut(user32)
    shortcut.start()
    shortcut.start()
    assert user32.registered == [(HOTKEY_ID, 0x4003, 0x20)]
    assert (shortcut.state, shortcut.keys) == ("on", KEYS)
    shortcut.stop()
    assert user32.registered == [] and (shortcut.state, shortcut.keys) == ("off", "")


def test_keys_that_another_program_has_are_unavailable(qtbot: QtBot) -> None:
    shortcut = WindowsShortcut(FakeUser32(taken=True))
    shortcut.start()
    assert (shortcut.state, shortcut.keys) == ("unavailable", "")


@pytest.mark.parametrize(
    ("kind", "message", "number", "counts"),
    [
        (b"windows_generic_MSG", WM_HOTKEY, HOTKEY_ID, True),
        (QByteArray(b"windows_generic_MSG"), WM_HOTKEY, HOTKEY_ID, True),
        (b"windows_generic_MSG", WM_HOTKEY, HOTKEY_ID + 1, False),
        (b"windows_generic_MSG", 0x0100, HOTKEY_ID, False),
        (b"xcb_generic_event_t", WM_HOTKEY, HOTKEY_ID, False),
    ],
)
def test_only_its_own_message_is_a_press(
    qtbot: QtBot, kind: bytes | QByteArray, message: int, number: int, counts: bool
) -> None:
    shortcut = WindowsShortcut(FakeUser32())
    presses: list[int] = []
    shortcut.pressed.connect(lambda: presses.append(1))
    told = wintypes.MSG(message=message, wParam=number)
    assert shortcut._filter.nativeEventFilter(kind, ctypes.addressof(told)) == (counts, 0)
    assert bool(presses) == counts
