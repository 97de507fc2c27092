"""A trace has what the MCP conventions ask for, and is read by OpenTelemetry's own types."""

from dataclasses import replace

from tests.core.timeline.test_fold import one_exchange
from tests.core.timeline.test_frames import TALK, message
from tests.export.test_open_telemetry import attributes, record, spans, traces

from callgate.core.events import FrameCaptured


def spoken(*frames: FrameCaptured, bodies: bool = True) -> dict[str, object]:
    found = spans(traces(replace(record(one_exchange()), frames=frames), bodies=bodies))
    return {span.name: span for span in found}


def test_the_call_has_the_attributes_and_every_message_is_an_event() -> None:
    found = spoken(*TALK)
    tool = found["execute_tool lookup"]
    about = attributes(tool)
    assert (about["mcp.method.name"], about["jsonrpc.request.id"]) == ("tools/call", "3")
    assert about["network.transport"] == "pipe"
    said = [event for event in tool.events if event.name == "callgate.mcp.message"]
    assert len(said) == len(TALK) and said[0].time_unix_nano == 9_100_000_000
    last = attributes(said[-1])
    assert last["callgate.mcp.direction"] == "received" and last["callgate.mcp.after_ms"] == 1800.0
    assert last["callgate.mcp.body"] == "{}" and last["callgate.mcp.size"] == 120
    bare = spoken(*TALK, bodies=False)["execute_tool lookup"]
    assert not any("callgate.mcp.body" in attributes(event) for event in bare.events)


def test_the_servers_question_is_a_span_below_the_call() -> None:
    found = spoken(*TALK)
    tool, asked = found["execute_tool lookup"], found["elicitation/create"]
    assert asked.parent_span_id == tool.span_id and asked.kind == 2
    assert asked.end_time_unix_nano - asked.start_time_unix_nano == 1_000_000_000
    assert "tools/call lookup" not in found, "one request is told by the span of the call itself"


def test_several_rounds_of_one_call_are_spans_of_their_own_and_an_error_is_one() -> None:
    again = message(7, "request", 10.0, "out", rpc_id="4")
    refused = message(8, "error", 10.5, rpc_id="4", asked_at=10.0)
    written = traces(replace(record(one_exchange()), frames=(TALK[0], message(2, "response", 9.9), again, refused)))
    rounds = [span for span in spans(written) if span.name == "tools/call lookup"]
    assert [attributes(span)["jsonrpc.request.id"] for span in rounds] == ["3", "4"]
    assert [attributes(span).get("error.type") for span in rounds] == [None, "jsonrpc_error"]
    assert [span.kind for span in rounds] == [3, 3] and rounds[1].status.code == 2
    alone = spoken(message(4, "request", 9.5, method="sampling/createMessage", rpc_id="0"))["sampling/createMessage"]
    assert attributes(alone)["error.type"] == "no_answer"
