"""What every wire can do, and the two values that pass between wires and the world.

A codec is pure: bytes and JSON in, values out. It must not know of HTTP, of other wires, of tools or of people.
Both sides of Callgate use the same codec: clients are read with `read_request` and answered with `StreamWriter`,
providers are asked with `write_request` and heard with `StreamReader`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from callgate.core.deltas import Delta
from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.wire.beside import Beside
from callgate.wire.dialects import Dialect


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a stream: its exact bytes, and what it means.

    The `raw` of all frames joined are the bytes that were fed in, so that a client on the same wire can be sent the
    very same bytes. `repairs` names what broke the wire's own rules; such a frame must be rewritten, not relayed.
    `beside` is what no delta tells: lost wherever the bytes themselves are not passed on.
    """

    raw: bytes
    deltas: tuple[Delta, ...] = ()
    repairs: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A request spelled for a provider."""

    body: dict[str, Json]
    warnings: tuple[str, ...] = ()
    """What could not be said and may be missed; told to the client in `x-callgate-warnings`."""


@dataclass(frozen=True, slots=True)
class WrittenError:
    status: int
    body: dict[str, Json]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class StreamReader(Protocol):
    """Provider's bytes → frames. Any chunking of the bytes gives the same frames."""

    def decode(self, data: bytes) -> list[Frame]: ...

    def flush(self) -> list[Frame]:
        """The stream has ended: what is left, and `Failed` if it ended before its end."""
        ...


class StreamWriter(Protocol):
    """Deltas → client's bytes. Keeps every emission rule of its wire, whatever the deltas came from."""

    def write(self, delta: Delta) -> bytes:
        """The bytes a delta becomes; may be empty when the wire says it later."""
        ...

    def follow(self, frame: Frame) -> None:
        """The client was sent `frame.raw` as it is: keep ids, indexes and counters in step; writing may go on."""
        ...

    def keep_alive(self) -> bytes:
        """Something every client of this wire bears while a call is held."""
        ...

    def warn(self, text: str) -> bytes:
        """A line that is no part of the answer, said shortly before `close` in a way that every client bears."""
        ...

    def close(self) -> bytes:
        """What ends the stream, after the last delta."""
        ...


class Codec(Protocol):
    @property
    def wire(self) -> WireName: ...

    def read_request(
        self, body: Mapping[str, Json], *, model: str = "", stream: bool | None = None, strict: bool = True
    ) -> ChatRequest:
        """Raises `BadRequest` naming the field. `model` and `stream` where the path says them (Gemini).

        Not `strict`: calls and results need not match; whoever asks for that sees to it (`core.history_repair`).
        """
        ...

    def write_request(self, request: ChatRequest, dialect: Dialect) -> Written:
        """Raises `Unspeakable`. The request has been lowered to what this wire can say (`wire.lowering`)."""
        ...

    def read_response(self, body: Mapping[str, Json]) -> ChatResponse:
        """Raises `PeerFault` for an error in the clothes of a success."""
        ...

    def write_response(self, response: ChatResponse, request: ChatRequest) -> dict[str, Json]: ...

    def stream_reader(self, tools: Collection[str] = ()) -> StreamReader:
        """`tools` are the names offered: some servers send a call's name in pieces."""
        ...

    def stream_writer(self, request: ChatRequest) -> StreamWriter: ...

    def read_error(self, status: int, body: bytes, headers: Mapping[str, str]) -> Fault: ...

    def write_error(self, fault: Fault) -> WrittenError: ...

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        """A whole answer that says what failed, for a client that has been promised status 200 already.

        `said`: what it would have got until then.
        """
        ...
