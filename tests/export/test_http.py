"""A HAR file passes the schema of HAR 1.2, whatever was captured."""

import jsonschema_rs
import orjson
from tests.export.har_schema import HAR_SCHEMA
from tests.store.samples import a_conversation, started

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.errors import Fault
from callgate.core.events import Event, ExchangeEnded, Leg, WireCaptured
from callgate.export.format import ExportAbout
from callgate.export.http import HarWriter, http_exchanges
from callgate.export.record import ConversationRecord
from callgate.wire.registry import TRAITS

ABOUT = ExportAbout("1.0", 5.0, redacted=True, wires=TRAITS)


def wire(number: int, leg: Leg, *pieces: bytes, head: tuple[tuple[str, str], ...] = ()) -> list[WireCaptured]:
    return [
        WireCaptured("e1", "c1", number, leg, data, 2.0 + place / 10, head if place == 0 else ())
        for place, data in enumerate(pieces)
    ]


def record(events: list[Event], captured: list[WireCaptured]) -> ConversationRecord:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return ConversationRecord(summary, tuple(events), tuple(captured))


def whole() -> ConversationRecord:
    captured = [
        *wire(0, "client_request", b'{"a":1}', head=(("Host", "127.0.0.1:8080"), ("accept", "*/*"))),
        *wire(1, "upstream_request", b'{"b":2}'),
        *wire(1, "upstream_response", b"data: {}\n\n", b"data: [DONE]\n\n"),
        *wire(0, "client_response", b"\xff\xfe"),
    ]
    return record(a_conversation(), captured)


def har(*records: ConversationRecord, bodies: bool = True) -> dict:  # type: ignore[type-arg]
    writer = HarWriter(ABOUT, bodies=bodies)
    text = writer.begin() + "".join(writer.conversation(each) for each in records) + writer.end()
    value = orjson.loads(text)
    jsonschema_rs.validator_for(HAR_SCHEMA, validate_formats=True).validate(value)
    return value["log"]


def test_both_sides_of_an_exchange_are_entries() -> None:
    log = har(whole())
    assert [entry["_callgate"]["side"] for entry in log["entries"]] == ["client", "upstream"]
    client, upstream = log["entries"]
    assert client["request"]["url"] == "http://127.0.0.1:8080/v1/chat/completions"
    assert upstream["request"]["url"] == "https://openai.invalid/v1/chat/completions"
    assert upstream["request"]["postData"]["text"] == '{"b":2}'
    assert len(upstream["_events"]) == 2
    assert client["response"]["content"]["encoding"] == "base64"


def test_without_bodies_only_sizes_are_told() -> None:
    log = har(whole(), bodies=False)
    text = orjson.dumps(log["entries"]).decode()
    assert '{\\"' not in text and "DONE" not in text
    assert log["entries"][1]["request"]["bodySize"] == 7
    assert log["entries"][1]["response"]["content"]["size"] == 24


def test_nothing_captured_and_several_conversations_are_files_too() -> None:
    assert har(record(a_conversation(), []))["entries"] == []
    assert har()["entries"] == []
    assert len(har(whole(), record(a_conversation(), []), whole())["entries"]) == 4


def test_a_failure_has_its_status_and_a_hostile_host_is_no_address() -> None:
    events: list[Event] = [
        started("e1", "c1"),
        ExchangeEnded("e1", "c1", "failed", 9.0, fault=Fault("rate_limit", "slow down")),
    ]
    captured = wire(0, "client_request", b"{}", head=(("host", "evil host/../?x"),))
    (exchange,) = http_exchanges(record(events, captured), TRAITS)
    assert exchange.status == 429
    assert exchange.url.startswith("http://127.0.0.1/")
    assert har(record(events, captured))["entries"][0]["response"]["status"] == 429


def test_the_schema_would_notice() -> None:
    broken = {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{"time": -5}]}}
    assert not jsonschema_rs.is_valid(HAR_SCHEMA, broken)
