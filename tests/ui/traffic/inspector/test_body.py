"""Any bytes can be looked at; what they are is said."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.traffic import translated_wire

from callgate.ui.traffic.inspector.body import QUICK, STRUCTURED, event_value, read_body
from callgate.ui.traffic.inspector.captured import Capture, captures


def body_of(data: bytes):
    return read_body(Capture("client_response", 0, ((1.0, data),)))


def test_json_has_structure() -> None:
    body = body_of(b'{"a": [1]}')
    assert body.is_structured and body.value == {"a": [1]} and not body.is_stream


def test_a_stream_is_a_list_of_what_its_events_carry() -> None:
    body = read_body(captures(translated_wire())["upstream_response", 1])
    assert body.is_stream and isinstance(body.value, list)
    assert body.value[0]["type"] == "message_start" and body.value[2] == ": keep-alive"  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "empty"), (b"  ", "empty"), (b"<html>", "no JSON"), (b"\xff\x00", "no JSON"), (b'{"a":', "no JSON")],
)
def test_what_has_no_structure_says_why(data: bytes, words: str) -> None:
    body = body_of(data)
    assert not body.is_structured and words in body.problem and body.data == data


def test_a_body_beyond_measure_is_not_taken_apart() -> None:
    body = body_of(orjson.dumps(["x" * STRUCTURED]))
    assert not body.is_structured and "too large" in body.problem


@given(st.binary(max_size=400))
def test_no_bytes_break_it(data: bytes) -> None:
    assert body_of(data).data == data
    stream = body_of(b"data: " + data + b"\n\n")
    assert all(event_value(event) is not None or event.data == "null" for event in stream.events)


def large(inner: bytes) -> bytes:
    return b'{"pad": "' + b"x" * QUICK + b'", "inner": ' + inner + b"}"


@given(st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text(), st.lists, max_leaves=8))
def test_large_bodies_are_read_as_small_ones_are(value: object) -> None:
    inner = json.dumps(value).encode()
    assert body_of(large(inner)).value["inner"] == body_of(b'{"inner": ' + inner + b"}").value["inner"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("inner", "words"),
    [(b"NaN", "no JSON"), (b"{", "no JSON"), (b"\xff", "no JSON"), (b"[" * 5000 + b"]" * 5000, "nested too deeply")],
)
def test_large_bodies_that_are_broken_say_so_too(inner: bytes, words: str) -> None:
    body = body_of(large(inner))
    assert not body.is_structured and words in body.problem
