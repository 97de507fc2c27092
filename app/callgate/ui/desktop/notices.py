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
        self._wanted: tuple[str, str] | None = None
        """Title and text of what should stand on the screen."""
        self._looking: asyncio.Timeout | None = None

    def show(self, title: str, text: str) -> None:
        if not self._address:
            return
        self._want((title, text))
        if self._task is None or self._task.done():
            self._task = self._bridge.start(self._run(), self, "notification")

    def close(self) -> None:
        """Takes it away."""
        self._want(None)

    def _want(self, wanted: tuple[str, str] | None) -> None:
        # never cancelled: a notification whose number has not come back yet could not be taken away
        self._wanted = wanted
        if self._looking is not None:
            self._looking.reschedule(0)

    async def _run(self) -> None:
        while self._wanted is not None:
            try:
                async with await DesktopBus.open(self._address) as bus:
                    await bus.watch(SERVICE, start=True)
                    await self._keep_shown(bus)
            except BusFault as error:
                self._wanted = None
                log.info("no notification: %s", error)

    async def _keep_shown(self, bus: DesktopBus) -> None:
        number = 0
        try:
            while (wanted := self._wanted) is not None:
                number = await self._notify(bus, wanted, number)
                await self._follow(bus, wanted, number)
        finally:
            if number:
                bus.tell(SERVICE, _PATH, f"{SERVICE}.CloseNotification", "u", (number,))

    async def _notify(self, bus: DesktopBus, wanted: tuple[str, str], replaced: int) -> int:
        hints = {"urgency": ("y", _CRITICAL), "desktop-entry": ("s", "callgate")}
        body = ("Callgate", replaced, "callgate", *wanted, ["default", "Show"], hints, _DEFAULT_TIME)
        shown = await bus.call(SERVICE, _PATH, f"{SERVICE}.Notify", "susssasa{sv}i", body)
        if len(shown) != 1 or not isinstance(shown[0], int):
            raise BusFault("the desktop answered in another form")
        return shown[0]

    async def _follow(self, bus: DesktopBus, wanted: tuple[str, str], number: int) -> None:
        """Until it is gone from the screen, or something else is wanted there."""
        try:
            async with asyncio.timeout(None) as self._looking:
                while self._wanted is wanted:
                    signal = await bus.signal()
                    if signature_of(signal)[:1] != "u" or signal.body[:1] != (number,):
                        continue
                    if member_of(signal) == f"{SERVICE}.ActionInvoked":
                        self.clicked.emit()
                    elif member_of(signal) == f"{SERVICE}.NotificationClosed" and self._wanted is wanted:
                        self._wanted = None
        except TimeoutError:
            pass  # something else is wanted
        finally:
            self._looking = None
