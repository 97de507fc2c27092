"""A provider's streams."""

from itertools import pairwise

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.samples_gemini_generate import RESPONSES, USAGE, call, candidate, chunk, model, reply, user

from callgate.core.deltas import CallStarted, Delta, Failed, Finished, TextDelta, UsageReported
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate.read_request import read_request
from callgate.wire.gemini_generate.stream_reader import GenerateReader

ARRAY = (
    b"["
    + orjson.dumps(reply(candidate({"text": "Zür"})), option=orjson.OPT_INDENT_2)
    + b"\n,\r\n"
    + orjson.dumps(reply(candidate({"text": 'ich "}]{'}, finish="STOP")), option=orjson.OPT_INDENT_2)
    + b"\n]\n"
)
ERROR = b'{\n  "error": {\n    "code": 503,\n    "message": "busy",\n    "status": "UNAVAILABLE"\n  }\n}\n'


def read(*chunks: bytes) -> list[Frame]:
    reader = GenerateReader()
    return [frame for data in chunks for frame in reader.decode(data)] + reader.flush()


def deltas_of(frames: list[Frame]) -> list[Delta]:
    return [delta for frame in frames for delta in frame.deltas]


def failure_of(*chunks: bytes) -> Failed:
    last = deltas_of(read(*chunks))[-1]
    assert isinstance(last, Failed)
    return last


@given(st.lists(st.integers(0, len(ARRAY)), max_size=12).map(sorted))
def test_an_array_in_place_of_events_is_read_and_no_byte_is_lost(cuts: list[int]) -> None:
    frames = read(*(ARRAY[a:b] for a, b in pairwise([0, *cuts, len(ARRAY)])))
    assert b"".join(frame.raw for frame in frames) == ARRAY
    texts = [delta.text for delta in deltas_of(frames) if isinstance(delta, TextDelta)]
    assert texts == ["Zür", 'ich "}]{']
    assert Finished("stop") in deltas_of(frames)
    assert all(frame.repairs for frame in frames), "a client that asked for events must not get an array"


def test_a_plain_answer_in_place_of_a_stream_is_read() -> None:
    frames = read(orjson.dumps(RESPONSES[0]))
    assert Finished("stop") in deltas_of(frames)
    assert frames[0].repairs


@pytest.mark.parametrize(
    "stream",
    [
        ERROR,
        b"[" + ERROR + b"]",
        chunk(candidate({"text": "a"})) + ERROR,
        chunk(candidate({"text": "a"})) + b"data: " + b" ".join(ERROR.split()) + b"\n\n",
        chunk(candidate({"text": "a"})) + b"data: [" + b" ".join(ERROR.split()) + b"]\n\n",
    ],
)
def test_an_error_in_any_clothes_is_a_failure(stream: bytes) -> None:
    fault = failure_of(stream).fault
    assert (fault.kind, fault.message) == ("overloaded", "busy")
    frames = read(*(stream[place : place + 1] for place in range(len(stream))))
    assert b"".join(frame.raw for frame in frames) == stream
    assert isinstance(deltas_of(frames)[-1], Failed)


def test_a_stream_without_a_finish_has_failed() -> None:
    assert "finishReason" in failure_of(chunk(candidate({"text": "a"}))).fault.message
    assert failure_of().fault.kind == failure_of(b"\n\n").fault.kind == "upstream"


def test_one_candidate_without_a_finish_is_enough_to_fail() -> None:
    stream = chunk(candidate({"text": "a"}, finish="STOP"), candidate({"text": "b"}, index=1))
    assert isinstance(failure_of(stream), Failed)


def test_an_array_that_is_cut_off_has_failed_and_keeps_its_bytes() -> None:
    frames = read(ARRAY[:-20])
    assert b"".join(frame.raw for frame in frames) == ARRAY[:-20]
    assert isinstance(deltas_of(frames)[-1], Failed)


def test_what_cannot_be_read_is_a_failure_and_the_rest_is_passed_on() -> None:
    stream = b"data: {oops\n\n" + chunk(candidate({"text": "a"}, finish="STOP"))
    frames = read(stream)
    assert isinstance(frames[0].deltas[0], Failed)
    assert frames[1:] == [Frame(chunk(candidate({"text": "a"}, finish="STOP")))]


def test_newlines_are_no_events_but_comments_and_end_marks_do_not_belong() -> None:
    whole = chunk(candidate({"text": "a"}, finish="STOP"))
    assert not any(frame.repairs for frame in read(b"\n" + whole + b"\n\n"))
    assert any(frame.repairs for frame in read(b": keep-alive\n\n" + whole))
    done = read(whole + b"data: [DONE]\n\n")
    assert done[-1].repairs
    assert not any(isinstance(delta, Failed) for delta in deltas_of(done))


def test_usage_after_the_finish_is_heard() -> None:
    stream = chunk(candidate({"text": "a"}, finish="STOP")) + chunk(usage=USAGE)
    assert isinstance(deltas_of(read(stream))[-1], UsageReported)


def test_a_mark_at_the_beginning_is_no_text() -> None:
    for stream in (chunk(candidate({"text": "a"}, finish="STOP")), ARRAY):
        marked = b"\xef\xbb\xbf" + stream
        frames = read(marked[:2], marked[2:4], marked[4:])
        assert b"".join(frame.raw for frame in frames) == marked
        assert not any(isinstance(delta, Failed) for delta in deltas_of(frames))


def test_a_signed_call_without_id_has_the_same_id_when_the_client_sends_it_back() -> None:
    stream = chunk(candidate(call("f", {}, signature="ab+/"))) + chunk(candidate(call("g", {}), finish="STOP"))
    heard = [delta.id for delta in deltas_of(read(stream)) if isinstance(delta, CallStarted)]
    history = [user({"text": "q"}), model(call("f", {}, signature="ab-_")), model(call("g", {}))]
    request = read_request({"contents": list(history)}, "gemini-2.5-pro")
    assert [sent.id for sent in request.messages[1].calls] == heard


@pytest.mark.parametrize("before", [b"data:", b"\xef\xbb\xbfdata: ", b"event: message\ndata: ", b"id: 1\ndata: "])
def test_lines_that_googles_own_client_cannot_read_are_repairs(before: bytes) -> None:
    whole = chunk(candidate({"text": "a"}, finish="STOP"))
    (frame,) = read(whole.replace(b"data: ", before, 1))
    assert frame.repairs and Finished("stop") in frame.deltas
    assert not read(whole)[0].repairs


def test_an_event_with_nothing_in_it_is_a_repair() -> None:
    assert read(b"data: \r\n\r\n", chunk(candidate({"text": "a"}, finish="STOP")))[0].repairs
