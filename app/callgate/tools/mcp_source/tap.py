"""The wire tap: every message that passes, with its time, and the end of the stream the moment it comes.

It also hands what arrives to a sieve first, so that one bad entry of a list does not cost the whole list.
"""

import contextvars
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol

import anyio
from mcp.shared.message import SessionMessage

from callgate.tools.mcp_source.frame import Frame


class ReadStream(Protocol):
    async def receive(self) -> SessionMessage | Exception: ...

    async def aclose(self) -> None: ...


class WriteStream(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...

    async def aclose(self) -> None: ...


class Sifting(Protocol):
    def sent(self, message: SessionMessage) -> None: ...

    def arrived(self, message: SessionMessage) -> SessionMessage: ...


@dataclass(frozen=True, slots=True)
class Tap:
    source: str
    on_frame: Callable[[Frame], None] | None
    on_end: Callable[[], None]
    sieve: Sifting

    def arrived(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(item, Exception):
            return item
        self._show("in", item)
        return self.sieve.arrived(item)

    def sent(self, item: SessionMessage) -> None:
        self._show("out", item)
        self.sieve.sent(item)

    def _show(self, direction: Literal["in", "out"], item: SessionMessage) -> None:
        if self.on_frame is not None:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            self.on_frame(Frame(self.source, direction, text, time.time()))


class _TappedRead:
    def __init__(self, inner: ReadStream, tap: Tap) -> None:
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
        return self._tap.arrived(item)

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
    def __init__(self, inner: WriteStream, tap: Tap) -> None:
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
    transport: AbstractAsyncContextManager[Streams], tap: Tap
) -> AsyncIterator[tuple[_TappedRead, _TappedWrite]]:
    """The same transport with a tap on both its streams."""
    async with transport as (read, write):
        yield _TappedRead(read, tap), _TappedWrite(write, tap)
