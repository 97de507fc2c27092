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
        """Takes it away."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _show(self, title: str, text: str) -> None:
        hints = {"urgency": ("y", _CRITICAL), "desktop-entry": ("s", "callgate")}
        body = ("Callgate", 0, "callgate", title, text, ["default", "Show"], hints, _DEFAULT_TIME)
        try:
            async with await DesktopBus.open(self._address) as bus:
                await bus.watch(SERVICE, start=True)
                shown = await bus.call(SERVICE, _PATH, f"{SERVICE}.Notify", "susssasa{sv}i", body)
                if len(shown) != 1 or not isinstance(shown[0], int):
                    raise BusFault("the desktop answered in another form")
                try:
                    await self._follow(bus, shown)
                finally:
                    bus.tell(SERVICE, _PATH, f"{SERVICE}.CloseNotification", "u", shown)
        except BusFault as error:
            log.info("no notification: %s", error)

    async def _follow(self, bus: DesktopBus, shown: tuple[int, ...]) -> None:
        """Until it is gone from the screen."""
        while True:
            signal = await bus.signal()
            if signature_of(signal)[:1] != "u" or signal.body[:1] != shown:
                continue
            if member_of(signal) == f"{SERVICE}.ActionInvoked":
                self.clicked.emit()
            elif member_of(signal) == f"{SERVICE}.NotificationClosed":
                return
