"""The messages of a call stand on a lane of their own: each at its moment, each request as long as it took."""

from dataclasses import replace

import pytest
from tests.core.timeline.test_fold import one_exchange

from callgate.core.events import FrameCaptured, InvocationChanged, ToolOutput
from callgate.core.timeline.bars import Timeline
from callgate.core.timeline.fold import TimelineFold
from callgate.core.timeline.frames import MOST_MESSAGES, MOST_NOTICES, FrameTrace, frame_words


def message(number: int, role: str, at: float, direction: str = "in", **more: object) -> FrameCaptured:
    more.setdefault("method", "tools/call")
    more.setdefault("rpc_id", "3")
    more.setdefault("asked_at", None if role == "request" else 9.1)
    made = FrameCaptured(
        f"f{number}", "git", direction, role, "", "", 120, "{}", at, None, "inv", "conv", "id", "stdio"
    )  # type: ignore[arg-type]
    return replace(made, transport="stdio", **more)  # type: ignore[arg-type]


PROGRESS = "notifications/progress"
TALK = (
    message(1, "request", 9.1, "out"),
    message(2, "notification", 9.3, method=PROGRESS),
    message(3, "notification", 9.4, method="notifications/message", rpc_id="", asked_at=None, joined="alone"),
    message(4, "request", 9.5, method="elicitation/create", rpc_id="0", joined="alone"),
    message(5, "response", 10.5, "out", method="elicitation/create", rpc_id="0", asked_at=9.5, joined="alone"),
    message(6, "response", 10.9),
)


def folded(*frames: FrameCaptured, until: int = 99) -> Timeline:
    fold = TimelineFold()
    fold.apply_all([*one_exchange()[:until], *frames])
    return fold.timeline()


def test_a_call_has_a_lane_of_its_messages_below_it() -> None:
    timeline = folded(*TALK)
    place, lane = next((place, lane) for place, lane in enumerate(timeline.lanes) if lane.kind == "mcp")
    above = timeline.lanes[place - 1]
    assert (above.kind, above.call_id, above.invocation_id) == ("call", lane.call_id, lane.invocation_id)
    assert (lane.title, lane.about, lane.invocation_id) == ("JSON-RPC", "6 messages · stdio", "inv")
    bars = [(span.kind, span.start, span.end, span.is_bad) for span in timeline.spans if span.lane == place]
    assert bars == [("rpc", 9.1, 10.9, False), ("question", 9.5, 10.5, False)]
    marks = [(mark.kind, mark.at, mark.frame_id) for mark in timeline.marks if mark.lane == place]
    assert marks == [
        ("sent", 9.1, "f1"),
        ("notice", 9.3, "f2"),
        ("notice", 9.4, "f3"),
        ("received", 9.5, "f4"),
        ("sent", 10.5, "f5"),
        ("received", 10.9, "f6"),
    ]
    assert any(span.kind == "mcp" for span in timeline.spans), "a call with messages went to an MCP server"
    assert not any(mark.kind == "progress" for mark in timeline.marks), "progress stands where it came as a message"


def test_without_messages_there_is_no_such_lane_and_progress_stands_on_the_call() -> None:
    timeline = folded()
    assert {lane.kind for lane in timeline.lanes} == {"exchange", "round", "call"}
    assert sum(mark.kind == "progress" for mark in timeline.marks) == 1


def test_what_is_read_and_heard_is_there_once_and_live_and_stored_are_the_same() -> None:
    events = one_exchange()
    running = next(n for n, e in enumerate(events) if isinstance(e, ToolOutput))
    live = TimelineFold()
    live.apply_all([*events[:running], *TALK, *events[running:], *TALK])
    assert live.timeline() == folded(*TALK)


def test_a_request_without_an_answer_lasts_as_long_as_its_call() -> None:
    events = one_exchange()
    running = next(n for n, e in enumerate(events) if isinstance(e, ToolOutput)) + 1
    live = folded(TALK[0], until=running)
    (bar,) = (span for span in live.spans if span.kind == "rpc")
    assert bar.is_live and bar.end == 10
    (bar,) = (span for span in folded(TALK[0]).spans if span.kind == "rpc")
    assert (bar.is_live, bar.is_bad, bar.end) == (False, True, 11)


@pytest.mark.parametrize(("role", "direction", "method"), [("error", "in", ""), ("notification", "out", "cancelled")])
def test_an_error_and_a_cancellation_end_a_request_badly(role: str, direction: str, method: str) -> None:
    end = message(2, role, 9.9, direction, method=f"notifications/{method}" if method else "tools/call")
    timeline = folded(TALK[0], end)
    (bar,) = (span for span in timeline.spans if span.kind == "rpc")
    assert (bar.end, bar.is_bad) == (9.9, True)
    assert [mark.is_bad for mark in timeline.marks if mark.frame_id == "f2"] == [role == "error"]


def test_words_tell_method_id_size_and_time_since_the_request() -> None:
    told = [frame_words(frame) for frame in TALK]
    assert told[0] == "→ tools/call · id 3 · 120 bytes"
    assert told[1] == "← notifications/progress · of 3 · 120 bytes · 200.0 ms after the request"
    assert "the only one that ran" in told[2]
    assert told[5] == "← answer to tools/call · id 3 · 120 bytes · 1,800.0 ms after the request"
    assert "HTTP stream of this call" in frame_words(replace(TALK[2], joined="stream"))
    assert frame_words(message(9, "error", 10.0)).startswith("← error, for tools/call · id 3")
    assert frame_words(message(9, "response", 10.0, method="", rpc_id="")).startswith("← answer · 120")


def test_a_chatty_server_is_bounded_and_its_answer_is_still_there() -> None:
    trace = FrameTrace()
    for number in range(MOST_NOTICES + 50):
        trace.take(message(number, "notification", 9.2, method=PROGRESS))
    trace.take(replace(TALK[5], id="answer"))
    assert (len(trace), trace.left_out, trace.frames[-1].id) == (MOST_NOTICES + 1, 50, "answer")
    for number in range(MOST_MESSAGES + 5):
        trace.take(message(1000 + number, "request", 9.2, "out"))
    assert len(trace) == MOST_NOTICES + MOST_MESSAGES


def test_messages_of_other_calls_are_not_shown() -> None:
    fold = TimelineFold()
    fold.apply_all([replace(TALK[0], invocation_id="other"), *one_exchange(), replace(TALK[0], invocation_id="")])
    assert not any(lane.kind == "mcp" for lane in fold.timeline().lanes)
    assert any(isinstance(event, InvocationChanged) for event in one_exchange())
