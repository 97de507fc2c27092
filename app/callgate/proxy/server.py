"""The HTTP server on the program's own loop.

The socket is bound here, because uvicorn would end the whole process where a port is taken; signals are left alone,
because they belong to the program; shutting down is bounded, streams or not.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Iterator
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from callgate.core.errors import UserFault
from callgate.engine.tasks import Tasks
from callgate.proxy.connection_limits import ConnectionLimits
from callgate.proxy.http_protocol import BoundedHttpProtocol
from callgate.proxy.listener import Listener, MakeProtocol, Report
from callgate.proxy.peer_process import PeerProcesses

log = logging.getLogger(__name__)

PORTS_TRIED = 50
GRACE_SECONDS = 1
"""What open connections get at shutdown, after their exchanges have been cancelled."""


def _log_only(message: str) -> None:
    log.warning("%s", message)


class _Server(uvicorn.Server):
    """Accepts through a `Listener` of ours, and leaves signals alone."""

    def __init__(
        self,
        config: uvicorn.Config,
        limits: ConnectionLimits,
        make_listener: Callable[[MakeProtocol], Listener],
    ) -> None:
        super().__init__(config)
        self._limits = limits
        self._make_listener = make_listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        make_protocol = partial(
            BoundedHttpProtocol,
            self._limits,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        listener = self._make_listener(make_protocol)
        listener.start()
        self.servers = [listener]  # type: ignore[list-item]  # all that uvicorn does with one is close and wait
        self.started = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class ProxyServer:
    def __init__(
        self,
        app: ASGIApp,
        tasks: Tasks,
        *,
        limits: ConnectionLimits | None = None,
        processes: PeerProcesses | None = None,
        report: Report = _log_only,
    ) -> None:
        """`processes` says whose a connection is; `report` tells the person when there is no room for connections, and
        when there is again."""
        self._app = app
        self._tasks = tasks
        self._limits = limits or ConnectionLimits()
        self._processes = processes
        self._report = report
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._socket: socket.socket | None = None
        self.address = ""
        self.note = ""
        """Said aloud where the address is not the one that was asked for."""

    async def start(self, host: str, port: int) -> str:
        """Listens and returns the address; raises `UserFault` where it can't."""
        sock = self._socket = self._bind(host, port)
        config = uvicorn.Config(
            self._app,
            http=BoundedHttpProtocol,
            ws="none",  # upgrades then reach the routes as plain requests, which answer 426
            loop="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=self._limits.keep_alive_seconds,  # type: ignore[arg-type]  # goes to call_later as it is
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        make_listener = partial(
            Listener, sock, limits=self._limits, processes=self._processes, tasks=self._tasks, report=self._report
        )
        self._server = _Server(config, self._limits, make_listener)
        self._serving = self._tasks.start(self._server.serve(), "http server")
        while not self._server.started:
            if self._serving.done():
                raise UserFault("The HTTP server could not start; the log says why.")
            await asyncio.sleep(0)
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{sock.getsockname()[1]}"
        return self.address

    def refuse_new(self) -> None:
        """From now on nobody new is let in; whoever is being served still is."""
        if self._server is not None:
            self._server.should_exit = True

    async def stop(self) -> None:
        self.refuse_new()
        if self._serving is not None:
            await asyncio.wait({self._serving}, timeout=GRACE_SECONDS + 0.5)
        if self._socket is not None:
            self._socket.close()  # uvicorn leaves it open where it is told to end before it has begun

    def _bind(self, host: str, port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        for candidate in range(port, port + PORTS_TRIED) if port else [0]:
            # the protocol is named: only then does asyncio set TCP_NODELAY, and no answer waits 40 ms for an ACK
            sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind((host, candidate))
                sock.listen(2048)
            except OSError as problem:
                sock.close()
                if problem.errno not in (errno.EADDRINUSE, errno.EACCES) or candidate == 65535:
                    raise UserFault(f"Cannot listen on {host}:{candidate}: {problem.strerror}.") from problem
                continue
            sock.setblocking(False)
            if port and candidate != port:
                self.note = f"Port {port} is taken; using {candidate} instead."
            return sock
        raise UserFault(f"No free port between {port} and {port + PORTS_TRIED - 1} on {host}.")
