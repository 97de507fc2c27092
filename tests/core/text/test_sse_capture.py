"""Events are found however the bytes were cut, and nothing of the stream is lost."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from callgate.core.text.sse_capture import (
    SseEvent,
    looks_like_lines,
    looks_like_sse,
    looks_like_stream,
    sse_events,
    stream_events,
)

STREAM = (
    b'event: one\ndata: {"a": 1}\n\n: keep-alive\n\nid: 7\r\ndata: two\r\ndata: lines\r\n\r\ndata: \xf0\x9f\x98\x80\n\n'
)


def found(data: bytes) -> list[tuple[str, str, str]]:
    return [(event.event, event.data, event.comment) for event in sse_events([(1.0, data)])]


def test_all_fields_and_line_ends_are_read() -> None:
    assert found(STREAM) == [("one", '{"a": 1}', ""), ("", "", "keep-alive"), ("", "two\nlines", ""), ("", "😀", "")]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_any_cutting_gives_the_same_events(places: list[int]) -> None:
    edges = [0, *sorted(places), len(STREAM)]
    pieces = [(float(n), STREAM[a:b]) for n, (a, b) in enumerate(pairwise(edges))]
    assert [(e.event, e.data, e.comment, e.id, e.whole, e.size) for e in sse_events(pieces)] == [
        (e.event, e.data, e.comment, e.id, e.whole, e.size) for e in sse_events([(0.0, STREAM)])
    ]


def test_an_event_has_the_time_of_its_last_byte() -> None:
    events = sse_events([(1.0, b"data: a\n\ndata: b"), (2.0, b"\n\n")])
    assert [event.at for event in events] == [1.0, 2.0]


def test_a_stream_that_breaks_off_shows_what_came() -> None:
    (event,) = sse_events([(1.0, b'data: {"half')])
    assert event == SseEvent(1.0, '{"half', whole=False, size=12)


def test_bytes_that_are_no_text_do_not_stop_the_reading() -> None:
    assert found(b"data: \xff\xfe\n\ndata: ok\n\n") == [("", "\ufffd\ufffd", ""), ("", "ok", "")]


def test_a_field_that_nobody_knows_is_shown() -> None:
    assert found(b"nonsense: 1\n\n") == [("", "", "nonsense: 1")]


LINES = b'{"a":1,"b":{"c":2}}\n{"a":2}\r\n\n{"a":3}'


@given(st.lists(st.integers(0, len(LINES)), max_size=12))
def test_lines_are_events_however_they_are_cut(places: list[int]) -> None:
    edges = [0, *sorted(places), len(LINES)]
    events = stream_events([(float(n), LINES[a:b]) for n, (a, b) in enumerate(pairwise(edges))])
    assert [(event.data, event.whole) for event in events] == [
        ('{"a":1,"b":{"c":2}}', True),
        ('{"a":2}', True),
        ('{"a":3}', False),
    ]


def test_one_object_is_no_stream_of_lines_however_it_is_laid_out() -> None:
    events = b"data: {}\n\ndata: {}\n\n"
    for whole in (b'{"a":1}\n', b'{\n"a": [{\n},\n{\n}]\n}\n', b'{"a":"}\\n{"}', b"[{}]", b"", events):
        assert not looks_like_lines(whole)
    assert looks_like_stream(b'{"a":1}\n{"a":2}\n') and looks_like_stream(b"data: {}\n\n")


def test_streams_are_told_from_whole_bodies() -> None:
    assert looks_like_sse(b"data: {}") and looks_like_sse(b": ping\n\n") and looks_like_sse(b"\nevent: x")
    assert not looks_like_sse(b'{"data": 1}') and not looks_like_sse(b"") and not looks_like_sse(b"\x00\x01")
