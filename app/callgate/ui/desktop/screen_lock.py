"""Whether the person's screen is locked, as the desktop says over D-Bus. Nobody sees a call behind a lock.

Screen savers are asked on the session's bus and logind on the system's, each for itself; one that says "locked" is
enough. A desktop that says nothing of it counts as not locked.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final

from jeepney import Message
from PySide6.QtCore import QObject, Signal

from callgate.ui.bridge import Bridge
from callgate.ui.desktop.bus import BusFault, BusLost, DesktopBus, is_new_owner, member_of, path_of, signature_of

log = logging.getLogger(__name__)

SAVERS: Final = {
    "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
    "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
}
LOGIND: Final = "org.freedesktop.login1"
_LOGIND_PATH: Final = "/org/freedesktop/login1"
_SESSION: Final = "org.freedesktop.login1.Session"
_PROPERTIES: Final = "org.freedesktop.DBus.Properties"


class ScreenLock(QObject):
    changed = Signal(bool)

    def __init__(self, bridge: Bridge, session: str, system: str, parent: QObject | None = None) -> None:
        """`session`, `system`: addresses of the two buses; empty = there is none."""
        super().__init__(parent)
        self._bridge, self._session, self._system = bridge, session, system
        self._saying: set[str] = set()
        """Who says that it is locked."""
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_locked(self) -> bool:
        return bool(self._saying)

    def start(self) -> None:
        if self._session:
            for service in SAVERS:
                self._watch(service, self._session, partial(self._follow_saver, service))
        if self._system:
            self._watch(LOGIND, self._system, self._follow_logind)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    def _watch(
        self, service: str, address: str, follow: Callable[[DesktopBus], Coroutine[object, object, None]]
    ) -> None:
        self._tasks.append(self._bridge.start(self._run(service, address, follow), self, f"screen lock: {service}"))

    async def _run(
        self, service: str, address: str, follow: Callable[[DesktopBus], Coroutine[object, object, None]]
    ) -> None:
        try:
            async with await DesktopBus.open(address) as bus:
                await follow(bus)
        except BusFault as error:
            log.info("nothing is known of the lock from %s: %s", service, error)
        finally:
            self._say(service, locked=False)

    async def _follow_saver(self, service: str, bus: DesktopBus) -> None:
        await bus.watch(service)
        self._say(service, locked=await _is_active(bus, service))
        while True:
            signal = await bus.signal()
            if is_new_owner(signal, service):
                self._say(service, locked=await _is_active(bus, service))
            elif member_of(signal) == f"{service}.ActiveChanged" and signal.body[:1] in ((True,), (False,)):
                self._say(service, locked=signal.body[0])

    async def _follow_logind(self, bus: DesktopBus) -> None:
        await bus.watch(LOGIND)
        (path,) = await bus.call(LOGIND, _LOGIND_PATH, f"{LOGIND}.Manager.GetSession", "s", ("auto",))
        self._say(LOGIND, locked=await _hint(bus, path))
        while True:
            signal = await bus.signal()
            if is_new_owner(signal, LOGIND) and not bus.owner(LOGIND):
                self._say(LOGIND, locked=False)
            elif is_new_owner(signal, LOGIND) or (path_of(signal) == path and _touches_hint(signal)):
                self._say(LOGIND, locked=await _hint(bus, path))

    def _say(self, service: str, *, locked: bool) -> None:
        before = self.is_locked
        if locked:
            self._saying.add(service)
        else:
            self._saying.discard(service)
        if self.is_locked != before:
            self.changed.emit(self.is_locked)


async def _is_active(bus: DesktopBus, service: str) -> bool:
    """What it says now; False where it is not there or does not say, as that of some desktops that only inhibits."""
    if not bus.owner(service):
        return False
    try:
        answer = await bus.call(service, SAVERS[service], f"{service}.GetActive")
    except BusLost:
        raise
    except BusFault as error:
        log.info("%s does not say whether it is locked: %s", service, error)
        return False
    return answer[:1] == (True,)


async def _hint(bus: DesktopBus, path: str) -> bool:
    (value,) = await bus.call(LOGIND, path, f"{_PROPERTIES}.Get", "ss", (_SESSION, "LockedHint"))
    return value == ("b", True)


def _touches_hint(signal: Message) -> bool:
    if member_of(signal) != f"{_PROPERTIES}.PropertiesChanged" or signature_of(signal) != "sa{sv}as":
        return False
    interface, changed, invalidated = signal.body
    return interface == _SESSION and ("LockedHint" in changed or "LockedHint" in invalidated)
