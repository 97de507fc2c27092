"""Notifications where the desktop has no tray, as GNOME: org.freedesktop.Notifications, asked over D-Bus.

One stands at a time: a new one replaces the last. Nothing can be decided on it; a click brings the program up.
"""

import asyncio
import logging
from typing import Final

from PySide6.QtCore import QObject, Signal

from callgate.ui.bridge import Bridge
from callgate.ui.desktop.bus import BusFault, DesktopBus, member_of, signature_of

log = logging.getLogger(__name__)

SERVICE: Final = "org.freedesktop.Notifications"
_PATH: Final = "/org/freedesktop/Notifications"
_CRITICAL: Final = 2
"""Urgency: it stays until it is looked at, as the call does."""
_DEFAULT_TIME: Final = -1


class Notices(QObject):
    clicked = Signal()

    def __init__(self, bridge: Bridge, address: str, parent: QObject | None = None) -> None:
        """`address`: of the session's bus; empty = there is none, and nothing is shown."""
        super().__init__(parent)
        self._bridge, self._address = bridge, address
        self._task: asyncio.Task[None] | None = None

    def show(self, title: str, text: str) -> None:
        if not self._address:
            return
        self.close()
        self._task = self._bridge.start(self._show(title, text), self, "notification")

    def close(self) -> None:
        """Desktops take a notification away with the connection that it came from."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _show(self, title: str, text: str) -> None:
        hints = {"urgency": ("y", _CRITICAL), "desktop-entry": ("s", "callgate")}
        body = ("Callgate", 0, "callgate", title, text, ["default", "Show"], hints, _DEFAULT_TIME)
        try:
            async with await DesktopBus.open(self._address) as bus:
                await bus.watch(SERVICE, start=True)
                answer = await bus.call(SERVICE, _PATH, f"{SERVICE}.Notify", "susssasa{sv}i", body)
                while True:
                    signal = await bus.signal()
                    if signature_of(signal)[:1] != "u" or signal.body[:1] != answer:
                        continue
                    if member_of(signal) == f"{SERVICE}.ActionInvoked":
                        self.clicked.emit()
                    elif member_of(signal) == f"{SERVICE}.NotificationClosed":
                        return
        except BusFault as error:
            log.info("no notification: %s", error)
