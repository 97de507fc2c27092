"""The global shortcut on Windows: RegisterHotKey, whose message comes to the thread's queue and so to Qt."""

import ctypes
from ctypes import wintypes
from typing import Any, Final, Protocol

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject

from callgate.ui.desktop.shortcut import Shortcut

KEYS: Final = "Ctrl+Alt+Space"
WM_HOTKEY: Final = 0x0312
HOTKEY_ID: Final = 1
_MOD_ALT, _MOD_CONTROL, _MOD_NOREPEAT = 0x0001, 0x0002, 0x4000
_VK_SPACE: Final = 0x20
_MESSAGE: Final = b"windows_generic_MSG"


class User32(Protocol):
    def RegisterHotKey(self, window: None, number: int, modifiers: int, key: int) -> int: ...

    def UnregisterHotKey(self, window: None, number: int) -> int: ...


class WindowsShortcut(Shortcut):
    def __init__(self, user32: User32, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._user32 = user32
        self._filter = _HotKeyFilter(self)
        self.state = "off"

    def start(self) -> None:
        if self.state == "on":
            return
        # refused where another program has these keys
        taken = self._user32.RegisterHotKey(None, HOTKEY_ID, _MOD_ALT | _MOD_CONTROL | _MOD_NOREPEAT, _VK_SPACE)
        self.state, self.keys = ("on", KEYS) if taken else ("unavailable", "")
        if taken:
            _application().installNativeEventFilter(self._filter)
        self.changed.emit()

    def stop(self) -> None:
        if self.state == "on":
            _application().removeNativeEventFilter(self._filter)
            self._user32.UnregisterHotKey(None, HOTKEY_ID)
        self.state, self.keys = "off", ""
        self.changed.emit()


class _HotKeyFilter(QAbstractNativeEventFilter):
    def __init__(self, shortcut: WindowsShortcut) -> None:
        super().__init__()
        self._shortcut = shortcut

    def nativeEventFilter(self, kind: QByteArray | bytes | bytearray | memoryview, message: Any) -> tuple[bool, int]:
        if bytes(kind.data() if isinstance(kind, QByteArray) else kind) == _MESSAGE:
            told = wintypes.MSG.from_address(int(message))
            if told.message == WM_HOTKEY and told.wParam == HOTKEY_ID:
                self._shortcut.pressed.emit()
                return True, 0
        return False, 0


def system_user32() -> User32 | None:
    """None on every other system."""
    windows = getattr(ctypes, "windll", None)
    return None if windows is None else windows.user32


def _application() -> QCoreApplication:
    app = QCoreApplication.instance()
    assert app is not None
    return app
