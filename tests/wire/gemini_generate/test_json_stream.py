"""Objects of a JSON array, cut out of bytes."""

from itertools import pairwise

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.errors import PeerFault
from callgate.wire.gemini_generate import json_stream
from callgate.wire.gemini_generate.json_stream import JsonStream

OBJECTS = [{"a": 'b"}]{\\'}, {"c": [{"d": {}}], "é": "🌦"}, {}]
BYTES = b"[" + b"\n,\r\n".join(orjson.dumps(item) for item in OBJECTS) + b"\n]\n"


@given(st.lists(st.integers(0, len(BYTES)), max_size=20).map(sorted))
def test_any_chunking_gives_the_same_pieces(cuts: list[int]) -> None:
    stream = JsonStream()
    pieces = [piece for a, b in pairwise([0, *cuts, len(BYTES)]) for piece in stream.feed(BYTES[a:b])]
    assert [orjson.loads(piece[piece.find(b"{") :]) for piece in pieces] == OBJECTS
    assert b"".join(pieces) + stream.flush() == BYTES


def test_an_object_that_is_cut_off_is_left_over() -> None:
    stream = JsonStream()
    assert stream.feed(b'[{"a":1},{"b"') == [b'[{"a":1}']
    assert stream.flush() == b',{"b"'


def test_an_object_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_EVENT_BYTES", 10)
    with pytest.raises(PeerFault):
        JsonStream().feed(b'{"a":"' + b"x" * 20)
