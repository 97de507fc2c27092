"""The connection doctor: tries one server step by step, says what it finds as it finds it, and leaves nothing behind.

It has a connection of its own, so that a source that runs is not disturbed. It asks the person nothing.
"""

import asyncio
import os
import shlex
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from callgate.core.config.doctor import Diagnosis, DoctorStep, StepState
from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets
from callgate.core.errors import UserFault
from callgate.core.secrets.masking import mask
from callgate.tools.mcp_source.connection import Connection, Mode, Start, Watch
from callgate.tools.mcp_source.doctor_hints import (
    address_hint,
    exit_hint,
    handshake_hint,
    handshake_noise,
    program_hint,
    status_hint,
)
from callgate.tools.mcp_source.listing import Listing
from callgate.tools.mcp_source.placeholders import Placeholders
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.mcp_source.recorder import Streams
from callgate.tools.mcp_source.server_info import PEER_ERRORS, ServerInfo, is_the_peers, leaves
from callgate.tools.mcp_source.stderr_lines import StderrLines
from callgate.tools.mcp_source.supervisor import OTHER_TRANSPORT
from callgate.tools.mcp_source.target import CommandTarget, HttpKind, Target, UrlTarget, find_target
from callgate.tools.mcp_source.transports import command_transport, url_transport

REACH_SECONDS = 10.0
"""To open a connection to an address: longer than a slow network needs, shorter than a person waits."""
ANSWER_SECONDS = 75.0
"""For handshake and listing: `npx` and `uvx` may have to fetch the server first, and say nothing meanwhile."""
_SILENT_PROBE_SECONDS = 9.0
"""An older server that ignores the newer greeting costs ten seconds: a handshake that took so long was one."""

TITLES = {
    "configuration": "Configuration",
    "program": "Program",
    "address": "Address",
    "process": "Process",
    "handshake": "Handshake",
    "tools": "Tools",
}
_COMMAND_PLAN = ("configuration", "program", "process", "handshake", "tools")
_ADDRESS_PLAN = ("configuration", "address", "handshake", "tools")


class _Failed(Exception):
    """A step that ends the examination."""

    def __init__(self, detail: str, hint: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.hint = hint


class Doctor:
    def __init__(
        self,
        settings: SourceSettings,
        workspace: Path,
        start: Start,
        report: Callable[[DoctorStep], None],
        values: Mapping[str, str],
        *,
        environ: Mapping[str, str] = os.environ,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        """`values` are those of the inputs that its settings ask for."""
        self._settings = settings
        self._workspace = workspace
        self._start = start
        self._report = report
        self._values = values
        self._environ = environ
        self._seconds = answer_seconds
        self._steps: dict[str, DoctorStep] = {}
        self._began: dict[str, float] = {}
        self._stderr = StderrLines()
        self._connection: Connection | None = None
        self._listing: Listing | None = None
        self._era = ""
        self._kind: HttpKind = "http"
        self._error: Exception | None = None
        """What broke the last connection."""

    async def examine(self) -> Diagnosis:
        """Never raises but for a cancellation or a bug of ours."""
        try:
            self._begin("configuration")
            target = await self._target()
            if isinstance(target, CommandTarget):
                await self._run_command(target)
            else:
                await self._visit(target)
            self._tell_tools()
        except _Failed as failed:
            self._fail(failed)
        plan = _COMMAND_PLAN if self._settings.command else _ADDRESS_PLAN
        for step in plan:
            if step not in self._steps:
                self._show(DoctorStep(step, TITLES[step], "skipped"))
        return Diagnosis(tuple(self._steps[step] for step in plan), self._stderr.lines, self._era)

    # ---- the steps --------------------------------------------------------------------------------------------------

    async def _target(self) -> Target:
        async def value(name: str) -> str | None:
            return self._values.get(name) or None

        placeholders = Placeholders(self._workspace, self._environ, value)
        try:
            target = await find_target(self._settings, self._workspace, self._environ, placeholders)
        except UserFault as fault:
            raise _Failed(str(fault), "Give the value, or take the placeholder out of the configuration.") from fault
        if isinstance(target, CommandTarget):
            self._end(
                "configuration", "ok", f"{shlex.join(hide_secrets(self._settings).settings.command)}, in {target.cwd}"
            )
        else:
            self._end("configuration", "ok", " or ".join(_KIND_WORDS[kind] for kind in target.kinds))
        return target

    async def _run_command(self, target: CommandTarget) -> None:
        self._begin("program")
        program = target.argv[0]
        path = target.env.get("PATH", "")
        found = await asyncio.to_thread(
            shutil.which, str(target.cwd / program) if "/" in program else program, path=path
        )
        if found is None:
            there = await asyncio.to_thread((target.cwd / program).exists)
            detail = f"{program} is there, but may not be run." if there else f"{program} was not found."
            raise _Failed(detail, program_hint(program, there=there, path=path))
        self._end("program", "ok", found)
        mode: Mode = "legacy" if self._settings.era == "legacy" else "auto"
        peer = await self._try(target, "http", mode)
        if self._listing is None and mode == "auto" and not self._was_silent and self._steps["handshake"].state != "ok":
            # a server of the older era may quit at the newer era's first question; what it says then counts
            self._stderr = StderrLines()
            peer = await self._try(target, "http", "legacy")
        if self._listing is None:
            raise await self._why(peer)

    async def _visit(self, target: UrlTarget) -> None:
        self._begin("address")
        parts = urlsplit(target.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        host = parts.hostname or ""
        if proxy := _proxy_for(parts.scheme, host):
            # from here the address itself need not be reachable at all
            self._end("address", "ok", f"through the proxy {mask(proxy)}")
            await self._speak(target)
            return
        try:
            async with asyncio.timeout(REACH_SECONDS):
                _, writer = await asyncio.open_connection(host, port)
        except (OSError, TimeoutError) as error:
            detail, hint = address_hint(host, port, error)
            raise _Failed(detail, hint) from error
        writer.close()
        self._end("address", "ok", f"{host}, port {port}, is listening")
        await self._speak(target)

    async def _speak(self, target: UrlTarget) -> None:
        """The newer transport first, then the older one where that is refused."""
        first: ServerInfo | None = None
        for kind in target.kinds:
            peer = await self._try(target, kind, "legacy" if kind == "sse" else "auto")
            if self._listing is not None:
                return
            first = first or peer
            if peer.status not in OTHER_TRANSPORT:
                break
        assert first is not None
        raise await self._why(first)

    async def _try(self, target: Target, kind: HttpKind, mode: Mode) -> ServerInfo:
        """One connection; whether it worked is seen by its listing."""
        self._error = None
        if isinstance(target, CommandTarget):
            peer = ServerInfo(target.argv[0], self._stderr)
            transport = self._started(command_transport(target, peer, self._stderr), peer)
            self._begin("process")
        else:
            peer = ServerInfo(target.url, self._stderr)
            transport = url_transport(target, kind, peer)
            self._begin("handshake")
        self._kind = kind
        watch = Watch(self._ready, self._listed, None, self._greeted)
        questions = Questions(self._settings.name, None, self._workspace)
        connection = self._connection = Connection(self._settings.name, questions, self._start, watch)
        try:
            async with asyncio.timeout(self._seconds):
                await connection.run(transport, mode)
        except UserFault as fault:
            raise _Failed(str(fault), "") from fault
        except PEER_ERRORS as broken:
            if not is_the_peers(broken):
                raise
            self._error = broken
        finally:
            self._connection = None
            connection.end("the examination is over")
        return peer

    @asynccontextmanager
    async def _started(
        self, transport: AbstractAsyncContextManager[Streams], peer: ServerInfo
    ) -> AsyncIterator[Streams]:
        async with transport as streams:
            pid = peer.process.pid if peer.process is not None else 0
            self._end("process", "ok", f"process {pid}")
            self._begin("handshake")
            yield streams

    def _greeted(self) -> None:
        connection = self._connection
        assert connection is not None
        self._era = connection.era
        server = connection.server
        named = f"{server.title or server.name} {server.version}".strip() if server is not None else "a server"
        seconds = time.monotonic() - self._began["handshake"]
        words = [named, f"MCP {connection.protocol}", _ERA_WORDS[connection.era]]
        if not self._settings.command:
            words.append(_KIND_WORDS[self._kind])
        if connection.capabilities:
            words.append(f"offers {', '.join(connection.capabilities)}")
        slow = connection.era == "legacy" and seconds > _SILENT_PROBE_SECONDS
        hint = "It ignores the newer greeting, which takes ten seconds; Callgate remembers that." if slow else ""
        self._end("handshake", "ok", ", ".join(words), hint)
        self._begin("tools")

    def _listed(self, listing: Listing) -> None:
        self._listing = listing

    def _ready(self) -> None:
        assert self._connection is not None
        self._connection.leave()

    def _tell_tools(self) -> None:
        noise = handshake_noise(self._stderr.lines)
        if noise:
            self._show(replace(self._steps["handshake"], state="warning", hint=noise))
        listing = self._listing or Listing()
        count = len(listing.tools)
        words = "1 tool" if count == 1 else f"{count} tools"
        if listing.problems:
            told = "; ".join(str(problem) for problem in listing.problems[:3])
            self._end("tools", "warning", f"{words}, {len(listing.problems)} of them with a problem", told)
        elif not count:
            self._end("tools", "warning", "It offers no tools.", "It may have only prompts or resources.")
        else:
            names = ", ".join(tool.name for tool in listing.tools[:6])
            self._end("tools", "ok", f"{words}: {names}{' …' if count > 6 else ''}")

    # ---- saying so --------------------------------------------------------------------------------------------------

    async def _why(self, peer: ServerInfo) -> _Failed:
        if self._was_silent:
            return _Failed("It did not answer in time.", handshake_hint(self._stderr.lines, self._settings.command))
        reason = await peer.farewell(self._error)
        if peer.process is not None and peer.process.exited.is_set():
            return _Failed(reason, exit_hint(peer.process.exit_code, self._stderr.last_words()))
        if peer.status is not None:
            return _Failed(reason, status_hint(peer.status))
        return _Failed(reason, handshake_hint(self._stderr.lines, self._settings.command))

    @property
    def _was_silent(self) -> bool:
        return self._error is not None and any(isinstance(leaf, TimeoutError) for leaf in leaves(self._error))

    def _begin(self, step: str) -> None:
        self._began[step] = time.monotonic()
        self._show(DoctorStep(step, TITLES[step], "running"))

    def _end(self, step: str, state: StepState, detail: str, hint: str = "") -> None:
        seconds = time.monotonic() - self._began[step]
        self._show(DoctorStep(step, TITLES[step], state, detail, hint, seconds))

    def _fail(self, failed: _Failed) -> None:
        step = next(reversed([one for one in self._steps.values() if one.state == "running"]), None)
        step = step or next(reversed(self._steps.values()))
        seconds = time.monotonic() - self._began[step.id]
        self._show(replace(step, state="failed", detail=failed.detail, hint=failed.hint, seconds=seconds))

    def _show(self, step: DoctorStep) -> None:
        self._steps[step.id] = step
        self._report(step)


def _proxy_for(scheme: str, host: str) -> str:
    """The proxy that the environment wants for an address; empty = none."""
    proxies = getproxies()
    return "" if proxy_bypass(host) else proxies.get(scheme) or proxies.get("all", "")


_KIND_WORDS: dict[HttpKind, str] = {"http": "streamable HTTP", "sse": "the older SSE"}
_ERA_WORDS = {"legacy": "the era with a handshake", "modern": "the newer, stateless era", "": ""}
