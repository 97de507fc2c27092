"""A provider's events are understood, and what they break is named."""

from typing import Any

import orjson
import pytest
from tests.wire.samples_openai_responses import (
    PARALLEL,
    STREAMS,
    TEXT,
    envelope,
    events_of,
    function_call,
    opening,
    stream_of,
    whole_stream,
)

from callgate.core.assembly import assemble
from callgate.core.deltas import Delta, Failed, Finished, Started, UsageReported
from callgate.core.errors import PeerFault
from callgate.wire.codec import Frame
from callgate.wire.openai_responses.stream_reader import ResponsesStreamReader


def read(stream: bytes) -> list[Frame]:
    reader = ResponsesStreamReader()
    return reader.decode(stream) + reader.flush()


def deltas_of(frames: list[Frame]) -> list[Delta]:
    return [delta for frame in frames for delta in frame.deltas]


def repairs_of(frames: list[Frame]) -> list[str]:
    return [repair for frame in frames for repair in frame.repairs]


def completed(*output: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.completed", "response": envelope(list(output))}


@pytest.mark.parametrize("stream", STREAMS)
def test_single_bytes_give_the_same_frames(stream: bytes) -> None:
    reader = ResponsesStreamReader()
    frames = [frame for byte in stream for frame in reader.decode(bytes((byte,)))] + reader.flush()
    assert frames == read(stream)
    assert b"".join(frame.raw for frame in frames) == stream


def test_a_stream_begins_once_and_ends_with_usage() -> None:
    deltas = deltas_of(read(whole_stream(TEXT)))
    assert deltas[0] == Started("resp_68af", "gpt-5.5-2026-05-01", 1760000000)
    assert sum(isinstance(delta, Started) for delta in deltas) == 1
    assert isinstance(deltas[-2], UsageReported)
    assert deltas[-1] == Finished("stop")


def test_unknown_events_are_relayed_and_mean_nothing() -> None:
    novel = {"type": "response.novel.delta", "output_index": 0, "delta": "x"}
    frames = read(stream_of(*opening(), novel, *events_of(0, TEXT[0]), completed(*TEXT)))
    assert frames[2].deltas == ()
    assert b"response.novel.delta" in frames[2].raw
    assert repairs_of(frames) == []


def test_the_end_of_a_chat_stream_after_the_end_is_borne() -> None:
    frames = read(whole_stream(TEXT) + b"data: [DONE]\n\n")
    assert deltas_of(frames)[-1] == Finished("stop")
    assert repairs_of(frames) == ["[DONE] does not belong in this wire"]


def test_a_truncated_stream_is_reported_as_failed() -> None:
    cut = b"".join(frame.raw for frame in read(whole_stream(PARALLEL))[:-1])
    last = deltas_of(read(cut))[-1]
    assert isinstance(last, Failed)
    assert last.fault.kind == "upstream"


@pytest.mark.parametrize(
    ("event", "kind", "message"),
    [
        (
            {
                "type": "response.failed",
                "response": envelope([], "failed", error={"code": "rate_limit_exceeded", "message": "slow"}),
            },
            "rate_limit",
            "slow",
        ),
        ({"type": "error", "code": "server_is_overloaded", "message": "busy", "param": None}, "overloaded", "busy"),
        ({"type": "error", "error": {"type": "invalid_request_error", "message": "bad"}}, "invalid_request", "bad"),
        ({"type": "error", "message": "Your input exceeds the context window"}, "context_overflow", "Your input"),
    ],
)
def test_a_failure_is_read_in_every_shape(event: dict[str, Any], kind: str, message: str) -> None:
    deltas = deltas_of(read(stream_of(*opening(), event)))
    failed = [delta for delta in deltas if isinstance(delta, Failed)]
    assert [(delta.fault.kind, delta.fault.message[: len(message)]) for delta in failed] == [(kind, message)]


def test_an_error_without_a_type_is_an_error() -> None:
    deltas = deltas_of(read(b'data: {"error":{"message":"no","code":"model_not_found"}}\n\n'))
    assert isinstance(deltas[0], Failed)
    assert deltas[0].fault.kind == "not_found"


def test_an_unreadable_event_is_a_failure() -> None:
    deltas = deltas_of(read(b"data: <html>\n\n"))
    assert [type(delta) for delta in deltas] == [Failed]


def test_nothing_after_the_end_counts() -> None:
    frames = read(whole_stream(TEXT) + stream_of(*events_of(1, function_call(1, "f", "{}"))))
    assert deltas_of(frames)[-1] == Finished("stop")


def test_a_stream_without_created_is_repaired() -> None:
    frames = read(stream_of(*events_of(0, TEXT[0]), completed(*TEXT)))
    assert isinstance(deltas_of(frames)[0], Started)
    assert "the stream did not begin with response.created" in repairs_of(frames)


def test_items_that_come_only_at_the_end_are_taken_from_there() -> None:
    frames = read(stream_of(*opening(), completed(*PARALLEL)))
    assert assemble(deltas_of(frames)) == assemble(deltas_of(read(whole_stream(PARALLEL))))
    assert repairs_of(frames) == ["the items came only in the final response"]


def test_a_cancelled_response_is_a_failure() -> None:
    event = {"type": "response.cancelled", "response": envelope([], "cancelled")}
    assert isinstance(deltas_of(read(stream_of(*opening(), event)))[-1], Failed)


def test_an_endless_event_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.wire.sse.MAX_EVENT_BYTES", 100)
    with pytest.raises(PeerFault):
        ResponsesStreamReader().decode(b"data: " + orjson.dumps("x" * 200))


@pytest.mark.parametrize("listed", [[], TEXT])
def test_an_item_that_clients_would_miss_at_the_end_is_a_repair(listed: list[dict[str, Any]]) -> None:
    *grown, done = events_of(0, TEXT[0])
    frames = read(stream_of(*opening(), *grown, *([] if listed else [done]), completed(*listed)))
    assert repairs_of(frames) == ["an item was not finished, or is missing or another in the final response"]
    assert frames[-1].repairs and deltas_of(frames)[-1] == Finished("stop")


def test_an_item_before_the_beginning_is_a_repair_though_it_tells_nothing_yet() -> None:
    added, *rest = events_of(0, TEXT[0])
    first = read(stream_of(added, *rest, completed(*TEXT)))[0]
    assert [delta.kind for delta in first.deltas] == ["started"]
    assert "the stream did not begin with response.created" in first.repairs


def test_an_event_that_says_its_type_only_by_name_is_a_repair() -> None:
    stream = stream_of(*opening()).replace(b'"type":"response.created",', b"")
    assert "an event did not say its type" in read(stream)[0].repairs


def test_calls_without_their_places_are_told_once() -> None:
    events = [event for place, item in enumerate(PARALLEL) for event in events_of(place, item)]
    for event in events:
        event.pop("output_index")
    found = assemble(deltas_of(read(stream_of(*opening(), *events, completed(*PARALLEL))))).choices
    assert found == assemble(deltas_of(read(whole_stream(PARALLEL)))).choices
