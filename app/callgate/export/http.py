"""The HTTP traffic of a conversation as a HAR file: what clients asked of Callgate, and what it asked of endpoints.

Pure. Rounds from before their addresses were recorded have one that leads nowhere, made of the endpoint's name.
Messages of MCP servers are no HTTP (or their headers are not captured): they are left out, which the file says.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import orjson

from callgate.core.events import STATUS, ClientWire, ExchangeEnded, ExchangeStarted, Leg, RoundStarted, WireCaptured
from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.core.wire_traits import WireTraits
from callgate.export.format import ExportAbout
from callgate.export.har import Head, HttpExchange, Pieces, har_entry
from callgate.export.record import ConversationRecord

_COMMENT: Final = (
    "Entries with side=client are requests of programs to Callgate, side=upstream those of Callgate to an endpoint;"
    " an address that ends in .invalid was not recorded. What programs called over MCP stands as requests to /mcp."
)
MCP_NOTE: Final = "Messages to and from MCP servers are left out: HAR holds HTTP exchanges only."
_NOT_IN_HOSTS: Final = re.compile(r"[^a-z0-9-]+")

_HOST: Final = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?")

Wires = Mapping[WireName, WireTraits]
Legs = dict[tuple[str, int, Leg], tuple[Head, Pieces]]


class HarWriter:
    def __init__(self, about: ExportAbout, *, bodies: bool = True) -> None:
        self._about, self._bodies = about, bodies
        self._first = True

    def begin(self) -> str:
        creator: Json = {"name": "Callgate", "version": self._about.version}
        comment = f"{_COMMENT} {MCP_NOTE}" + (" Secrets were taken out." if self._about.redacted else "")
        head: dict[str, Json] = {"version": "1.2", "creator": creator, "comment": comment, "pages": []}
        return f'{{"log":{_dump(head)[:-1]},"entries":['

    def conversation(self, record: ConversationRecord) -> str:
        lines: list[str] = []
        for exchange in http_exchanges(record, self._about.wires):
            lines.append(("" if self._first else ",") + "\n" + _dump(har_entry(exchange, bodies=self._bodies)))
            self._first = False
        return "".join(lines)

    def end(self) -> str:
        return "\n]}}\n"


def http_exchanges(record: ConversationRecord, wires: Wires) -> Iterator[HttpExchange]:
    """In the order in which they began."""
    legs = _legs(record.wire)
    ended = {event.exchange_id: event for event in record.events if isinstance(event, ExchangeEnded)}
    found: list[HttpExchange] = []
    streams: dict[str, bool] = {}
    for event in record.events:
        match event:
            case ExchangeStarted():
                streams[event.exchange_id] = event.stream
                found += _client(event, wires, legs, ended.get(event.exchange_id))
            case RoundStarted():
                found += _upstream(event, wires, legs, streams.get(event.exchange_id, True))
            case _:
                pass
    yield from sorted(found, key=lambda exchange: exchange.at)


def path_of(wires: Wires, wire: ClientWire, model: str, stream: bool, answer: Pieces = ()) -> str:
    """`answer`: how it begins tells whether a client asked for events or for an array."""
    if wire == "mcp":
        return "/mcp"
    array = bool(answer) and answer[0][1].startswith(b"[")
    return wires[wire].path_for(model, stream=stream, array=stream and array)


def unknown_url(wires: Wires, endpoint: str, wire: ClientWire, model: str, stream: bool) -> str:
    """One that leads nowhere, for rounds from before addresses were recorded."""
    host = _NOT_IN_HOSTS.sub("-", endpoint.lower()).strip("-") or "endpoint"
    return f"https://{host}.invalid{path_of(wires, wire, model, stream)}"


def upstream_status(head: Head, answered: bool) -> int:
    """Of an endpoint's answer; 0 = there was none."""
    told = dict(head).get(STATUS, "")
    return int(told) if told.isdecimal() else 200 if answered else 0


def without_status(head: Head) -> Head:
    return tuple(line for line in head if line[0] != STATUS)


def _client(event: ExchangeStarted, wires: Wires, legs: Legs, ended: ExchangeEnded | None) -> Iterator[HttpExchange]:
    asked = legs.get((event.exchange_id, 0, "client_request"))
    if asked is None:
        return
    head, pieces = asked
    answer_head, answer = legs.get((event.exchange_id, 0, "client_response"), ((), ()))
    host = {name.lower(): value for name, value in head}.get("host", "")
    if not _HOST.fullmatch(host):
        host = "127.0.0.1"  # not captured, or nothing that an address could hold
    about: dict[str, Json] = {
        "side": "client",
        "exchange": event.exchange_id,
        "conversation": event.conversation_id,
        "agent": event.agent,
        "model": event.model,
    }
    url = f"http://{host}{path_of(wires, event.wire, event.model, event.stream, answer)}"
    yield HttpExchange(url, event.at, _joined(pieces), _status(ended, answer), answer, head, answer_head, about=about)


def _upstream(event: RoundStarted, wires: Wires, legs: Legs, stream: bool) -> Iterator[HttpExchange]:
    asked = legs.get((event.exchange_id, event.round, "upstream_request"))
    if asked is None:
        return
    head, pieces = asked
    answer_head, answer = legs.get((event.exchange_id, event.round, "upstream_response"), ((), ()))
    about: dict[str, Json] = {
        "side": "upstream",
        "exchange": event.exchange_id,
        "conversation": event.conversation_id,
        "round": event.round,
        "endpoint": event.endpoint,
        "model": event.model,
    }
    url = event.url or unknown_url(wires, event.endpoint, event.wire, event.model, stream)
    status, shown = upstream_status(answer_head, bool(answer)), without_status(answer_head)
    yield HttpExchange(url, event.at, _joined(pieces), status, answer, head, shown, about=about)


def _legs(wire: tuple[WireCaptured, ...]) -> Legs:
    heads: dict[tuple[str, int, Leg], Head] = {}
    pieces: dict[tuple[str, int, Leg], list[tuple[float, bytes]]] = {}
    for piece in wire:
        key = (piece.exchange_id, piece.round, piece.leg)
        pieces.setdefault(key, []).append((piece.at, piece.data))
        if piece.head:
            heads[key] = piece.head
    return {key: (heads.get(key, ()), tuple(held)) for key, held in pieces.items()}


def _status(ended: ExchangeEnded | None, answer: Pieces) -> int:
    if ended is not None and ended.fault is not None:
        return ended.fault.http_status
    return 200 if answer else 0


def _joined(pieces: Pieces) -> bytes:
    return b"".join(data for _, data in pieces)


def _dump(value: object) -> str:
    return orjson.dumps(value).decode("utf-8")
