"""Whole replies."""

import pytest
from tests.wire.samples_anthropic_messages import CODEC, PARALLEL_CALLS, PLAIN, RESPONSES, reply

from callgate.core.errors import PeerFault
from callgate.core.messages import (
    FinishReason,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from callgate.core.request import ChatResponse, Choice
from callgate.wire.anthropic_messages.response import read_response, write_response

REQUEST = CODEC.read_request(PLAIN)


def _written(*parts: Part, finish: FinishReason = "stop", detail: str = "") -> dict[str, Json]:
    message = Message("assistant", parts)
    return write_response(ChatResponse("chatcmpl-1", "gpt", (Choice(message, finish, detail),)), REQUEST)


@pytest.mark.parametrize("body", RESPONSES)
def test_a_reply_of_this_wire_comes_back_as_it_was(body: dict[str, Json]) -> None:
    assert write_response(read_response(body), REQUEST) == body


def test_a_reply_is_read_part_by_part() -> None:
    response = read_response(reply(*PARALLEL_CALLS, {"type": "text", "text": ""}, stop_reason="tool_use"))
    (choice,) = response.choices
    assert choice.finish == "tool_calls"
    assert choice.message.parts == (
        Reasoning("Two cities – both.", "EqQBCgIYAh==", wire="anthropic"),
        Text("Ich schaue nach… 🌦"),
        ToolCall("toolu_01A", "get_weather", '{"city":"Zürich"}'),
        ToolCall("toolu_01B", "get_time", "{}"),
    )
    assert response.usage == Usage(input=125, output=42, cached=100, cache_written=5)


def test_a_hosted_call_is_no_call() -> None:
    hosted: dict[str, Json] = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    (choice,) = read_response(reply(hosted)).choices
    assert choice.message.calls == ()
    assert choice.message.parts == (Opaque("anthropic", hosted),)
    assert choice.finish == "stop"


def test_repeated_and_missing_ids_are_made_anew() -> None:
    call: dict[str, Json] = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    nameless: dict[str, Json] = {"type": "tool_use", "name": "f", "input": {}}
    (choice,) = read_response(reply(call, call, nameless, stop_reason="tool_use")).choices
    ids = [part.id for part in choice.message.calls]
    assert ids[0] == "a"
    assert len(set(ids)) == 3
    assert all(ids)


def test_an_unknown_stop_reason_comes_back() -> None:
    body = reply({"type": "text", "text": "x"}, stop_reason="compaction")
    assert read_response(body).choices[0].finish == "stop"
    assert write_response(read_response(body), REQUEST)["stop_reason"] == "compaction"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "x"}}, "overloaded"),
        ({"error": {"message": "x", "code": 429}}, "rate_limit"),
        ({"id": "msg_1", "content": "?", "usage": 3}, "upstream"),
        ({"id": "msg_1"}, "upstream"),
    ],
)
def test_an_error_in_the_clothes_of_a_success_is_the_peers_fault(body: dict[str, Json], kind: str) -> None:
    with pytest.raises(PeerFault) as caught:
        read_response(body)
    assert caught.value.fault.kind == kind


def test_a_foreign_reply_gets_an_id_of_this_wire_and_keeps_its_call_ids() -> None:
    body = _written(Text("a"), ToolCall("call_1", "f", '{"x":1}'), finish="tool_calls")
    assert str(body["id"]).startswith("msg_")
    assert body["content"] == [
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "call_1", "name": "f", "input": {"x": 1}},
    ]
    assert body["stop_reason"] == "tool_use"
    assert body["usage"] == {"input_tokens": 0, "output_tokens": 0}


def test_a_call_that_was_cut_off_is_left_out() -> None:
    body = _written(Text("a"), ToolCall("call_1", "f", '{"x":'), finish="length")
    assert body["content"] == [{"type": "text", "text": "a"}]
    assert body["stop_reason"] == "max_tokens"


def test_a_broken_call_that_was_not_cut_off_is_shown() -> None:
    body = _written(ToolCall("call_1", "f", "oops"), finish="tool_calls")
    assert body["content"][0]["input"] == {"_raw_arguments": "oops"}  # type: ignore[index,call-overload]


def test_a_refusal_is_text_with_its_own_reason() -> None:
    body = _written(Refusal("I won't."))
    assert body["content"] == [{"type": "text", "text": "I won't."}]
    assert body["stop_reason"] == "refusal"


def test_foreign_proofs_are_not_shown_and_envelopes_are() -> None:
    body = _written(
        Reasoning("a", "Ao", wire="gemini"),
        Reasoning("b", "cg1.x", wire="gemini"),
        Reasoning(signature="zz", redacted=True, wire="gemini"),
    )
    assert body["content"] == [
        {"type": "thinking", "thinking": "a", "signature": ""},
        {"type": "thinking", "thinking": "b", "signature": "cg1.x"},
    ]


def test_what_the_wire_cannot_carry_is_said_in_words_or_left_out() -> None:
    body = _written(Image("image/png", "iVBO"), Opaque("gemini", {}), ToolResult("x"), Text("", {"a": 1}))
    assert body["content"] == [{"type": "text", "text": "[image image/png cannot be shown here]"}]


def test_free_text_for_a_custom_tool_becomes_an_object() -> None:
    body = _written(ToolCall("c", "patch", "*** Begin", variant="custom"), finish="tool_calls")
    assert body["content"][0]["input"] == {"input": "*** Begin"}  # type: ignore[index,call-overload]
