"""What began before anyone knew that it was a call waits, and is then told where it began."""

from callgate.core.deltas import CallEnded, CallStarted, TextDelta
from callgate.wire.codec import Frame
from callgate.wire.openai_responses.stream_reader import WaitingFrames

TEXT = Frame(b"text", (TextDelta(0, "a"),))
STARTED, ENDED = CallStarted(1, "c", "robot", "built_in"), CallEnded(1, "{}")


def test_a_frame_with_nothing_open_goes_on_at_once() -> None:
    assert WaitingFrames().take(TEXT, ()) == [TEXT]


def test_what_turns_out_to_be_no_call_goes_on_as_it_came() -> None:
    waiting = WaitingFrames()
    begun, ended = Frame(b"begun"), Frame(b"ended")
    assert waiting.take(begun, {3}) == waiting.take(TEXT, {3}) == []
    assert waiting.take(ended, ()) == [begun, TEXT, ended]
    assert waiting.take(TEXT, ()) == [TEXT]


def test_a_call_is_told_where_it_began() -> None:
    waiting = WaitingFrames()
    waiting.take(Frame(b"begun"), {3})
    waiting.take(TEXT, {3})
    given = waiting.take(Frame(b"ended", (STARTED, ENDED)), ())
    assert given == [Frame(b"begun", (STARTED,)), TEXT, Frame(b"ended", (ENDED,))]


def test_two_that_are_open_at_once_wait_for_each_other() -> None:
    waiting = WaitingFrames()
    other = CallStarted(2, "d", "robot", "built_in")
    assert waiting.take(Frame(b"1"), {1}) == waiting.take(Frame(b"2"), {1, 2}) == []
    assert waiting.take(Frame(b"1 ended", (STARTED, ENDED)), {2}) == []
    assert waiting.take(Frame(b"2 ended", (other,)), ()) == [
        Frame(b"1", (STARTED,)),
        Frame(b"2", (other,)),
        Frame(b"1 ended", (ENDED,)),
        Frame(b"2 ended"),
    ]


def test_what_never_ends_can_be_taken_away() -> None:
    waiting = WaitingFrames()
    waiting.take(TEXT, {1})
    assert waiting.rest() == [TEXT]
    assert waiting.rest() == []
