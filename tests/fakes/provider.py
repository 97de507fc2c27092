"""A provider on a loopback socket that says exactly the bytes it is told, and notices when the other side hangs up."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")

SECONDS = 5.0
"""Longer than any honest wait of a test on a busy machine."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on a fresh loop, within bounds."""
    return asyncio.run(asyncio.wait_for(work, SECONDS))


class Line:
    """The server's end of one connection."""

    def __init__(self, provider: "Provider", writer: asyncio.StreamWriter) -> None:
        self.provider = provider
        self._writer = writer

    async def say(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def head(self, content_type: str = "text/event-stream", status: str = "200 OK", extra: str = "") -> None:
        """Headers of a chunked answer."""
        lines = f"HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n{extra}\r\n"
        await self.say(lines.encode())

    async def chunk(self, data: bytes) -> None:
        await self.say(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end(self) -> None:
        await self.say(b"0\r\n\r\n")

    async def hung_up(self) -> None:
        """Lives until the other side has closed the connection."""
        await self.provider.wait(self.provider.gone)


class Provider:
    """Answers each request with the next of its scripts; the last one repeats."""

    def __init__(self, *scripts: Callable[[Line], Awaitable[None]]) -> None:
        self._scripts = list(scripts)
        self.requests: list[bytes] = []
        self.arrived = asyncio.Event()
        self.gone = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def wait(self, event: asyncio.Event) -> None:
        await asyncio.wait_for(event.wait(), SECONDS)

    async def __aenter__(self) -> "Provider":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
            body = await reader.readexactly(int(length.split(b":")[1]))
            self.requests.append(head + body)
            self.arrived.set()
            watch = asyncio.ensure_future(self._watch(reader))
            script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
            try:
                await script(Line(self, writer))
            finally:
                watch.cancel()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        try:
            ended = await reader.read(1) == b""
        except ConnectionError:
            ended = True
        if ended:
            self.gone.set()
