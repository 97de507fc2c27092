"""The stdio transport: one JSON-RPC message a line, straight on the process's pipes.

The two streams have the shape that the SDK's dispatcher reads and writes; no task stands between them and the pipe.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

import anyio
import orjson
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, jsonrpc_message_adapter

from callgate.tools.mcp_source.server_process import ServerProcess

LONGEST_LINE = 64 << 20
"""Room for whatever a tool may find; the model gets a part of it, and a file keeps the rest. Reading holds the loop up
by some 15 ms a megabyte, so longer messages are thrown away as they come, and their request fails."""
_CHUNK = 1 << 16
_TOO_LONG = -32050
"""Of the range that JSON-RPC leaves to servers, and none that the SDK knows: -32000 is a closed connection there."""
_ENDS = 512
"""Bytes of a line that is thrown away in which the id is looked for: it stands first or last."""
_ID = rb'"id"\s*:\s*(?P<id>\d{1,18}|"(?:[^"\\]|\\.){1,200}")'
_ID_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2.0"\s*,\s*)?' + _ID)
_ID_LAST = re.compile(rb'.*[\]}"\d]\s*,\s*' + _ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2.0"\s*)?\}\s*', re.DOTALL)


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
            if isinstance(line, JSONRPCError):
                return SpokenLine(line, line=line.model_dump_json(by_alias=True).encode("utf-8"))
            if not line.strip():
                continue
            try:
                return SpokenLine(jsonrpc_message_adapter.validate_json(line, by_name=False), line=line.rstrip(b"\r"))
            except ValueError:
                self._on_garbage(line.decode("utf-8", "replace"))

    async def _line(self) -> bytes | JSONRPCError:
        """The next line; for one that is too long, the error that its request ends with. Empty = nothing to read."""
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._buffer)
            if self._searched > LONGEST_LINE:
                return await self._throw_away()
            chunk = await self._stdout.read(_CHUNK)
            if not chunk:
                if self._buffer.strip():
                    self._on_garbage(self._buffer.decode("utf-8", "replace"))
                    self._buffer.clear()
                raise anyio.EndOfStream
            self._buffer += chunk

    async def _throw_away(self) -> bytes | JSONRPCError:
        """Reads to the end of the line and keeps only its ends."""
        head, tail, size = bytes(self._buffer[:_ENDS]), bytes(self._buffer[-_ENDS:]), len(self._buffer)
        self._buffer.clear()
        self._searched = 0
        while True:
            chunk = await self._stdout.read(_CHUNK)
            if not chunk:
                raise anyio.EndOfStream
            rest, broken, next_line = chunk.partition(b"\n")
            tail, size = (tail + rest)[-_ENDS:], size + len(rest)
            if broken:
                self._buffer += next_line
                break
        words = (
            f"its answer has {size >> 20} MB, and more than {LONGEST_LINE >> 20} MB are not read; "
            "what the tool did is done all the same"
        )
        self._on_garbage(words)
        found = _ID_FIRST.match(head) or _ID_LAST.fullmatch(tail)
        if found is None:
            return b""
        return JSONRPCError(jsonrpc="2.0", id=orjson.loads(found["id"]), error=ErrorData(code=_TOO_LONG, message=words))


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
