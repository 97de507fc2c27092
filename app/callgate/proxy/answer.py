"""Serving an exchange to its client: streamed or plain, kept alive while a call is held, cancelled when it hangs up.

An ASGI response of its own: the client's leaving must be noticed at once, also while nothing is being sent.

What tells a client that the answer is complete (a finish reason, `message_stop`, `response.completed`, `[DONE]`, the
last byte of a plain body) goes out only once the whole exchange is in the journal.
"""

import time
from collections.abc import Iterable

from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from callgate.core.deltas import Failed, Finished
from callgate.core.errors import BadRequest, CallgateError, Fault, PeerFault
from callgate.core.events import WireCaptured
from callgate.core.json.text import dump_bytes
from callgate.core.request import ChatRequest
from callgate.core.secrets.masking import mask_head
from callgate.core.wire_traits import Framing
from callgate.engine.bus import Bus
from callgate.engine.exchange.exchange import Exchange
from callgate.engine.exchange.outbox import OutboxReader, Piece
from callgate.engine.tasks import Tasks
from callgate.proxy.progress import LOOK_SECONDS, ProgressLines
from callgate.proxy.warned import HEADER, in_one_line, in_the_answer
from callgate.wire.codec import Codec, StreamWriter, WrittenError
from callgate.wire.gemini_generate.array_stream import CONTENT_TYPE, ArrayStream

BEAT_SECONDS = 5.0
"""Every client timer that was measured is 60 s or more; this is well below and was tested with all of them."""
COMMIT_SECONDS = 20.0
"""How long a provider may think before its client gets headers: a real status code is worth waiting for, and no known
client waits for less than a minute. Once a person is asked there is nothing to wait for: headers go out at once."""
LINGER_SECONDS = 1.0
"""Within this a provider that has finished an answer mostly ends it too; its client is not kept waiting for longer."""
_ENDS: dict[Framing, tuple[bytes, ...]] = {"events": (b"\n\n", b"\r\r", b"\n\r\n"), "lines": (b"\n",)}
"""How what is relayed of a stream may end, the usual way first."""
_LONGEST_END = 3


def fault_of(error: CallgateError) -> Fault:
    match error:
        case PeerFault() | BadRequest():
            return error.fault
        case _:
            return Fault("invalid_request", str(error))


class Answer:
    """ASGI application that sends one exchange's answer."""

    def __init__(
        self,
        exchange: Exchange,
        request: ChatRequest,
        codec: Codec,
        tasks: Tasks,
        bus: Bus,
        beat: float | None = None,
        progress: ProgressLines | None = None,
        array: ArrayStream | None = None,
    ) -> None:
        """`array`: what a stream becomes for a client that asked for one, but for no events."""
        self._exchange = exchange
        self._request = request
        self._codec = codec
        self._tasks = tasks
        self._bus = bus
        self._beat = BEAT_SECONDS if beat is None else min(beat, BEAT_SECONDS)
        self._progress = progress
        self._array = array
        self._left = False
        self._opened = False
        self._warned = 0
        """How many warnings the header has told."""
        self._head: tuple[tuple[str, str], ...] = ()
        """What was said above the answer, until its first bytes have taken it along."""
        self._tail = b"\n\n"
        """How the relayed bytes ended: a provider may leave out the blank line after its last event."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._exchange.join()
        watching = self._tasks.start(self._watch(receive), f"client of {self._exchange.id}")
        try:
            reader = self._exchange.outbox.reader()
            first = await self._before_commit(reader)
            if isinstance(first, CallgateError):
                await self._refuse(send, first)
            elif self._request.stream:
                await self._stream(send, reader, first)
            else:
                await self._plain(send, reader, first)
        finally:
            watching.cancel()
            self._leave()
            if self._progress is not None:
                self._progress.close()

    def _leave(self) -> None:
        """Once for each client, whichever way its leaving is noticed."""
        if not self._left:
            self._left = True
            self._exchange.leave()

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._leave()

    async def _before_commit(self, reader: OutboxReader) -> list[Piece] | CallgateError | None:
        """What came before the status had to be said, or the failure that can still have one of its own."""
        pieces: list[Piece] = []
        limit = _Timer(COMMIT_SECONDS)
        try:
            while not limit.is_over:
                more = await reader.read(0.0 if self._exchange.outbox.held else self._look(limit.left))
                if more is None:
                    return None if self._request.stream else [*pieces, _END]
                pieces.extend(more)
                if self._exchange.outbox.held or (self._request.stream and (pieces or self._progress)):
                    break
        except CallgateError as failure:
            return failure
        return pieces

    def _look(self, seconds: float) -> float:
        """So long may be waited without looking at what tools report."""
        return seconds if self._progress is None else min(LOOK_SECONDS, seconds)

    # ---- streamed --------------------------------------------------------------------------------------------------

    async def _stream(self, send: Send, reader: OutboxReader, first: list[Piece] | None) -> None:
        writer = self._codec.stream_writer(self._request)
        content_type = self._codec.traits.stream_type.encode() if self._array is None else CONTENT_TYPE
        await self._open(send, 200, content_type, ((b"cache-control", b"no-cache"),))
        pieces = first
        ending = _Ending(self._request.sampling.n or 1)
        silence = _Timer(0.0)  # the first sign of life comes with the headers
        try:
            while pieces is not None and not self._left:
                pieces = ending.taken_from(pieces)
                # too long a silence is also one in which pieces come of which this wire says nothing yet
                too_long = silence.is_over and not ending.held
                data = self._spell(writer, pieces) or (self._gap() + writer.keep_alive() if too_long else b"")
                if data or too_long:
                    silence = _Timer(self._beat)
                # comments keep not every client waiting, so that what tools report is no sign of life
                told = self._progress.take() if self._progress is not None else b""
                await self._send(send, self._shaped(told + data))
                patience = min(silence.left, LINGER_SECONDS) if ending.held else silence.left
                pieces = await reader.read(self._look(patience))
                if pieces == [] and ending.held:
                    await self._exchange.recorded()
                    pieces = ending.given_up()
            last = self._spell(writer, ending.held)
        except CallgateError as failure:
            last = self._spell(writer, ending.held) + self._gap() + writer.write(Failed(fault_of(failure)))
        self._exchange.warn_unrecorded()
        late = in_one_line(self._unwarned)
        rest = self._shaped(last + self._gap() + (writer.warn(late) if late else b"") + writer.close())
        await self._send(send, rest if self._array is None else rest + self._array.close(), last=True)

    def _shaped(self, events: bytes) -> bytes:
        return events if self._array is None else self._array.feed(events)

    def _spell(self, writer: StreamWriter, pieces: Iterable[Piece]) -> bytes:
        out: list[bytes] = []
        for piece in pieces:
            if piece.frame is not None:
                writer.follow(piece.frame)
                out.append(piece.frame.raw)
                self._tail = (self._tail + piece.frame.raw)[-_LONGEST_END:]
            elif written := b"".join([writer.write(delta) for delta in piece.deltas]):
                out += (self._gap(), written)
        return b"".join(out)

    def _gap(self) -> bytes:
        """What ends a relayed event that came without its end: clients drop it otherwise."""
        ends = _ENDS[self._codec.traits.framing]
        if self._tail.endswith(ends):
            return b""
        self._tail = ends[0]
        return self._tail

    # ---- plain -----------------------------------------------------------------------------------------------------

    async def _plain(self, send: Send, reader: OutboxReader, first: list[Piece] | None) -> None:
        pieces = list(first or [])
        if pieces and pieces[-1] is _END:
            self._exchange.warn_unrecorded()
            status, body = self._whole(pieces[:-1])
            await self._open(send, status, b"application/json")
            await self._send(send, body, last=True)
            return
        # the status is committed from here on: white space before the JSON keeps every client waiting
        await self._open(send, 200, b"application/json")
        silence = _Timer(0.0)
        try:
            while not self._left and (more := await reader.read(silence.left)) is not None:
                pieces.extend(more)
                if silence.is_over:
                    await self._send(send, b" ")
                    silence = _Timer(self._beat)
            self._exchange.warn_unrecorded()
            fault = self._exchange.outbox.reply.fault
            body = self._whole(pieces)[1] if fault is None else self._failure(fault)
        except CallgateError as failure:
            body = self._failure(fault_of(failure))
        await self._send(send, body, last=True)

    def _whole(self, pieces: list[Piece]) -> tuple[int, bytes]:
        if len(pieces) == 1 and pieces[0].frame is not None:
            return 200, pieces[0].frame.raw
        reply = self._exchange.outbox.reply
        if reply.fault is not None:
            written = self._codec.write_error(reply.fault)
            return written.status, dump_bytes(written.body)
        body = self._codec.write_response(reply.response, self._request)
        # a header that has not gone out yet says it
        return 200, dump_bytes(in_the_answer(body, self._request.wire, self._unwarned if self._opened else ()))

    def _failure(self, fault: Fault) -> bytes:
        """An error's body under status 200 would be read as an empty answer; so the answer itself says what failed."""
        said = self._exchange.outbox.reply.response
        return dump_bytes(self._codec.write_failure(fault, said, self._request))

    # ---- sending ---------------------------------------------------------------------------------------------------

    async def _refuse(self, send: Send, failure: CallgateError) -> None:
        written = self._codec.write_error(fault_of(failure))
        status, body = written.status, dump_bytes(written.body)
        # the provider's own words, for a client that speaks its wire
        reply = failure.reply if isinstance(failure, PeerFault) else None
        if reply is not None and reply.as_usual:
            told = {**_retry_hints(written), **reply.headers}
            status, body = reply.status, reply.body
        else:
            told = _with_advice({name.lower(): value for name, value in written.headers.items()}, fault_of(failure))
            told |= reply.headers if reply is not None else {}
        extra = tuple((name.encode(), value.encode("latin-1", "replace")) for name, value in told.items())
        await self._open(send, status, b"application/json", extra)
        await self._send(send, body, last=True)

    @property
    def _unwarned(self) -> list[str]:
        """What was found to be lost after the header had gone out."""
        return self._exchange.warnings[self._warned :]

    def _told(self, extra: tuple[tuple[bytes, bytes], ...]) -> list[tuple[str, str]]:
        """The provider's headers, except those that are said here already."""
        said = {name.decode() for name, _ in extra}
        return [(name, value) for name, value in self._exchange.reply_headers.items() if name not in said]

    async def _open(
        self, send: Send, status: int, content_type: bytes, extra: tuple[tuple[bytes, bytes], ...] = ()
    ) -> None:
        headers = [
            (b"content-type", content_type),
            (b"x-callgate-exchange", self._exchange.id.encode()),
            (b"x-callgate-conversation", self._exchange.conversation_id.encode()),
            *((name.encode(), value.encode("latin-1", "replace")) for name, value in self._told(extra)),
            *extra,
        ]
        if self._exchange.warnings:
            headers.append((HEADER, in_one_line(self._exchange.warnings).encode()))
        self._opened, self._warned = True, len(self._exchange.warnings)
        self._head = mask_head(tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers))
        start: AsgiMessage = {"type": "http.response.start", "status": status, "headers": headers}
        await send(start)

    async def _send(self, send: Send, data: bytes, *, last: bool = False) -> None:
        if self._left or (not data and not last):
            return
        exchange = self._exchange
        head, self._head = self._head, ()
        self._bus.publish(
            WireCaptured(exchange.id, exchange.conversation_id, 0, "client_response", data, time.time(), head)
        )
        if last:
            await exchange.recorded()
        await send({"type": "http.response.body", "body": data, "more_body": not last})


def _with_advice(headers: dict[str, str], fault: Fault) -> dict[str, str]:
    """Official packages of all wires look for these, whoever the provider was."""
    if fault.retry_after is not None:
        headers.setdefault("retry-after-ms", str(round(fault.retry_after * 1000)))
    if fault.should_retry is not None:
        headers["x-should-retry"] = "true" if fault.should_retry else "false"
    return headers


def _retry_hints(written: WrittenError) -> dict[str, str]:
    kept = ("retry-after", "retry-after-ms")
    return {name.lower(): value for name, value in written.headers.items() if name.lower() in kept}


_END = Piece(())
"""Marks that a plain answer is complete and its status still free."""


class _Ending:
    """The end of a streamed answer: held from the first piece on that tells its client that all is said."""

    def __init__(self, choices: int) -> None:
        self._choices = choices
        """How many answers were asked for; each has a finish of its own."""
        self.held: list[Piece] = []
        self._passing = False

    def given_up(self) -> list[Piece]:
        """What was held, and nothing is from now on: some providers finish an answer and then never hang up."""
        released, self.held, self._passing = self.held, [], True
        return released

    def taken_from(self, pieces: list[Piece]) -> list[Piece]:
        """Those that may go out now."""
        if self._passing:
            return pieces
        for index, piece in enumerate(pieces):
            if self._choices <= 0:
                self.held += pieces[index:]
                return pieces[:index]
            finished = sum(isinstance(delta, Finished) for delta in piece.deltas)
            failed = any(isinstance(delta, Failed) for delta in piece.deltas)
            self._choices = 0 if failed else self._choices - finished
            if self._choices <= 0:
                self.held += pieces[index:]
                return pieces[:index]
        return pieces


class _Timer:
    """A span of time that has begun."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    @property
    def is_over(self) -> bool:
        return self.left <= 0
