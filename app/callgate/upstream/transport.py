"""httpx's transports, made safe to leave: a client that goes away at any moment leaves no socket behind.

Each request is sent in a task of its own that is never cancelled; whoever leaves hangs up its line (`network`) and
need not wait until httpcore has cleaned up.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import httpx

from callgate.upstream.network import LINE, Line, NetworkBackend

T = TypeVar("T")

CLOSE_SECONDS = 1.0
"""For connections that are still being closed when the program ends."""


class SafeClient(httpx.AsyncClient):
    """An `httpx.AsyncClient` whose own transports, also those for the environment's proxies, are safe to leave."""

    def _init_transport(self, *args: Any, transport: httpx.AsyncBaseTransport | None = None, **more: Any) -> Any:
        made = super()._init_transport(*args, transport=transport, **more)
        return made if transport is not None else SafeTransport(made)

    def _init_proxy_transport(self, *args: Any, **more: Any) -> Any:
        return SafeTransport(super()._init_proxy_transport(*args, **more))


class SafeTransport(httpx.AsyncBaseTransport):
    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport
        self._tasks: set[asyncio.Task[Any]] = set()
        # httpx has no argument for it; httpcore is pinned, and test_transport fails where this is not so any more
        transport._pool._network_backend = NetworkBackend()  # type: ignore[attr-defined]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        line = Line()
        sending = self.start(self._send(line, request))
        try:
            response = await asyncio.shield(sending)
        except asyncio.CancelledError:
            line.hang_up()
            sending.add_done_callback(self._close_late)
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Body(response.stream, self)
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_SECONDS)

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _send(self, line: Line, request: httpx.Request) -> httpx.Response:
        LINE.set(line)
        return await self._transport.handle_async_request(request)

    def _close_late(self, sending: "asyncio.Task[httpx.Response]") -> None:
        """The request was left; an answer that came in the same moment is closed, a failure concerns no one."""
        if sending.cancelled() or sending.exception() is not None:
            return
        self.start(sending.result().aclose())


class _Body(httpx.AsyncByteStream):
    """Read by whoever wants it; closed to the end even if that one is cancelled meanwhile."""

    def __init__(self, stream: httpx.AsyncByteStream, transport: SafeTransport) -> None:
        self._stream = stream
        self._transport = transport

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._stream.__aiter__()

    async def aclose(self) -> None:
        await asyncio.shield(self._transport.start(self._stream.aclose()))
