"""Keeps one server connected: starts it, notices its end, starts it again with growing pauses, and stops it.

One owner task enters and leaves every connection. Its cancellation is the only way to stop, for `close` and for a
shutdown of the whole program alike; the server's process goes with it.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from mcp.client.auth import OAuthClientProvider

from callgate.core.config.settings import Era, SourceSettings
from callgate.core.errors import UserFault
from callgate.tools.mcp_source.connection import Connection, Mode, Start, Watch
from callgate.tools.mcp_source.listing import Listing
from callgate.tools.mcp_source.login import Login
from callgate.tools.mcp_source.placeholders import Placeholders
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.mcp_source.recorder import OnFrame
from callgate.tools.mcp_source.server_info import PEER_ERRORS, ServerInfo, is_the_peers, login_failure
from callgate.tools.mcp_source.status import Backoff, State, Status
from callgate.tools.mcp_source.stderr_lines import StderrLines
from callgate.tools.mcp_source.target import CommandTarget, HttpKind, Target, UrlTarget, find_target
from callgate.tools.mcp_source.transports import command_transport, url_transport

CLOSE_SECONDS = 0.9
"""The caller's bound; a process that is still there then is killed outright."""
_ON_REQUEST = "restarted on request"
OTHER_TRANSPORT = frozenset({400, 404, 405, 406, 415})
"""What a server of the older HTTP transport answers to the newer one."""
_UNAUTHORIZED = 401


@dataclass(frozen=True, slots=True)
class SupervisorDeps:
    """What a server's keeper is given once and for all."""

    workspace: Path
    start: Start
    questions: Questions
    placeholders: Placeholders
    stderr: StderrLines
    on_listing: Callable[[Listing], None]
    on_status: Callable[[Status], None]
    on_frame: OnFrame | None
    login: Login | None = None
    """For servers that want one; None = there is nobody to log in, or nowhere to keep it."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """Where variables are found that the settings name."""


@dataclass(frozen=True, slots=True)
class _Ending:
    reason: str
    was_ready: bool = False
    seconds_up: float = 0.0
    mendable: bool = True
    """False: only the person can do something about it."""


class Supervisor:
    def __init__(self, settings: SourceSettings, around: SupervisorDeps, era: Era) -> None:
        self.era: Era = era
        self.status = Status("stopped")
        self.connection: Connection | None = None
        """The one that calls may use: it is ready."""
        self.peer: ServerInfo | None = None
        self.kind: HttpKind | None = None
        """How an address is spoken to; None = it is none, or was not visited yet."""
        self._settings = settings
        self._around = around
        self._mode: Mode = "legacy" if era == "legacy" else "auto"
        self._owner: asyncio.Task[None] | None = None
        self._current: Connection | None = None
        self._ready_at: float | None = None
        self._logs_in = False
        """Whether the server has turned out to want a login."""
        self._backoff = Backoff()
        self._nudge = asyncio.Event()
        self._moved = asyncio.Event()
        """Replaced whenever the status changes: whoever waits on it looks again."""

    def open(self) -> None:
        if self._owner is None or self._owner.done():
            self._show("starting")
            self._owner = self._around.start(self._live(), f"MCP server {self._settings.name}")

    async def close(self) -> None:
        owner, self._owner = self._owner, None
        if owner is None:
            return
        if not owner.cancelling():  # a second cancellation would cut the stopping of the process short
            owner.cancel()
        await asyncio.wait({owner}, timeout=CLOSE_SECONDS)
        if not owner.done() and self.peer is not None:
            self.peer.kill()
        self._show("stopped")

    def restart(self) -> None:
        """Now, and whatever happened before."""
        self._backoff.reset()
        self._nudge.set()
        if self.connection is not None:
            leaving, self.connection = self.connection, None
            self._show("restarting", _ON_REQUEST)
            leaving.leave()

    async def settled(self, seconds: float) -> None:
        """Waits, within bounds, until the server is ready or has been given up."""
        try:
            async with asyncio.timeout(seconds):
                while self.status.state in ("starting", "restarting"):
                    await self._moved.wait()
        except TimeoutError:
            return

    # ---- the owner --------------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        try:
            while True:
                self._nudge.clear()
                ending = await self._one_life()
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    return  # the SDK may turn a cancellation into another error on its way out
                await self._rest(ending)
                self._show("restarting" if self.status.state == "restarting" else "starting", ending.reason)
        finally:
            self._show("stopped")

    async def _rest(self, ending: _Ending) -> None:
        """Until the next try; for good, where trying again is of no use and nobody asks for it."""
        if self._nudge.is_set():
            self._show("restarting", ending.reason)
            return
        delay = self._backoff.failed(ending.seconds_up)
        if not ending.mendable or (self._backoff.exhausted and self._settings.command):
            self._show("failed", ending.reason)
            await self._nudge.wait()
            return
        was_up = ending.was_ready or self.status.state == "restarting"
        state: State = "restarting" if was_up and not self._backoff.exhausted else "failed"
        self._show(state, ending.reason, time.time() + delay)
        try:
            async with asyncio.timeout(delay):
                await self._nudge.wait()
        except TimeoutError:
            return

    async def _one_life(self) -> _Ending:
        around = self._around
        try:
            target = await find_target(self._settings, around.workspace, around.environ, around.placeholders)
        except UserFault as fault:
            return _Ending(str(fault), mendable=False)
        if isinstance(target, CommandTarget):
            return await self._attempt(target, "http", ServerInfo(target.argv[0], around.stderr))
        endings: list[_Ending] = []
        for kind in target.kinds:
            peer = ServerInfo(target.url, around.stderr)
            endings.append(await self._visit(target, kind, peer))
            if endings[-1].was_ready:
                return endings[-1]
            if peer.status not in OTHER_TRANSPORT:
                break
        return endings[0]

    async def _visit(self, target: UrlTarget, kind: HttpKind, peer: ServerInfo) -> _Ending:
        """Without a login first, since most servers want none and a keyring may have to be unlocked for it."""
        login = self._around.login
        if not self._logs_in or login is None:
            ending = await self._attempt(target, kind, peer)
            if peer.status != _UNAUTHORIZED or target.is_signed or login is None:
                return ending
            self._logs_in = True
        try:
            auth = await login.auth(target.url, self._around.environ)
        except UserFault as fault:
            return _Ending(f"it wants a login, but {fault}", mendable=False)
        ending = await self._attempt(target, kind, peer, auth)
        return replace(ending, reason=login.problem) if login.problem and not ending.mendable else ending

    async def _attempt(
        self, target: Target, kind: HttpKind, peer: ServerInfo, auth: OAuthClientProvider | None = None
    ) -> _Ending:
        """One connection from beginning to end."""
        self.peer, self._ready_at = peer, None
        self.kind = kind if isinstance(target, UrlTarget) else None
        around = self._around
        watch = Watch(self._became_ready, around.on_listing, around.on_frame)
        connection = self._current = Connection(self._settings.name, around.questions, around.start, watch)
        reason = "Callgate has closed the connection"
        try:
            error = await self._run(connection, target, kind, peer, auth)
            reason = _ON_REQUEST if self._nudge.is_set() else await peer.farewell(error)
        except UserFault as fault:
            reason = str(fault)
            return _Ending(reason, mendable=False)
        finally:
            self.connection = self._current = None
            connection.end(reason)
        if self._ready_at is not None:
            return _Ending(reason, True, time.monotonic() - self._ready_at)
        self._doubt_era(peer)
        # a login that failed is not tried again unasked: it would put one question after the other to the person
        return _Ending(reason, mendable=error is None or login_failure(error) is None)

    async def _run(
        self,
        connection: Connection,
        target: Target,
        kind: HttpKind,
        peer: ServerInfo,
        auth: OAuthClientProvider | None,
    ) -> Exception | None:
        """What broke the connection; None = nothing but its end."""
        try:
            if isinstance(target, CommandTarget):
                await connection.run(command_transport(target, peer, self._around.stderr), self._mode, "stdio")
            else:
                mode: Mode = "legacy" if kind == "sse" else self._mode
                if self._around.login is not None:
                    self._around.login.hold = partial(self._waiting_for_login, connection)
                await connection.run(url_transport(target, kind, peer, auth), mode, kind)
        except PEER_ERRORS as broken:
            if not is_the_peers(broken):
                raise
            return broken
        return None

    @contextmanager
    def _waiting_for_login(self, connection: Connection) -> Iterator[None]:
        """A person takes time that is neither the server's nor a call's, and the state says what is waited for."""
        before = self.status
        if before.state in ("starting", "restarting"):
            self._show(before.state, "waiting for you to log in")
        try:
            with connection.hold(), self._around.questions.hold_calls():
                yield
        finally:
            if self.status.state == before.state:
                self._show(before.state, before.reason, before.retry_at)

    def _doubt_era(self, peer: ServerInfo) -> None:
        """A server remembered as older may have learnt; one that quits at the newer era's first question is older."""
        if self._mode == "legacy":
            self._mode = "auto"
        elif peer.process is not None and peer.process.exited.is_set():
            self._mode = "legacy"

    def _became_ready(self) -> None:
        assert self._current is not None
        self.connection = self._current
        self._ready_at = time.monotonic()
        self.era = self.connection.era
        self._mode = "legacy" if self.era == "legacy" else "auto"
        self._show("ready")

    def _show(self, state: State, reason: str = "", retry_at: float | None = None) -> None:
        status = Status(state, reason, retry_at)
        if status == self.status:
            return
        self.status = status
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        self._around.on_status(status)
