"""The global shortcut by the desktop portal (org.freedesktop.portal.GlobalShortcuts), as GNOME, KDE and others have it.

The desktop asks the person and chooses the keys; this only hears that they were pressed. Nothing here can decide.
"""

import asyncio
import logging
import secrets
from typing import Any, Final

from jeepney import Message
from PySide6.QtCore import QObject

from callgate.core.errors import CallgateError
from callgate.ui.bridge import Bridge
from callgate.ui.desktop.bus import (
    CALL_SECONDS,
    BusFault,
    BusLost,
    DesktopBus,
    is_new_owner,
    member_of,
    path_of,
    signature_of,
)
from callgate.ui.desktop.shortcut import DESCRIPTION, Shortcut, ShortcutState

log = logging.getLogger(__name__)

PORTAL: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"
SHORTCUTS: Final = "org.freedesktop.portal.GlobalShortcuts"
SHORTCUT_ID: Final = "show-waiting-call"
TRIGGER: Final = "CTRL+ALT+space"
"""A wish, in the portal's own notation."""
ASK_SECONDS: Final = 180.0
"""For the person to answer the desktop's own question whether Callgate may have the shortcut."""
RETRY_SECONDS: Final = 10.0
"""At least so long between two attempts, however often a portal comes and goes."""
_ACCEPTED, _DECLINED = 0, 1
_LONGEST: Final = 40


class Declined(CallgateError):
    """The person said no to the desktop."""


class PortalShortcut(Shortcut):
    def __init__(
        self, bridge: Bridge, address: str, parent: QObject | None = None, *, retry_seconds: float = RETRY_SECONDS
    ) -> None:
        """`address`: of the session's bus; empty = there is none."""
        super().__init__(parent)
        self._bridge, self._address, self._retry = bridge, address, retry_seconds
        self._task: asyncio.Task[None] | None = None
        self.state = "off"

    def start(self) -> None:
        if not self._address:
            self._set("unavailable")
        elif self._task is None or self._task.done():
            self._set("asking")
            self._task = self._bridge.start(self._run(), self, "global shortcut")

    def stop(self) -> None:
        """The desktop takes the keys back as soon as the connection is closed."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._set("off")

    async def _run(self) -> None:
        try:
            async with await DesktopBus.open(self._address) as bus:
                await bus.watch(PORTAL, start=True)
                while True:
                    tried = bus.owner(PORTAL)
                    await self._hold_or_log(bus)
                    self._set("unavailable")
                    while bus.owner(PORTAL) in ("", tried):
                        await bus.signal()
                    await asyncio.sleep(self._retry)
        except BusLost as error:
            log.info("no global shortcut: %s", error)
            self._set("unavailable")
        except Declined:
            self._set("declined")

    async def _hold_or_log(self, bus: DesktopBus) -> None:
        try:
            await self._hold(bus)
        except BusLost:
            raise
        except BusFault as error:
            log.info("no global shortcut: %s", error)

    async def _hold(self, bus: DesktopBus) -> None:
        """Has the shortcut until the portal ends it."""
        if not bus.owner(PORTAL):
            raise BusFault("no portal")
        self._set("asking")
        token = _token()
        made = await self._request(
            bus, "CreateSession", "", (), {"session_handle_token": ("s", token)}, seconds=CALL_SECONDS
        )
        kind, session = made.get("session_handle", ("s", ""))
        if kind not in ("s", "o") or not session.startswith(f"{PATH}/session/"):
            raise BusFault("the portal made no session")
        wish = {"description": ("s", DESCRIPTION), "preferred_trigger": ("s", TRIGGER)}
        bound = await self._request(
            bus, "BindShortcuts", "oa(sa{sv})s", (session, [(SHORTCUT_ID, wish)], ""), {}, seconds=ASK_SECONDS
        )
        self._set("on", _keys(bound))
        while True:
            signal = await bus.signal()
            if is_new_owner(signal, PORTAL):
                return
            if path_of(signal) == session and member_of(signal) == "org.freedesktop.portal.Session.Closed":
                return
            if _is(signal, f"{SHORTCUTS}.Activated", "osta{sv}") and signal.body[:2] == (session, SHORTCUT_ID):
                self.pressed.emit()

    async def _request(
        self,
        bus: DesktopBus,
        method: str,
        signature: str,
        body: tuple[Any, ...],
        options: dict[str, Any],
        *,
        seconds: float,
    ) -> dict[str, Any]:
        """Asks the portal, which answers with a signal as it may have to ask the person first."""
        options = {**options, "handle_token": ("s", _token())}
        answer = await bus.call(PORTAL, PATH, f"{SHORTCUTS}.{method}", f"{signature}a{{sv}}", (*body, options))
        handle = answer[0] if answer else ""
        try:
            async with asyncio.timeout(seconds):
                response = await _response(bus, handle)
        except TimeoutError as error:
            raise BusFault("the portal did not answer", method) from error
        code, results = response.body
        if code == _DECLINED:
            raise Declined
        if code != _ACCEPTED:
            raise BusFault("the portal refused", method)
        return results

    def _set(self, state: ShortcutState, keys: str = "") -> None:
        if (state, keys) != (self.state, self.keys):
            self.state, self.keys = state, keys
            self.changed.emit()


async def _response(bus: DesktopBus, handle: object) -> Message:
    while True:
        signal = await bus.signal()
        if is_new_owner(signal, PORTAL):
            raise BusFault("the portal went away")
        if path_of(signal) == handle and _is(signal, "org.freedesktop.portal.Request.Response", "ua{sv}"):
            return signal


def _keys(results: dict[str, Any]) -> str:
    """What the desktop says of the keys: words of a stranger, so a few of them and without layout."""
    kind, listed = results.get("shortcuts", ("", ()))
    for known, details in listed if kind == "a(sa{sv})" else ():
        if known == SHORTCUT_ID:
            kind, words = details.get("trigger_description", ("s", ""))
            return " ".join(words.split())[:_LONGEST] if kind == "s" else ""
    return ""


def _is(signal: Message, member: str, signature: str) -> bool:
    return member_of(signal) == member and signature_of(signal) == signature


def _token() -> str:
    return f"callgate_{secrets.token_hex(8)}"
