"""A provider's answer as it comes in: bytes from an open connection → frames, or bytes relayed unread.

It tells a stream from a whole body by looking at it, not by what was asked. It must not know how the connection was
made (`client`) or what the frames are for.

Before its first frame a reply fails by raising `PeerFault`; after it, by a `Failed` delta, as the rest still counts.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import replace

import httpx

from callgate.core.assembly import disassemble
from callgate.core.deltas import Delta, Failed, Finished
from callgate.core.errors import Fault, PeerFault, RefusedReply
from callgate.core.json.text import parse, parse_object
from callgate.core.request import WireName
from callgate.upstream.headers import reply_headers, told_headers
from callgate.wire.codec import Codec, Frame, WrittenError

LINGER_SECONDS = 30.0
"""After the model has finished only usage and an end mark can follow; some servers then never hang up."""
FAR_SECONDS = 900.0
"""A limit further away than this needs no timer of its own: the pool's limit between two bytes strikes before it, and a
timer for each of a thousand chunks a second costs as much as reading them."""
MAX_BODY_BYTES = 64 * 1024 * 1024
"""Far above any real answer; a peer that never ends must not fill the memory."""
MAX_STREAM_BYTES = 256 * 1024 * 1024
"""Events say the same in many more bytes; each is kept until the exchange is over."""
_SHOWN = 200
_SHORTEST_SECRET = 8
"""Local servers are sent keys such as `x`: no secret, and in every text."""
HIDDEN = "•••"

_BOM = b"\xef\xbb\xbf"
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)


class Incoming:
    """The bytes of a response, with its time limits; what breaks is told as a `PeerFault`."""

    def __init__(self, response: httpx.Response, endpoint: str, deadline: float, key: str) -> None:
        self.endpoint = endpoint
        self._response = response
        self._deadline = deadline
        self._key = key
        self._lingering = False

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return reply_headers(self._response.headers.multi_items())

    @property
    def codings(self) -> set[str]:
        """How the body is compressed, if at all."""
        told = self._response.headers.get_list("content-encoding", split_commas=True)
        return {coding.strip().lower() for coding in told if coding.strip()}

    def linger(self) -> None:
        """Nothing of weight is to come: from now on wait only a little."""
        self._lingering = True

    async def decoded(self) -> AsyncGenerator[bytes, None]:
        """Without a compression that the provider may have used although none was asked for."""
        async with aclosing(self._limited(self._response.aiter_bytes())) as chunks:
            async for chunk in chunks:
                yield chunk

    async def untouched(self) -> AsyncGenerator[bytes, None]:
        async with aclosing(self._limited(self._response.aiter_raw())) as chunks:
            async for chunk in chunks:
                yield chunk

    async def whole(self, most: int = MAX_BODY_BYTES) -> bytes:
        """The body, or its beginning if it is longer than `most`."""
        body = bytearray()
        async with aclosing(self.decoded()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > most:
                    break
        return bytes(body[:most])

    def fault(self, fault: Fault) -> PeerFault:
        return PeerFault(masked(fault, self._key))

    def refused(self, body: bytes, usual: WrittenError) -> RefusedReply | None:
        """An error body that may be shown as it is: JSON, and without the key that was sent.

        `usual`: what the wire's own service would say. Compatible servers and gateways often have shapes of their own.
        """
        if not body.lstrip().startswith((b"{", b"[")) or (_is_secret(self._key) and self._key.encode() in body):
            return None
        value = parse_object(body) or {}
        same_shape = type(value.get("error")) is type(usual.body.get("error"))
        as_usual = same_shape and value.get("type") == usual.body.get("type")
        return RefusedReply(self.status, body, told_headers(self.headers), as_usual)

    def masked(self, frame: Frame) -> Frame:
        """A provider that fails may quote the key it was sent; nobody else should read it, nor may it be kept."""
        if frame.deltas and not any(isinstance(delta, Failed) for delta in frame.deltas):
            return frame  # the words of a model are kept as they are
        frame = replace(frame, deltas=tuple(self._masked(delta) for delta in frame.deltas))
        if not _is_secret(self._key) or self._key.encode() not in frame.raw:
            return frame
        raw = frame.raw.replace(self._key.encode(), HIDDEN.encode())
        return replace(frame, raw=raw, repairs=(*frame.repairs, "a key was quoted"))

    def _masked(self, delta: Delta) -> Delta:
        return Failed(masked(delta.fault, self._key)) if isinstance(delta, Failed) else delta

    async def _limited(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        # the limit is around each wait, never around a yield: it must not strike while the consumer works
        clock = asyncio.get_running_loop().time
        try:
            while True:
                now = clock()
                limit = min(self._deadline, now + LINGER_SECONDS) if self._lingering else self._deadline
                if limit - now > FAR_SECONDS:
                    chunk = await anext(chunks, None)
                else:
                    async with asyncio.timeout_at(limit):
                        chunk = await anext(chunks, None)
                if chunk is None:
                    return
                if chunk:
                    yield chunk
        except TimeoutError as late:
            raise self.fault(Fault("timeout", f"'{self.endpoint}' took too long to answer")) from late
        except httpx.RequestError as broken:
            raise self.fault(broken_off(self.endpoint, broken)) from broken
        finally:
            if isinstance(chunks, AsyncGenerator):
                await chunks.aclose()


class Reply:
    """A model's answer. `frames` may be taken once."""

    def __init__(
        self, incoming: Incoming, wire: WireName, codec: Codec, attempts: int, tools: Collection[str] = ()
    ) -> None:
        self.status = incoming.status
        self.headers = incoming.headers
        self.wire = wire
        self.attempts = attempts
        """How many requests it took; more than one where a provider was busy for a moment."""
        self.streamed = codec.traits.stream_type.partition(";")[0] in self.headers.get("content-type", "")
        """Whether the frames are events of a stream; certain once the first frame is there."""
        self._incoming = incoming
        self._codec = codec
        self._tools = tools

    async def frames(self) -> AsyncGenerator[Frame, None]:
        async with aclosing(self._incoming.decoded()) as chunks:
            head = b""
            async for chunk in chunks:
                head += chunk
                if _visible(head):
                    break
            begin = _visible(head)[:1]
            if self._codec.traits.framing == "events" or begin in (b"[", b"<", b""):
                self.streamed = begin not in (b"{", b"[", b"<", b"")
            if not self.streamed:
                yield await self._whole(head, chunks)
                return
            async with aclosing(self._events(head, chunks)) as frames:
                async for frame in frames:
                    yield self._incoming.masked(frame)

    async def _events(self, head: bytes, chunks: AsyncIterator[bytes]) -> AsyncGenerator[Frame, None]:
        reader = self._codec.stream_reader(self._tools)
        told = False
        size = len(head)
        try:
            for frame in reader.decode(head):
                told = True
                self._note(frame)
                yield frame
            async for chunk in chunks:
                size += len(chunk)
                if size > MAX_STREAM_BYTES:
                    raise self._fault(f"answers without end: more than {MAX_STREAM_BYTES:,} bytes so far")
                for frame in reader.decode(chunk):
                    told = True
                    self._note(frame)
                    yield frame
            broken = None
        except PeerFault as fault:
            if not told:
                raise
            broken = fault.fault
        for frame in reader.flush():
            yield _explained(frame, broken) if broken else frame

    def _note(self, frame: Frame) -> None:
        if any(isinstance(delta, Finished) for delta in frame.deltas):
            self._incoming.linger()

    async def _whole(self, head: bytes, chunks: AsyncIterator[bytes]) -> Frame:
        body = bytearray(head)
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise self._fault(f"answered with more than {MAX_BODY_BYTES:,} bytes")
        visible = _visible(bytes(body))
        if not visible:
            raise self._fault("answered with nothing")
        if visible.startswith(b"<"):
            raise self._fault(f"answered with a web page{page_title(visible)}: is its base_url right?")
        try:
            value = parse(visible)
        except ValueError as bad:
            if self._codec.traits.framing == "lines" and visible.startswith(b"{"):
                return self._listed(visible)
            shown = visible[:_SHOWN].decode("utf-8", "replace")
            raise self._fault(f"answered with something that is not JSON: {shown}") from bad
        if isinstance(value, list) and self._codec.traits.arrays:
            return self._listed(visible)
        if not isinstance(value, dict):
            # some servers put an error into a list; its own code then says more than any status
            listed = isinstance(value, list) and any(isinstance(item, dict) and "error" in item for item in value)
            raise self._incoming.fault(self._codec.read_error(0 if listed else 502, visible, self.headers))
        try:
            response = self._codec.read_response(value)
        except PeerFault as failed:
            raise self._incoming.fault(failed.fault) from failed
        return Frame(bytes(body), tuple(disassemble(response)), response.repairs, response.beside)

    def _listed(self, body: bytes) -> Frame:
        """A stream that came as a plain body, as where a gateway has lost the wish for events."""
        reader = self._codec.stream_reader()
        frames = [*reader.decode(body), *reader.flush()]
        deltas = tuple(delta for frame in frames for delta in frame.deltas)
        for delta in deltas:
            if isinstance(delta, Failed):
                raise self._incoming.fault(delta.fault)
        repairs = tuple(dict.fromkeys(repair for frame in frames for repair in frame.repairs))
        return Frame(body, deltas, repairs, tuple(found for frame in frames for found in frame.beside))

    def _fault(self, what: str) -> PeerFault:
        return self._incoming.fault(Fault("upstream", f"'{self._incoming.endpoint}' {what}"))


class RawReply:
    """An answer that is relayed unread, byte for byte; `chunks` may be taken once."""

    def __init__(self, incoming: Incoming) -> None:
        self.status = incoming.status
        self.headers = incoming.headers
        self.chunks: Callable[[], AsyncGenerator[bytes, None]] = incoming.untouched


def masked(fault: Fault, key: str) -> Fault:
    """A fault that does not quote the key."""
    if not _is_secret(key) or key not in fault.message:
        return fault
    return replace(fault, message=fault.message.replace(key, HIDDEN))


def _is_secret(key: str) -> bool:
    return len(key) >= _SHORTEST_SECRET


def broken_off(endpoint: str, error: httpx.RequestError) -> Fault:
    """A failure of the connection in words. Only texts that cannot hold a header are quoted."""
    match error:
        case httpx.ConnectTimeout():
            return Fault("timeout", f"'{endpoint}' cannot be reached: no connection in time")
        case httpx.ReadTimeout() | httpx.WriteTimeout() | httpx.PoolTimeout():
            return Fault("timeout", f"'{endpoint}' fell silent for too long")
        case httpx.ConnectError():
            return Fault("upstream", f"'{endpoint}' cannot be reached: {error}")
        case httpx.DecodingError():
            return Fault("upstream", f"'{endpoint}' broke off: its compressed answer cannot be read")
        case httpx.RemoteProtocolError() | httpx.ReadError() | httpx.WriteError():
            return Fault("upstream", f"'{endpoint}' broke off: {error or 'the connection was lost'}")
        case _:
            return Fault("upstream", f"'{endpoint}' cannot be talked to: {type(error).__name__}")


def page_title(body: bytes) -> str:
    """` "502 Bad Gateway"`, or nothing if the page has no title."""
    found = _TITLE.search(body)
    if not found:
        return ""
    return f' "{" ".join(found.group(1).decode("utf-8", "replace").split())[:_SHOWN]}"'


def _visible(body: bytes) -> bytes:
    return body.removeprefix(_BOM).lstrip()


def _explained(frame: Frame, fault: Fault) -> Frame:
    """The reader knows only that the end is missing; the connection knows why."""
    deltas = tuple(Failed(fault) if isinstance(delta, Failed) else delta for delta in frame.deltas)
    return replace(frame, deltas=deltas)
