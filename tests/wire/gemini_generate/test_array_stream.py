"""Events that become the elements of a JSON array."""

from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.deltas import Failed, Finished, Started, TextDelta
from callgate.core.errors import Fault
from callgate.core.messages import say
from callgate.core.request import ChatRequest
from callgate.wire.gemini_generate.array_stream import ArrayStream
from callgate.wire.gemini_generate.json_stream import JsonStream
from callgate.wire.gemini_generate.stream_writer import KEEP_ALIVE
from callgate.wire.registry import CODECS
from callgate.wire.sse import comment, sse

OBJECTS: list[dict[str, Any]] = [{"a": 'b"}]{\\\n'}, {"c": [{"d": {}}], "é": "🌦\u2028"}, {}, {"error": {"code": 500}}]
KEYS = st.text(max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
STREAMS = st.lists(st.dictionaries(KEYS, VALUES, max_size=3) | st.sampled_from([KEEP_ALIVE, comment("hm")]), max_size=8)


def events(said: list[Any], end: bytes = b"\n\n") -> bytes:
    return b"".join(one if isinstance(one, bytes) else b"data: " + orjson.dumps(one) + end for one in said)


def written(data: bytes, cuts: list[int]) -> bytes:
    array = ArrayStream()
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return b"".join([array.feed(data[a:b]) for a, b in pairwise(places)]) + array.close()


@given(STREAMS, st.sampled_from([b"\n\n", b"\r\n\r\n", b"\r\r"]), st.lists(st.integers(0, 10_000), max_size=20))
def test_any_chunking_gives_the_same_array_of_all_objects(said: list[Any], end: bytes, cuts: list[int]) -> None:
    data = events(said, end)
    whole = written(data, cuts)
    assert whole == written(data, [])
    assert orjson.loads(whole) == [one for one in said if isinstance(one, dict)]
    assert whole.startswith(b"[") and whole.endswith(b"]"), "Google's clients bear nothing around the array"


@given(st.binary(max_size=200), st.lists(st.integers(0, 10_000), max_size=9))
def test_whatever_comes_the_array_is_valid_and_has_only_objects(data: bytes, cuts: list[int]) -> None:
    for stream in (data, b"data: " + data, b"data: {}\n\ndata:" + data + b"\n\ndata: {}"):
        assert all(isinstance(item, dict) for item in orjson.loads(written(stream, cuts)))


def test_each_element_is_written_when_its_event_is_whole() -> None:
    array = ArrayStream()
    spelled = [array.feed(sse(item)) for item in OBJECTS]
    assert spelled[0] == b"[" + orjson.dumps(OBJECTS[0])
    assert spelled[1:] == [b",\r\n" + orjson.dumps(item) for item in OBJECTS[1:]]
    assert array.close() == b"]"


def test_an_element_keeps_the_spelling_of_its_event() -> None:
    array = ArrayStream()
    raw = b'{ "n": 1.50, "big": 123456789012345678901234567890, "half": "\\ud83d" }'
    assert array.feed(b"data: " + raw + b"\r\n\r\n") == b"[" + raw


def test_a_stream_of_nothing_is_an_empty_array() -> None:
    assert ArrayStream().close() == b"[]"
    array = ArrayStream()
    assert array.feed(b"") == b"", "no sign of life, nothing is begun"
    assert orjson.loads(array.feed(KEEP_ALIVE) + array.feed(comment("x")) + array.close()) == []


def test_the_array_is_begun_by_the_first_sign_of_life_and_kept_alive_between_elements() -> None:
    array = ArrayStream()
    beats = [array.feed(KEEP_ALIVE), array.feed(KEEP_ALIVE)]
    beats += [array.feed(sse({"a": 1})), array.feed(KEEP_ALIVE), array.feed(KEEP_ALIVE), array.feed(sse({"b": 2}))]
    assert beats == [b"[\n", b"\n", b'{"a":1}', b"\n", b"\n", b',\r\n{"b":2}']
    assert orjson.loads(b"".join(beats) + array.close()) == [{"a": 1}, {"b": 2}]


def test_a_last_event_without_its_blank_line_counts() -> None:
    array = ArrayStream()
    assert array.feed(b'data: {"a":1}\n\ndata: {"b":2}') + array.close() == b'[{"a":1},\r\n{"b":2}]'


@pytest.mark.parametrize(
    ("data", "meant"),
    [
        (b'data: {"a":\r\ndata: 1}\r\n\r\n', [{"a": 1}]),
        (b'data: [{"error":{"code":429}},{"b":1}]\n\n', [{"error": {"code": 429}}, {"b": 1}]),
        (b"data: []\n\n", []),
        (b'event: message\nid: 7\ndata: {"a":1}\n\n', [{"a": 1}]),
        (b'\xef\xbb\xbfdata: {"a":1}\n\n', [{"a": 1}]),
    ],
)
def test_events_in_other_clothes_are_elements_too(data: bytes, meant: list[Any]) -> None:
    assert orjson.loads(written(data, [])) == meant


@pytest.mark.parametrize("data", [b"[DONE]", b'{"cut', b"7", b'{"a":' + b"[" * 300 + b"]" * 300 + b"}"])
def test_an_event_that_is_no_object_is_told_as_an_error_and_spoils_nothing(data: bytes) -> None:
    first, told, last = orjson.loads(written(b'data: {"a":1}\n\ndata: ' + data + b'\n\ndata: {"b":2}\n\n', []))
    assert (first, last) == ({"a": 1}, {"b": 2})
    assert told["error"]["message"].startswith("unreadable event in the stream: ")


@pytest.mark.parametrize("end", [Finished("stop"), Failed(Fault("overloaded", "busy"))])
def test_what_the_writer_says_is_read_back_from_the_array_as_from_its_events(end: Finished | Failed) -> None:
    codec = CODECS["gemini"]
    writer = codec.stream_writer(ChatRequest("gemini", "m", (say("user", "hi"),), stream=True))
    deltas = (Started("r", "m"), TextDelta(0, "Grüße "), TextDelta(0, "🌍"), end)
    stream = b"".join([writer.write(delta) for delta in deltas]) + writer.close()
    whole = written(stream, [])
    assert len(JsonStream().feed(whole)) == 3

    def heard(data: bytes) -> list[Any]:
        reader = codec.stream_reader()
        return [delta for frame in (*reader.decode(data), *reader.flush()) for delta in frame.deltas]

    assert heard(whole) == heard(stream)
