"""What a server of the client's own wire lacks is done for it."""

from dataclasses import replace

import pytest

from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted
from callgate.core.messages import Json, Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate
from callgate.wire.translate.own_wire import own_wire

PATCH: dict[WireName, dict[str, Json]] = {
    "openai-chat": {
        "model": "m",
        "messages": [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "patch", "input": "old"}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "done"},
        ],
        "tools": [{"type": "custom", "custom": {"name": "patch", "x": 1}}],
    },
    "openai-responses": {
        "model": "m",
        "input": [
            {"role": "user", "content": "q"},
            {"type": "custom_tool_call", "id": "ctc_1", "call_id": "a", "name": "patch", "input": "old"},
            {"type": "custom_tool_call_output", "call_id": "a", "output": "done"},
        ],
        "tools": [{"type": "custom", "name": "patch", "x": 1}],
    },
}
CALLS = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]


@pytest.mark.parametrize("wire", PATCH)
def test_a_server_without_free_form_tools_gets_functions_and_its_calls_come_back_as_text(wire: WireName) -> None:
    found = translate(CODECS[wire].read_request(PATCH[wire]), wire, "m", DIALECTS["vllm"])
    body = CODECS[wire].write_request(found.request, DIALECTS["vllm"]).body
    (tool,) = body["tools"]  # type: ignore[misc]
    assert tool["type"] == "function"  # type: ignore[index,call-overload]
    assert "custom" not in str(body)
    assert found.changes.any
    restorer = found.restorer()
    deltas = [CallStarted(0, "b", "patch"), ArgumentsDelta(0, '{"input":"new"}'), CallEnded(0, '{"input":"new"}')]
    back = [out for delta in deltas for out in restorer.restore(delta)]
    assert back == [
        CallStarted(0, "b", "patch", "custom"),
        ArgumentsDelta(0, "new"),
        CallEnded(0, "new"),
    ]


def test_history_of_free_form_calls_is_wrapped_even_where_the_tool_is_gone() -> None:
    turn = Message("assistant", (ToolCall("a", "patch", "old", "custom"),))
    result = Message("tool", (ToolResult("a", (Text("done"),), variant="custom"),))
    request = ChatRequest("openai-chat", "m", (say("user", "q"), turn, result))
    lowered, changes = own_wire(request, DIALECTS["ollama"], switch=False)
    assert lowered.messages[1].calls == (ToolCall("a", "patch", '{"input":"old"}'),)
    assert lowered.messages[2].results[0].variant == "function"
    assert own_wire(request, PLAIN, switch=True)[0] is request
    assert changes.any


def test_a_server_that_cannot_be_kept_from_several_calls_has_all_but_the_first_left_out() -> None:
    request = ChatRequest("openai-chat", "m", (say("user", "q"),), (ToolSpec("f"),), parallel_calls=False)
    lowered, changes = own_wire(request, DIALECTS["ollama"], switch=False)
    assert lowered == replace(request, parallel_calls=None)
    restorer = changes.restorer()
    assert [out for call in CALLS for out in restorer.restore(call)] == CALLS[:1]
    assert not own_wire(request, DIALECTS["openai"], switch=True)[1].any


def test_the_old_functions_have_room_for_one_call_on_their_own_wire_too() -> None:
    request = ChatRequest("openai-chat", "m", (say("user", "q"),), (ToolSpec("f"),), legacy_functions=True)
    assert own_wire(request, PLAIN, switch=True)[0] == replace(request, parallel_calls=False)
    assert own_wire(request, DIALECTS["ollama"], switch=False)[1].first_call_only
