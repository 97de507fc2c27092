"""Events are framed by bytes alone, whatever the chunks they come in, and not a byte is lost."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.errors import PeerFault
from callgate.wire import sse as module
from callgate.wire.sse import SseEvent, SseParser, comment, sse

LINES = (
    b"data: a",
    b"data:b",
    b"data",
    b"event: x",
    b": hi",
    b"id: 1",
    b"retry: 5",
    b":",
    b"data: \xe2\x80\xa8\xc3\xa9",
)
ENDS = (b"\n", b"\n\n", b"\r", b"\r\n", b"\r\n\r\n")
PIECES = st.lists(st.sampled_from((*LINES, *ENDS, b"\xef\xbb\xbf", b"\xe2")), max_size=30)


def read(*chunks: bytes) -> list[SseEvent]:
    parser = SseParser()
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return events + parser.flush()


@given(PIECES, st.lists(st.integers(0, 200), max_size=8))
def test_any_chunking_gives_the_same_events_and_keeps_every_byte(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces)
    bounds = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    chunks = [stream[a:b] for a, b in pairwise(bounds)]
    whole = read(stream)
    assert read(*chunks) == whole == read(*(bytes([byte]) for byte in stream))
    assert b"".join(event.raw for event in whole) == stream


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_kind_of_line_end_is_understood(end: bytes) -> None:
    stream = end.join([b"event: e", b"data: 1", b"", b"data: 2", b"", b""])
    assert [(event.event, event.data) for event in read(stream)] == [("e", "1"), ("", "2")]


def test_a_line_end_that_straddles_two_reads_is_one() -> None:
    parser = SseParser()
    assert parser.feed(b"data: a\r") == []
    assert parser.feed(b"\n\r") == []
    assert parser.feed(b"\n") == [SseEvent(b"data: a\r\n\r\n", "", "a")]


def test_an_event_is_told_as_soon_as_its_blank_line_is_there() -> None:
    assert SseParser().feed(b"data: a\n\nda") == [SseEvent(b"data: a\n\n", "", "a")]


def test_unicode_line_separators_are_data() -> None:
    stream = "data: a\u2028b\u2029c\u0085d\x0be\x0cf\n\n".encode()
    assert read(stream)[0].data == "a\u2028b\u2029c\u0085d\x0be\x0cf"


def test_a_character_cut_in_two_is_whole_again() -> None:
    stream = "data: Zürich 😀\n\n".encode()
    assert [event.data for event in read(*(bytes([byte]) for byte in stream))] == ["Zürich 😀"]


def test_a_byte_order_mark_is_skipped_at_the_start_only() -> None:
    events = read(b"\xef\xbb\xbfdata: a\n\ndata: \xef\xbb\xbfb\n\n")
    assert [event.data for event in events] == ["a", "\ufeffb"]
    assert events[0].raw.startswith(b"\xef\xbb\xbf")
    assert read(b"\xef\xbb\xbfdata: a")[0].data == "a"


def test_several_data_lines_are_one_text_and_one_leading_space_is_dropped() -> None:
    assert read(b"data:a\ndata:  b\ndata\ndata: c\n\n")[0].data == "a\n b\n\nc"


def test_comments_blank_lines_and_unknown_fields_carry_nothing() -> None:
    events = read(b": OPENROUTER PROCESSING\n\n\nid: 4\nretry: 3\n\n: c\ndata: x\n\n")
    assert [event.data for event in events] == [None, None, None, "x"]
    assert events[0].raw == b": OPENROUTER PROCESSING\n\n"


def test_an_event_without_its_final_blank_line_still_counts() -> None:
    assert read(b"data: a\n\nevent: e\ndata: b")[1] == SseEvent(b"event: e\ndata: b", "e", "b")


def test_bad_utf_8_is_replaced_not_raised() -> None:
    assert read(b"data: \xff\n\n")[0].data == "\ufffd"


def test_an_endless_event_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EVENT_BYTES", 100)
    with pytest.raises(PeerFault, match="larger than 100"):
        SseParser().feed(b"data: " + b"x" * 100)


def test_a_long_line_in_many_chunks_takes_linear_time() -> None:
    parser = SseParser()
    parser.feed(b"data: ")
    begin = time.perf_counter()
    for _ in range(20_000):
        parser.feed(b"x" * 100)
    assert time.perf_counter() - begin < 2
    assert len(parser.feed(b"\n\n")[0].data or "") == 2_000_000


def test_an_event_is_written_with_its_name_and_a_blank_line() -> None:
    assert sse({"a": "ü"}) == 'data: {"a":"ü"}\n\n'.encode()
    assert sse({"a": 1}, "ping") == b'event: ping\ndata: {"a":1}\n\n'
    assert sse("[DONE]") == b"data: [DONE]\n\n"
    assert sse("a\nb") == b"data: a\ndata: b\n\n"
    assert comment("wait") == b": wait\n\n"


@given(st.text())
def test_what_is_written_is_read_again(text: str) -> None:
    assert read(sse({"t": text}))[0].data is not None


def test_lone_surrogates_are_replaced() -> None:
    assert sse({"a": "\ud83d"}) == 'data: {"a":"\ufffd"}\n\n'.encode()
    assert sse("\ud83d") == "data: \ufffd\n\n".encode()


def test_what_official_packages_stumble_over_is_named() -> None:
    marked, hollow, named, fine = read(b"\xef\xbb\xbfdata: a\n\ndata:\n\nevent: x\ndata: \n\n: hi\n\n")
    assert (marked.data, marked.flaw) == ("a", "the stream began with a byte order mark")
    assert (hollow.data, hollow.flaw) == (None, "an event was empty")
    assert (named.data, named.flaw) == (None, "an event was empty")
    assert fine.flaw == ""
