"""Bytes outside of events are told apart: those that mean nothing, and those that a server has said instead."""

import pytest

from callgate.wire.sse_noise import SseNoise


@pytest.mark.parametrize(
    "raw", [b"\n", b"\r\n\r\n", b": comment\n\n", b"id: 1\nretry: 5\n\n", b"event: x\n\n", b"  \n\n"]
)
def test_what_means_nothing_needs_no_repair(raw: bytes) -> None:
    stray = SseNoise()
    assert stray.take(raw) == ()
    assert not stray.said


def test_words_are_kept_until_there_is_an_event() -> None:
    stray = SseNoise()
    assert stray.take(b"Internal \n\n") == ("a line was no event",)
    assert stray.take(b"Server Error") == ("a line was no event",)
    assert bytes(stray.said) == b"Internal \n\nServer Error"
    stray.forget()
    assert not stray.said
