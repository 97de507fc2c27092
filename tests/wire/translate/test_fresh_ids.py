from callgate.core.deltas import ArgumentsDelta, CallStarted, TextDelta
from callgate.core.messages import Message, Text, ToolCall, ToolResult
from callgate.wire.codec import Frame
from callgate.wire.translate.fresh_ids import REPAIR, ids_in, with_fresh_ids

HISTORY = (
    Message("user", (Text("Hi"),)),
    Message("assistant", (Text("I look."), ToolCall("call_0", "look", "{}"), ToolCall("", "look", "{}"))),
    Message("tool", (ToolResult("call_0", (Text("seen"),)),)),
)


def test_ids_of_earlier_calls_are_known() -> None:
    assert ids_in(HISTORY) == {"call_0"}


def test_an_id_that_was_used_before_is_replaced_and_the_frame_is_not_relayed() -> None:
    frame = Frame(b"x", (TextDelta(0, "a"), CallStarted(1, "call_0", "look"), ArgumentsDelta(1, "{}")))
    fresh = with_fresh_ids(frame, ids_in(HISTORY))
    _, started, arguments = fresh.deltas
    assert isinstance(started, CallStarted) and started.id not in ("", "call_0") and started.name == "look"
    assert arguments == ArgumentsDelta(1, "{}")
    assert fresh.repairs == (REPAIR,)


def test_new_ids_and_calls_of_one_wire_only_stay_as_they_are() -> None:
    new = Frame(b"x", (CallStarted(0, "call_1", "look"),))
    own = Frame(b"x", (CallStarted(0, "call_0", "shell", "built_in"),))
    assert with_fresh_ids(new, ids_in(HISTORY)) is new
    assert with_fresh_ids(own, ids_in(HISTORY)) is own
