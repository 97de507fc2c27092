"""The stdio transport: one JSON-RPC message a line, straight on the process's pipes.

The two streams have the shape that the SDK's dispatcher reads and writes; no task stands between them and the pipe.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from callgate.tools.mcp_source.server_process import ServerProcess

LONGEST_LINE = 64 << 20
"""Room for a large picture in base64; more than that without a line break is not a message."""
_CHUNK = 1 << 16


@dataclass
class SpokenLine(SessionMessage):
    """A message together with the very bytes that it was read from."""

    line: bytes = b""


def spelled(item: SessionMessage) -> bytes:
    """A message as it is sent."""
    return item.message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8")


class _Stream:
    async def __aenter__(self) -> "_Stream":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """What the pipe needs at its end, the process's owner does."""


class StdoutStream(_Stream):
    """Messages from the server. A line that is none goes to `on_garbage`, and the next one is read."""

    def __init__(self, process: ServerProcess, on_garbage: Callable[[str], None]) -> None:
        self._stdout = process.stdout
        self._on_garbage = on_garbage
        self._buffer = bytearray()
        self._searched = 0

    def __aiter__(self) -> "StdoutStream":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        while True:
            line = await self._line()
            if not line.strip():
                continue
            try:
                return SpokenLine(jsonrpc_message_adapter.validate_json(line, by_name=False), line=line.rstrip(b"\r"))
            except ValueError:
                self._on_garbage(line.decode("utf-8", "replace"))

    async def _line(self) -> bytes:
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._buffer)
            if self._searched > LONGEST_LINE:
                self._on_garbage(f"a line of more than {LONGEST_LINE} bytes; the connection is given up")
                raise anyio.EndOfStream
            chunk = await self._stdout.read(_CHUNK)
            if not chunk:
                if self._buffer.strip():
                    self._on_garbage(self._buffer.decode("utf-8", "replace"))
                    self._buffer.clear()
                raise anyio.EndOfStream
            self._buffer += chunk


class StdinStream(_Stream):
    """Messages to the server."""

    def __init__(self, process: ServerProcess) -> None:
        self._stdin = process.stdin

    async def send(self, item: SessionMessage, /) -> None:
        try:
            self._stdin.write(spelled(item) + b"\n")
            await self._stdin.drain()
        except OSError as broken:
            raise anyio.BrokenResourceError from broken

    async def aclose(self) -> None:
        self._stdin.close()
