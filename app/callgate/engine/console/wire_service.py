"""What passed between the wires: captured bytes read into the neutral form, and the course of one exchange.

For front ends for people, which know values and no wire. Reading is pure and may run on any thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final, Protocol, cast

from callgate.core.assembly import Assembly
from callgate.core.catalog.left_out import LeftOut
from callgate.core.catalog.sent_tools import SentTools, sent_tools
from callgate.core.errors import BadRequest, PeerFault
from callgate.core.events import ClientWire, Event, ExchangeStarted, FrameCaptured, Leg, RoundStarted
from callgate.core.json.text import parse, parse_object
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.text.sse_capture import looks_like_stream
from callgate.core.tool import HostedTool, ToolSpec
from callgate.store.journal import Journal
from callgate.tools.catalog import Catalog
from callgate.tools.mcp_source.server import McpServer
from callgate.tools.source_slot import SourceSlot
from callgate.wire.codec import Codec

# The neutral form as plain JSON, for people to look at: fields that say nothing are left out. Pure.
_NOTE: Final = "@"


def neutral_json(value: object) -> Json:
    """Values of `core` as objects with their fields in order; what is as it is by default is not said."""
    if is_dataclass(value) and not isinstance(value, type):
        said = {one.name: neutral_json(held) for one in fields(value) if _speaks(one, held := getattr(value, one.name))}
        return {name: held for name, held in said.items() if name != "extras" or held}
    match value:
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            # what begins so is a codec's own note of how something was spelled
            return {str(key): neutral_json(item) for key, item in items if not str(key).startswith(_NOTE)}
        case list() | tuple() | set() | frozenset():
            return [neutral_json(item) for item in cast("list[object]", value)]
        case Enum():
            return str(value.value)
        case str() | int() | float() | bool() | None:
            return value
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return str(value)


def _speaks(one: "Field[Any]", held: object) -> bool:
    """The kind of a part always does: without it, nobody knows what a part is."""
    if one.name == "kind":
        return True
    if one.default is not MISSING:
        return held != one.default
    if one.default_factory is not MISSING:
        return held != one.default_factory()
    return True


_MODEL_UNSAID = "(not said)"


@dataclass(frozen=True, slots=True)
class Neutral:
    """What bytes mean in no wire's spelling."""

    value: Json = None
    problem: str = ""
    """Why they can't be read; then there is no value."""


@dataclass(frozen=True, slots=True)
class CallFrames:
    """Messages between Callgate and an MCP server that one call caused, in order."""

    frames: tuple[FrameCaptured, ...] = ()
    left_out: int = 0
    """How many lie between the first and the last of them that are not here, as there are so many."""


@dataclass(frozen=True, slots=True)
class LegBytes:
    """Bytes of one leg, and what must be known to read them."""

    leg: Leg
    wire: ClientWire
    data: bytes
    model: str = ""
    """Where the path said it (Gemini)."""
    stream: bool = False

    @property
    def is_request(self) -> bool:
        return self.leg in ("client_request", "upstream_request")


class WireService(Protocol):
    def neutral(self, sent: LegBytes) -> Neutral:
        """What the bytes of a leg mean. Pure: may be called on any thread."""
        ...

    async def tools_sent(self, exchange_id: str, number: int) -> SentTools | None:
        """What became of the tools in one round; None = there is no such round."""
        ...

    def is_mcp(self, source: str) -> bool:
        """Whether calls of this source's tools go to an MCP server, or went to one when it was still there."""
        ...

    async def frames(self, invocation_id: str) -> CallFrames:
        """What a call caused at an MCP server, up to now; what comes after is told by `FrameCaptured`."""
        ...

    async def exchange(self, exchange_id: str) -> Sequence[Event]:
        """What happened in one exchange, deltas left out."""
        ...

    async def course(self, conversation_id: str) -> Sequence[Event]:
        """All that happened in a conversation, with the messages of its calls but without their texts."""
        ...


class LiveWireService:
    def __init__(self, codecs: Mapping[WireName, Codec], journal: Journal, catalog: Catalog) -> None:
        self._codecs, self._journal, self._catalog = codecs, journal, catalog

    def neutral(self, sent: LegBytes) -> Neutral:
        return read_neutral(self._codecs, sent)

    async def tools_sent(self, exchange_id: str, number: int) -> SentTools | None:
        events = await self._journal.exchange(exchange_id)
        wire = await self._journal.wire(exchange_id)
        sent = b"".join(e.data for e in wire if e.leg == "upstream_request" and e.round == number)
        return tools_of_round(self._codecs, events, number, sent)

    def is_mcp(self, source: str) -> bool:
        if source in self._journal.mcp_sources:
            return True
        here = (one for one in self._catalog.sources if one.name == source)
        return any(isinstance(one.source if isinstance(one, SourceSlot) else one, McpServer) for one in here)

    async def frames(self, invocation_id: str) -> CallFrames:
        frames, count = await self._journal.frames(invocation_id)
        return CallFrames(tuple(frames), count - len(frames))

    async def exchange(self, exchange_id: str) -> Sequence[Event]:
        return await self._journal.exchange(exchange_id)

    async def course(self, conversation_id: str) -> Sequence[Event]:
        return await self._journal.course(conversation_id)


def tools_of_round(
    codecs: Mapping[WireName, Codec], events: Sequence[Event], number: int, sent: bytes
) -> SentTools | None:
    started = next((event for event in events if isinstance(event, ExchangeStarted)), None)
    begun = next((event for event in events if isinstance(event, RoundStarted) and event.round == number), None)
    if started is None or begun is None:
        return None
    reached: tuple[ToolSpec | HostedTool, ...] | None = None
    request = _request(codecs, LegBytes("upstream_request", begun.wire, sent, begun.model))
    if isinstance(request, ChatRequest):
        reached = request.tools
    left: tuple[LeftOut, ...] = begun.left_out
    return sent_tools(started.tools, begun.tools, reached, left, begun.warnings)


def read_neutral(codecs: Mapping[WireName, Codec], sent: LegBytes) -> Neutral:
    if not sent.data.strip():
        return Neutral(problem="There is nothing to read.")
    if sent.wire == "mcp":
        return Neutral(problem="A program called the tool itself: no model's wire is spoken here.")
    if sent.is_request:
        request = _request(codecs, sent)
        return Neutral(problem=request) if isinstance(request, str) else Neutral(_bare(neutral_json(request)))
    try:
        return Neutral(_bare(neutral_json(_response(codecs[sent.wire], sent.data))))
    except PeerFault as fault:
        return Neutral({"fault": neutral_json(fault.fault)})
    except (BadRequest, ValueError) as broken:
        return Neutral(problem=f"It can't be read as {sent.wire}: {broken}")


def _request(codecs: Mapping[WireName, Codec], sent: LegBytes) -> ChatRequest | str:
    """The request, or why there is none."""
    body = parse_object(sent.data)
    if body is None or sent.wire == "mcp":
        return "It is no JSON object."
    # Gemini's requests leave the model and the streaming to the path, Vertex's the model
    said = body.get("model", sent.model or _MODEL_UNSAID)
    try:
        if codecs[sent.wire].traits.model_in_path:
            return codecs[sent.wire].read_request(body, model=sent.model or _MODEL_UNSAID, stream=sent.stream)
        return codecs[sent.wire].read_request({**body, "model": said})
    except BadRequest as broken:
        return f"It can't be read as {sent.wire}: {broken}"


def _response(codec: Codec, data: bytes) -> ChatResponse:
    if not looks_like_stream(data) and not data.lstrip().startswith(b"["):
        body = parse(data)
        if not isinstance(body, dict):
            raise ValueError("it is no JSON object")
        return codec.read_response(body)
    reader, assembly = codec.stream_reader(), Assembly()
    for frame in (*reader.decode(data), *reader.flush()):
        for delta in frame.deltas:
            assembly.add(delta)
    response = assembly.response
    if assembly.fault is not None:
        return replace(response, extras={"fault": neutral_json(assembly.fault)})
    return response


def _bare(value: Json) -> Json:
    """Without the wire that it was read from, which is not part of what is said."""
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if key != "wire"}
    return value
