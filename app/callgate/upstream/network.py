"""How httpcore reaches the network: plain asyncio transports, each of which can be hung up from outside.

httpcore loses connections when a task is cancelled between two of its own awaits: the socket stays open and its pool
never forgets it. So nothing is cancelled within httpcore. Leaving a request means hanging up its `Line`: the socket is
aborted, httpcore sees a broken connection and cleans up as it does after any other failure.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from ipaddress import ip_address
from typing import Any

import httpcore

MOST_BUFFERED = 256 * 1024
"""Bytes of one connection that are kept unread before its peer is slowed down."""
_WRITTEN_BYTES = 1024 * 1024
"""Handed to the transport at once: it copies what the socket does not take, and the loop waits meanwhile."""
EYEBALLS_SECONDS = 0.25
"""Before the next address of a name is tried beside the first (RFC 8305)."""

SocketOptions = Iterable[Any]


class Line:
    """The connection that one request goes over."""

    def __init__(self) -> None:
        self._stream: NetworkStream | None = None
        self._connecting: asyncio.Task[Any] | None = None
        self.is_hung_up = False

    def hang_up(self) -> None:
        """Ends it at once, whatever it is doing; what waits for it fails as if the peer had gone."""
        self.is_hung_up = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._stream is not None:
            self._stream.abort()

    def use(self, stream: "NetworkStream") -> None:
        self._stream = stream
        if self.is_hung_up:
            stream.abort()

    async def connected(self, connecting: "asyncio.Task[Any]") -> Any:
        self._connecting = connecting
        try:
            if self.is_hung_up:
                connecting.cancel()
            return await connecting
        except asyncio.CancelledError:
            if self.is_hung_up:
                raise httpcore.ConnectError("the request was withdrawn") from None
            raise
        finally:
            self._connecting = None


LINE: ContextVar[Line] = ContextVar("line")
"""Set in the task that sends a request; httpcore itself has no way to say whose connection it opens or uses."""


class NetworkBackend(httpcore.AsyncNetworkBackend):
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> "NetworkStream":
        loop = asyncio.get_running_loop()
        opening = loop.create_connection(
            lambda: _Protocol(loop),
            host,
            port,
            local_addr=None if local_address is None else (local_address, 0),
            happy_eyeballs_delay=None if _is_address(host) else EYEBALLS_SECONDS,
        )
        async with _failing_as(httpcore.ConnectTimeout, httpcore.ConnectError, timeout):
            transport, protocol = await LINE.get(Line()).connected(loop.create_task(opening))
        for option in socket_options or ():
            transport.get_extra_info("socket").setsockopt(*option)
        return NetworkStream(transport, protocol)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: SocketOptions | None = None
    ) -> "NetworkStream":
        raise httpcore.ConnectError("providers are reached over TCP only")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class NetworkStream(httpcore.AsyncNetworkStream):
    def __init__(self, transport: asyncio.Transport, protocol: "_Protocol") -> None:
        self._transport = transport
        self._protocol = protocol

    def abort(self) -> None:
        self._transport.abort()

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return await self._protocol.read(max_bytes, timeout)
        except TimeoutError as late:
            raise httpcore.ReadTimeout from late
        except OSError as broken:
            raise httpcore.ReadError(broken) from broken
        except asyncio.CancelledError:
            self.abort()
            raise

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        LINE.get(Line()).use(self)
        if not buffer:
            return
        try:
            for start in range(0, len(buffer), _WRITTEN_BYTES):
                if start:
                    await asyncio.sleep(0)
                self._protocol.raise_if_lost()
                self._transport.write(memoryview(buffer)[start : start + _WRITTEN_BYTES])
                await self._protocol.drained(timeout)
        except TimeoutError as late:
            raise httpcore.WriteTimeout from late
        except OSError as broken:
            raise httpcore.WriteError(broken) from broken
        except asyncio.CancelledError:
            self.abort()
            raise

    async def aclose(self) -> None:
        # a peer that does not take the rest must not keep the socket open
        self._transport.abort() if self._protocol.is_clogged else self._transport.close()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "NetworkStream":
        loop = asyncio.get_running_loop()
        LINE.get(Line()).use(self)
        try:
            async with _failing_as(httpcore.ConnectTimeout, httpcore.ConnectError, timeout):
                secure = await loop.start_tls(
                    self._transport, self._protocol, ssl_context, server_hostname=server_hostname
                )
        except BaseException:
            self.abort()
            raise
        if secure is None:
            raise httpcore.ConnectError("the connection was lost during the TLS handshake")
        self._protocol.transport = secure
        return NetworkStream(secure, self._protocol)

    def get_extra_info(self, info: str) -> Any:
        match info:
            case "ssl_object":
                return self._transport.get_extra_info("ssl_object")
            case "client_addr":
                return self._transport.get_extra_info("sockname")
            case "server_addr":
                return self._transport.get_extra_info("peername")
            case "socket":
                return self._transport.get_extra_info("socket")
            case "is_readable":
                return self._protocol.is_readable
            case _:
                return None


class _Protocol(asyncio.Protocol):
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._ended = False
        self._lost: Exception | None = None
        self._paused = False
        self.is_clogged = False
        """More was written than the peer takes."""
        self._reading = _Waiting(loop)
        self._writing = _Waiting(loop)

    # ---- asyncio ---------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if len(self._unread) > MOST_BUFFERED and not self._paused and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()
        self._reading.wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._reading.wake()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._lost = exc if isinstance(exc, OSError) else ConnectionError("the connection was lost")
        if exc is not None and not self._unread:
            self._reading.fail(self._lost)
        self._reading.wake()
        self._writing.fail(self._lost)

    def pause_writing(self) -> None:
        self.is_clogged = True

    def resume_writing(self) -> None:
        self.is_clogged = False
        self._writing.wake()

    # ---- the stream ------------------------------------------------------------------------------------------------

    @property
    def is_readable(self) -> bool:
        """Of a connection that nobody uses: that the peer has ended it, or has sent what was not asked for."""
        return bool(self._unread) or self._ended

    def raise_if_lost(self) -> None:
        if self._lost is not None:
            raise self._lost

    async def read(self, most: int, timeout: float | None) -> bytes:
        """What is there, at least one byte; empty = the end."""
        while not self._unread:
            if self._ended:
                return b""
            await self._reading.wait(timeout)
        if len(self._unread) <= most:
            data = bytes(self._unread)
            self._unread.clear()
        else:
            data = bytes(self._unread[:most])
            del self._unread[:most]
        if self._paused and len(self._unread) < MOST_BUFFERED // 2 and self.transport is not None:
            self._paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        return data

    async def drained(self, timeout: float | None) -> None:
        if self.is_clogged:
            await self._writing.wait(timeout)


class _Waiting:
    """One waiter with a time limit. A timer for each of a thousand reads a second would cost more than the reads: there
    is one, set when it is first needed, that looks at the limit of whatever waits when it strikes."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiter: asyncio.Future[None] | None = None
        self._limit = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._strikes = 0.0

    async def wait(self, timeout: float | None) -> None:
        self._waiter = self._loop.create_future()
        if timeout is not None:
            self._limit = self._loop.time() + timeout
            if self._timer is None or self._strikes > self._limit:
                self._set()
        else:
            self._limit = float("inf")
        try:
            await self._waiter
        finally:
            self._waiter = None

    def wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def fail(self, error: Exception) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._strikes = self._limit
        self._timer = self._loop.call_at(self._limit, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._waiter is None or self._waiter.done():
            return
        if self._loop.time() >= self._limit:
            self._waiter.set_exception(TimeoutError())
        elif self._limit != float("inf"):
            self._set()


@asynccontextmanager
async def _failing_as(late: type[Exception], broken: type[Exception], timeout: float | None) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(timeout):
            yield
    except TimeoutError as error:
        raise late from error
    except OSError as error:
        raise broken(error) from error


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
