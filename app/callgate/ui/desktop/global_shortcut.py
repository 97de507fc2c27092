"""The setting for the global shortcut: a menu entry that says what the desktop has made of it. Knows no call."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from callgate.ui.bridge import Bridge
from callgate.ui.desktop.bus import session_address
from callgate.ui.desktop.portal_shortcut import PortalShortcut
from callgate.ui.desktop.shortcut import DESCRIPTION, Shortcut
from callgate.ui.desktop.windows_shortcut import WindowsShortcut, system_user32
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.text.hidden_characters import reveal_name

WANTED_KEY: Final = "shortcut/global"
UNAVAILABLE: Final = "Not available on this desktop"
PAUSE_SECONDS: Final = 0.3
"""Presses that come faster are one: keys that repeat, or a desktop gone wrong."""


class GlobalShortcut(QObject):
    pressed = Signal()
    """The person wants to see what waits, from wherever they are."""

    def __init__(
        self,
        shortcut: Shortcut,
        settings: QSettings,
        window: QWidget,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(window)
        self._shortcut, self._settings, self._now = shortcut, settings, now
        self._last = -PAUSE_SECONDS
        self.menu = QMenu("Global shortcut", window)
        self.menu.setObjectName("globalShortcutMenu")
        self._action = QAction(DESCRIPTION, self.menu)
        self._action.setObjectName("globalShortcut")
        self._action.setCheckable(True)
        self._action.triggered.connect(self._switch)
        self.menu.addAction(self._action)
        PaletteEntry(
            window, "Global shortcut", "Global shortcut", self._action.trigger,
            words=self._words_of_switch, when=self._action.isEnabled, kind="setting",
        )  # fmt: skip
        shortcut.changed.connect(self._follow)
        shortcut.pressed.connect(self._press)
        self._show()

    @property
    def is_wanted(self) -> bool:
        return bool(self._settings.value(WANTED_KEY, True, type=bool))

    def start(self) -> None:
        """Once the program runs: asks the desktop for it, unless it was switched off."""
        if self.is_wanted:
            self._shortcut.start()

    def close(self) -> None:
        self._shortcut.stop()

    def _switch(self) -> None:
        wanted = not self.is_wanted
        self._settings.setValue(WANTED_KEY, wanted)
        if wanted:
            self._shortcut.start()
        else:
            self._shortcut.stop()
        self._show()

    def _follow(self) -> None:
        if self._shortcut.state == "declined":
            self._settings.setValue(WANTED_KEY, False)  # else the desktop would ask again at each start
            self._shortcut.stop()
        self._show()

    def _show(self) -> None:
        state, keys = self._shortcut.state, self._shortcut.keys
        words = DESCRIPTION
        if state == "unavailable":
            words = UNAVAILABLE
        elif state == "asking":
            words = f"{DESCRIPTION} (waiting for the desktop)"
        elif keys:
            words = f"{DESCRIPTION} ({reveal_name(keys)})"
        self._action.setText(words.replace("&", "&&"))
        self._action.setEnabled(state != "unavailable")
        self._action.setChecked(self.is_wanted and state != "unavailable")

    def _words_of_switch(self) -> str:
        return f"Global shortcut: {'off' if self._action.isChecked() else 'on'}"

    def _press(self) -> None:
        now = self._now()
        if now - self._last >= PAUSE_SECONDS:
            self._last = now
            self.pressed.emit()


def shortcut_of_desktop(bridge: Bridge, parent: QObject) -> Shortcut:
    """The way that this desktop has. macOS has none without its native libraries, and gets none."""
    user32 = system_user32()
    if user32 is not None:
        return WindowsShortcut(user32, parent)
    address = session_address()
    return PortalShortcut(bridge, address, parent) if address else Shortcut(parent)
