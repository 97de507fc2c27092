"""Every wire keeps the contract, alone and into every other."""

import copy
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.contract import (
    Samples,
    across,
    all_samples,
    answer,
    deltas_of,
    essence,
    is_complete,
    portable,
    read_stream,
    repairs_of,
    write_stream,
    writer_for,
)

from callgate.core.assembly import assemble
from callgate.core.deltas import Failed, Finished, TextDelta
from callgate.core.errors import STATUS_OF, BadRequest, Fault, FaultKind
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.core.request import GateOptions
from callgate.wire.dialects import PLAIN
from callgate.wire.gate_fields import GATE_FIELDS
from callgate.wire.overflow import used_and_limit

ALL = all_samples()
STREAMS = [
    pytest.param(samples, stream, id=f"{samples.codec.wire}-{number}")
    for samples in ALL
    for number, stream in enumerate(samples.streams)
]
REQUESTS = [
    pytest.param(samples, body, id=f"{samples.codec.wire}-{number}")
    for samples in ALL
    for number, body in enumerate(samples.requests)
]
RESPONSES = [
    pytest.param(samples, body, id=f"{samples.codec.wire}-{number}")
    for samples in ALL
    for number, body in enumerate(samples.responses)
]
PAIRS = [
    pytest.param(samples, stream, body, id=f"{samples.codec.wire}-{number}")
    for samples in ALL
    for number, (stream, body) in enumerate(samples.pairs)
]
WIRES = [pytest.param(samples, id=samples.codec.wire) for samples in ALL]
FAULTS = [pytest.param(samples, kind, id=f"{samples.codec.wire}-{kind}") for samples in ALL for kind in STATUS_OF]
CROSSINGS = [
    pytest.param(source, target, stream, id=f"{source.codec.wire}-{number}-into-{target.codec.wire}")
    for source in ALL
    for target in ALL
    if source is not target
    for number, stream in enumerate(source.streams)
]


def path_of(samples: Samples) -> dict[str, str | bool]:
    """What one wire says in the path instead of the body."""
    return {"model": "gemini-3-pro", "stream": False} if samples.codec.wire == "gemini" else {}


def read(samples: Samples, body: dict[str, Json]):
    return samples.codec.read_request(body, **path_of(samples))  # type: ignore[arg-type]


@pytest.mark.parametrize(("samples", "body"), REQUESTS)
def test_a_request_read_and_written_is_the_same_request(samples: Samples, body: dict[str, Json]) -> None:
    before = copy.deepcopy(body)
    written = samples.codec.write_request(read(samples, body), PLAIN)
    assert written.body == body
    assert body == before, "reading or writing changed the client's own body"


@pytest.mark.parametrize(("samples", "body"), REQUESTS)
def test_unknown_fields_of_a_request_are_kept(samples: Samples, body: dict[str, Json]) -> None:
    novel: dict[str, Json] = {**body, "brand_new_field": {"deep": [1, None]}}
    assert samples.codec.write_request(read(samples, novel), PLAIN).body["brand_new_field"] == {"deep": [1, None]}


@pytest.mark.parametrize("samples", WIRES)
def test_fields_for_callgate_are_read_and_never_sent_on(samples: Samples) -> None:
    said: dict[str, Json] = {"use_vscode_tools": True, "tool_execution": "auto", "max_tool_rounds": 3}
    request = read(samples, {**samples.requests[0], **said})
    assert request.gate == GateOptions(use_tools=True, execution="auto", max_rounds=3)
    assert not set(GATE_FIELDS) & set(request.extras)
    assert not set(GATE_FIELDS) & set(samples.codec.write_request(request, PLAIN).body)


@pytest.mark.parametrize("samples", WIRES)
@pytest.mark.parametrize(
    ("field", "value"), [("use_tools", "yes"), ("tool_execution", "maybe"), ("max_tool_rounds", -1)]
)
def test_bad_fields_for_callgate_are_refused_by_name(samples: Samples, field: str, value: Json) -> None:
    with pytest.raises(BadRequest) as caught:
        read(samples, {**samples.requests[0], field: value})
    assert caught.value.fault.param == field


@pytest.mark.parametrize(("samples", "body"), RESPONSES)
def test_a_response_written_and_read_again_says_the_same(samples: Samples, body: dict[str, Json]) -> None:
    first = samples.codec.read_response(body)
    again = samples.codec.read_response(samples.codec.write_response(first, samples.request))
    assert essence(again) == essence(first)
    assert (again.id, again.model, again.usage) == (first.id, first.model, first.usage)


@pytest.mark.parametrize(("samples", "stream", "body"), PAIRS)
def test_a_streamed_answer_means_what_the_plain_one_means(
    samples: Samples, stream: bytes, body: dict[str, Json]
) -> None:
    streamed, plain = answer(read_stream(samples.codec, stream)), samples.codec.read_response(body)
    assert essence(streamed) == essence(plain)
    assert streamed.usage == plain.usage


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_a_true_stream_needs_no_repair_and_is_complete(samples: Samples, stream: bytes) -> None:
    frames = read_stream(samples.codec, stream)
    assert repairs_of(frames) == []
    assert is_complete(deltas_of(frames))
    assert not any(isinstance(delta, Failed) for delta in deltas_of(frames))


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
@given(data=st.data())
def test_any_chunking_gives_the_same_deltas_and_keeps_every_byte(
    samples: Samples, stream: bytes, data: st.DataObject
) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=12).map(sorted))
    chunks = [stream[a:b] for a, b in pairwise([0, *cuts, len(stream)])]
    frames = read_stream(samples.codec, *chunks)
    assert b"".join(frame.raw for frame in frames) == stream
    assert deltas_of(frames) == deltas_of(read_stream(samples.codec, stream))


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_a_stream_that_breaks_off_is_reported_as_failed(samples: Samples, stream: bytes) -> None:
    size = 0
    for frame in read_stream(samples.codec, stream)[:-1]:
        size += len(frame.raw)
        deltas = deltas_of(read_stream(samples.codec, stream[:size]))
        assert is_complete(deltas) or isinstance(deltas[-1], Failed)


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_a_stream_written_and_read_again_says_the_same(samples: Samples, stream: bytes) -> None:
    first = read_stream(samples.codec, stream)
    again = read_stream(samples.codec, write_stream(samples, deltas_of(first)))
    assert essence(answer(again)) == essence(answer(first))
    assert answer(again).usage == answer(first).usage
    assert repairs_of(again) == []


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_keep_alives_change_nothing(samples: Samples, stream: bytes) -> None:
    deltas = deltas_of(read_stream(samples.codec, stream))
    again = read_stream(samples.codec, write_stream(samples, deltas, keep_alive=True))
    assert essence(answer(again)) == essence(answer(read_stream(samples.codec, stream)))
    assert repairs_of(again) == []


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_writing_can_go_on_after_any_number_of_relayed_frames(samples: Samples, stream: bytes) -> None:
    frames = read_stream(samples.codec, stream)
    for relayed in range(len(frames) + 1):
        writer = writer_for(samples, deltas_of(frames))
        sent = b""
        for frame in frames[:relayed]:
            writer.follow(frame)
            sent += frame.raw
        for delta in deltas_of(frames[relayed:]):
            sent += writer.write(delta)
        again = read_stream(samples.codec, sent + writer.close())
        assert essence(answer(again)) == essence(answer(frames)), f"after {relayed} frames"
        assert repairs_of(again) == [], f"after {relayed} frames"


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_a_failure_at_any_time_is_told_to_the_client(samples: Samples, stream: bytes) -> None:
    deltas = deltas_of(read_stream(samples.codec, stream))
    end = next(place for place, delta in enumerate(deltas) if isinstance(delta, Finished))
    for cut in range(end + 1):
        failed = write_stream(samples, [*deltas[:cut], Failed(Fault("overloaded", "the model is busy"))])
        last = [delta for delta in deltas_of(read_stream(samples.codec, failed)) if isinstance(delta, Failed)]
        assert [delta.fault.message for delta in last] == ["the model is busy"], f"after {cut} deltas"


@pytest.mark.parametrize(("samples", "stream"), STREAMS)
def test_an_end_that_is_told_with_every_piece_is_passed_on_once_and_last(samples: Samples, stream: bytes) -> None:
    """Older Gemini services say `STOP` in every chunk."""
    deltas = deltas_of(read_stream(samples.codec, stream))
    early = [
        told
        for delta in deltas
        for told in ([delta, Finished("stop", choice=delta.choice)] if isinstance(delta, TextDelta) else [delta])
    ]
    again = read_stream(samples.codec, write_stream(samples, early))
    assert across(answer(again)) == across(assemble(deltas))
    assert repairs_of(again) == []


@pytest.mark.parametrize(("source", "target", "stream"), CROSSINGS)
def test_every_wire_survives_the_way_into_every_other(source: Samples, target: Samples, stream: bytes) -> None:
    deltas = portable(deltas_of(read_stream(source.codec, stream)))
    if deltas is None:
        return  # custom and grouped calls are lowered before they reach another wire
    again = read_stream(target.codec, write_stream(target, deltas))
    assert across(answer(again)) == across(answer(read_stream(source.codec, stream)))
    assert repairs_of(again) == []


@pytest.mark.parametrize(("samples", "kind"), FAULTS)
def test_an_error_written_and_read_again_is_of_the_same_kind(samples: Samples, kind: FaultKind) -> None:
    fault = Fault(kind, "it did not work", retry_after=7 if kind == "rate_limit" else None)
    written = samples.codec.write_error(fault)
    again = samples.codec.read_error(written.status, dump_bytes(written.body), written.headers)
    assert again.kind == kind
    assert fault.message in again.message
    assert again.retry_after == fault.retry_after


@pytest.mark.parametrize("samples", WIRES)
def test_an_overflow_keeps_its_numbers_in_whichever_words_the_client_acts_on(samples: Samples) -> None:
    fault = Fault("context_overflow", "prompt is too long: 210000 tokens > 200000 maximum")
    written = samples.codec.write_error(fault)
    again = samples.codec.read_error(written.status, dump_bytes(written.body), written.headers)
    assert again.kind == "context_overflow"
    assert used_and_limit(again.message) == (210_000, 200_000)


@pytest.mark.parametrize("samples", WIRES)
def test_a_page_instead_of_an_error_body_is_shown_in_part(samples: Samples) -> None:
    fault = samples.codec.read_error(502, b"<html>Bad gateway</html>" + b"x" * 10_000, {})
    assert fault.kind == "upstream"
    assert "Bad gateway" in fault.message
    assert len(fault.message) < 4_000
