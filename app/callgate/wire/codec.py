"""What every wire can do, and the two values that pass between wires and the world.

A codec is pure: bytes and JSON in, values out. It must not know of HTTP, of other wires, of tools or of people.
Both sides of Callgate use the same codec: clients are read with `read_request` and answered with `StreamWriter`,
providers are asked with `write_request` and heard with `StreamReader`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from callgate.core.deltas import Delta
from callgate.core.errors import BadRequest, Fault
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.dialects import Dialect
from callgate.wire.request_fields import RequestFields
from callgate.wire.unknown_fields import Beside


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a stream: its exact bytes, and what it means.

    The `raw` of all frames joined are the bytes that were fed in, so that a client on the same wire can be sent the
    very same bytes. `repairs` names what broke the wire's own rules; such a frame must be rewritten, not relayed.
    `beside` is what no delta tells: lost wherever the bytes themselves are not passed on. `confessed`: the provider
    says by its wire's own rules that it has failed; any other failure ends in bytes that no client should have.
    """

    raw: bytes
    deltas: tuple[Delta, ...] = ()
    repairs: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = ()
    confessed: bool = False


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


class Chaining(Protocol):
    """How clients of a wire name an earlier reply by its id instead of sending it back."""

    def keeps(self, request: ChatRequest) -> bool:
        """Whether the reply to a request may be named later."""
        ...

    def is_leading(self, message: Message) -> bool:
        """Whether a message holds for the request as a whole and stays first."""
        ...

    def carried_on(self, earlier: tuple[Message, ...]) -> tuple[Message, ...]:
        """What of the earlier messages still holds."""
        ...

    def in_order(self, said: tuple[Message, ...], earlier: tuple[Message, ...]) -> tuple[Message, ...]: ...

    def check(self, earlier: Sequence[Message], said: Sequence[Message]) -> None:
        """Raises `BadRequest` where calls and results of the two do not match."""
        ...

    def with_earlier_tools(self, request: ChatRequest, chain: Sequence[ChatRequest]) -> ChatRequest:
        """`chain`: the earlier requests, oldest first."""
        ...

    def unknown(self, previous_id: str) -> BadRequest: ...

    def references(self, body: Mapping[str, Json]) -> list[str]:
        """Ids of single items that a body refers to."""
        ...

    def resolved(self, body: dict[str, Json], found: Mapping[str, Json]) -> dict[str, Json]:
        """The body with the items in place of their references."""
        ...

    def items_said(self, messages: Sequence[Message]) -> list[dict[str, Json]]: ...

    def items_answered(self, response: ChatResponse) -> list[dict[str, Json]]: ...


class BuiltInCalls(Protocol):
    """Calls of tools that a wire itself defines and its clients run."""

    def takes_words(self, name: str) -> bool:
        """Whether the model can be told in words what became of such a call."""
        ...

    def edit_problem(self, name: str, arguments: str) -> str:
        """Why edited arguments cannot be encoded again; empty = they can."""
        ...


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as a list of models names it."""

    id: str
    endpoint: str


class Codec(Protocol):
    @property
    def wire(self) -> WireName: ...

    @property
    def traits(self) -> WireTraits: ...

    @property
    def request_fields(self) -> RequestFields: ...

    @property
    def chaining(self) -> Chaining | None:
        """None = every request sends its whole history."""
        ...

    @property
    def built_in_calls(self) -> BuiltInCalls | None: ...

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

    def write_model(self, model: ListedModel) -> dict[str, Json]: ...

    def write_models(self, models: Sequence[ListedModel]) -> dict[str, Json]: ...

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        """A whole answer that says what failed, for a client that has been promised status 200 already.

        `said`: what it would have got until then.
        """
        ...
