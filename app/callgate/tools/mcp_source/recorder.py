"""The wire tap: every message that passes, with its time, and the end of the stream the moment it comes.

It also hands what arrives to a sieve first, so that one bad entry of a list does not cost the whole list.
"""

import contextvars
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Literal, Protocol

import anyio
from mcp.shared.message import SessionMessage

from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.core.ids import new_id
from callgate.tools.mcp_source.ledger import Entry, Ledger
from callgate.tools.mcp_source.stdio import SpokenLine, spelled

Transport = Literal["", "stdio", "http", "sse"]
OnFrame = Callable[[FrameCaptured], None]


class ReadStream(Protocol):
    async def receive(self) -> SessionMessage | Exception: ...

    async def aclose(self) -> None: ...


class WriteStream(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...

    async def aclose(self) -> None: ...


class Sifting(Protocol):
    def sent(self, message: SessionMessage) -> None: ...

    def arrived(self, message: SessionMessage) -> SessionMessage: ...


class Recorder:
    def __init__(
        self,
        source: str,
        on_frame: OnFrame | None,
        on_end: Callable[[], None],
        sieve: Sifting,
        transport: Transport = "",
    ) -> None:
        self._source, self._on_frame, self._sieve = source, on_frame, sieve
        self._transport: Transport = transport
        self.on_end = on_end
        self._ledger = Ledger()

    def arrived(
        self, item: SessionMessage | Exception, context: contextvars.Context | None = None
    ) -> SessionMessage | Exception:
        """`context`: the one in which that was sent which this came for, where the transport knows it."""
        if isinstance(item, Exception):
            return item
        if self._on_frame is not None:
            now = time.time()
            self._show("in", item, now, self._ledger.arrived(item.message, now, context), self._on_frame)
        return self._sieve.arrived(item)

    def sent(self, item: SessionMessage) -> None:
        if self._on_frame is not None:
            now = time.time()
            self._show("out", item, now, self._ledger.sent(item.message, now), self._on_frame)
        self._sieve.sent(item)

    def _show(
        self, direction: Literal["in", "out"], item: SessionMessage, at: float, entry: Entry, on_frame: OnFrame
    ) -> None:
        line = item.line if isinstance(item, SpokenLine) else spelled(item)
        serving = entry.serving
        on_frame(
            FrameCaptured(
                new_id("frame"),
                self._source,
                direction,
                entry.role,
                entry.method,
                entry.rpc_id,
                len(line),
                # a cut may go through a letter, which is then left out
                line[:LONGEST_FRAME].decode("utf-8", "ignore" if len(line) > LONGEST_FRAME else "replace"),
                at,
                entry.asked_at,
                serving.invocation_id if serving is not None else "",
                serving.conversation_id if serving is not None else "",
                entry.joined,
                self._transport,
            )
        )


class _TappedRead:
    def __init__(self, inner: ReadStream, tap: Recorder) -> None:
        self._inner = inner
        self._tap = tap

    @property
    def last_context(self) -> contextvars.Context | None:
        """The SDK's HTTP streams carry the sender's context along; its dispatcher asks for it by this name."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._tap.on_end()
            raise
        return self._tap.arrived(item, self.last_context)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "_TappedRead":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "_TappedRead":
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class _TappedWrite:
    def __init__(self, inner: WriteStream, tap: Recorder) -> None:
        self._inner = inner
        self._tap = tap

    async def send(self, item: SessionMessage, /) -> None:
        self._tap.sent(item)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> "_TappedWrite":
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


Streams = tuple[ReadStream, WriteStream]


@asynccontextmanager
async def tapped(
    transport: AbstractAsyncContextManager[Streams], tap: Recorder
) -> AsyncIterator[tuple[_TappedRead, _TappedWrite]]:
    """The same transport with a tap on both its streams."""
    async with transport as (read, write):
        yield _TappedRead(read, tap), _TappedWrite(write, tap)
