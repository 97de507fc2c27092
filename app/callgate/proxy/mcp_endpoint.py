"""`/mcp`: the catalog over MCP. Who may come in is the guard's business, as on every route.

The server behind it needs the MCP SDK, which takes the better part of a second and 25 MB: it is loaded on the side when
the first client comes, so that nobody pays for it who has none.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from callgate.engine.background_import import load_aside
from callgate.engine.exchange.direct_call import ToolCaller
from callgate.engine.tasks import Tasks
from callgate.proxy.inbound import read_bytes
from callgate.tools.catalog import Catalog

CLOSE_SECONDS = 0.9
SERVER = "callgate.proxy.mcp_server"


class _Server(Protocol):
    def app_for(self, request: Request) -> ASGIApp: ...

    def leave(self) -> None: ...

    def run(self, ready: Callable[[], None]) -> Awaitable[None]: ...

    def tell_of_change(self) -> Awaitable[None]: ...


class _WithBody:
    """An app that is given a body which has been read already."""

    def __init__(self, app: ASGIApp, body: bytes) -> None:
        self._app = app
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unread: list[Message] = [{"type": "http.request", "body": self._body, "more_body": False}]

        async def receiving() -> Message:
            return unread.pop() if unread else await receive()

        await self._app(scope, receiving, send)


class McpEndpoint:
    def __init__(self, catalog: Catalog, caller: ToolCaller, tasks: Tasks) -> None:
        self._catalog = catalog
        self._caller = caller
        self._tasks = tasks
        self._server: _Server | None = None
        """None until it can be used, and once it can't any more."""
        self._wanted = asyncio.Event()
        self._ready = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None
        catalog.on_change(self._changed)

    @property
    def is_ready(self) -> bool:
        """False: a client would have to wait."""
        return self._server is not None

    async def open(self) -> None:
        """Returns at once; a client that comes before the server is there waits for it."""
        self._owner = self._tasks.start(self._own(), "MCP endpoint")

    async def close(self) -> None:
        """Ends all sessions and streams; calls that still run are withdrawn."""
        server, self._server = self._server, None
        self._ready.set()
        if server is not None:
            server.leave()
        if self._owner is not None:
            if not self._owner.cancelling():
                self._owner.cancel()
            await asyncio.wait({self._owner}, timeout=CLOSE_SECONDS)

    async def serve(self, request: Request) -> ASGIApp:
        """The handler of the route."""
        self._wanted.set()
        await self._ready.wait()
        if self._server is None:
            raise RuntimeError("the MCP endpoint is not open")
        app = self._server.app_for(request)
        # within our limits: the SDK has none, and logs a client that leaves as an error
        return _WithBody(app, await read_bytes(request))

    async def _own(self) -> None:
        try:
            await self._wanted.wait()
            module = await load_aside(SERVER)
            server: _Server = module.McpGateServer(self._catalog, self._caller, self._tasks)
            await server.run(lambda: self._began(server))
        finally:
            self._server = None
            self._ready.set()  # whoever waits still is told that there is none

    def _began(self, server: _Server) -> None:
        self._server = server
        self._ready.set()

    def _changed(self) -> None:
        if self._server is not None:
            self._tasks.start(self._told(self._server), "MCP tools changed")

    async def _told(self, server: _Server) -> None:
        await server.tell_of_change()
