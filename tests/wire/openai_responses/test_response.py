"""Whole replies, both ways."""

from typing import Any

import pytest
from tests.wire.samples_openai_responses import (
    CUT,
    CUT_MORE,
    PARALLEL,
    REQUESTS,
    TEXT,
    THOUGHT,
    envelope,
    function_call,
)

from callgate.core.errors import PeerFault
from callgate.core.messages import Message, Reasoning, Text, ToolCall, Usage
from callgate.core.request import ChatResponse, Choice
from callgate.wire.openai_responses.read_request import read_request
from callgate.wire.openai_responses.response import read_response, write_response

ASKED = read_request(REQUESTS[1])


def test_a_call_makes_the_ending_a_call() -> None:
    response = read_response(envelope(PARALLEL))
    assert response.choices[0].finish == "tool_calls"
    assert [call.id for call in response.choices[0].message.calls] == ["call_1", "call_2"]
    assert response.usage == Usage(20, 12, 5, 0, 4)


def test_incomplete_has_its_reason() -> None:
    assert read_response(envelope(CUT, "incomplete", **CUT_MORE)).choices[0].finish == "length"
    filtered = envelope(CUT, "incomplete", incomplete_details={"reason": "content_filter"})
    assert read_response(filtered).choices[0].finish == "content_filter"


@pytest.mark.parametrize(
    "body",
    [
        envelope([], "failed", error={"code": "server_error", "message": "broke"}),
        {"error": {"message": "broke", "code": None}},
        envelope([], "cancelled"),
        {"object": "list", "data": []},
        envelope([{"type": "function_call"}]),
    ],
)
def test_an_error_in_the_clothes_of_a_success_is_a_peers_fault(body: dict[str, Any]) -> None:
    with pytest.raises(PeerFault):
        read_response(body)


def test_what_only_another_wire_says_of_a_reply_is_not_said_here() -> None:
    message = Message("assistant", (Text("Hi"),))
    foreign = ChatResponse("msg_1", "m", (Choice(message, "stop"),), extras={"anthropic": {"container": None}})
    assert "anthropic" not in write_response(foreign, ASKED)
    own = read_response(envelope(TEXT, service_tier="flex"))
    assert write_response(own, ASKED)["service_tier"] == "flex"


def test_calls_are_mended() -> None:
    twice = [function_call(1, "f", ""), function_call(1, "g", "{}"), {**function_call(2, "h", "{}"), "call_id": None}]
    calls = read_response(envelope(twice)).choices[0].message.calls
    assert len({call.id for call in calls}) == 3
    assert calls[0].arguments == "{}"


def test_a_response_comes_back_with_its_own_items() -> None:
    body = write_response(read_response(envelope(THOUGHT, novel={"a": 1})), ASKED)
    assert body["output"] == THOUGHT
    assert (body["id"], body["novel"], body["service_tier"]) == ("resp_68af", {"a": 1}, "default")
    assert body["instructions"] == "Be brief."
    assert body["metadata"] == {"purpose": "test"}


def test_a_foreign_reply_is_given_ids_that_never_change() -> None:
    parts = (
        Reasoning("Hm", "EqQB", wire="anthropic"),
        Text("Hi", {"citations": []}),
        ToolCall("toolu_1", "f", "{}", extras={"cache_control": None}),
    )
    reply = ChatResponse("msg_01", "claude", (Choice(Message("assistant", parts), "tool_calls"),), created=5)
    body: dict[str, Any] = write_response(reply, ASKED)
    assert body == write_response(reply, ASKED)
    assert body["id"].startswith("resp_")
    assert body["usage"] is None
    thought, message, call = body["output"]
    assert "encrypted_content" not in thought
    assert message["content"] == [{"type": "output_text", "annotations": [], "logprobs": [], "text": "Hi"}]
    assert call == {
        "id": call["id"],
        "type": "function_call",
        "status": "completed",
        "call_id": "toolu_1",
        "name": "f",
        "arguments": "{}",
    }


def test_a_cut_reply_is_incomplete() -> None:
    body: dict[str, Any] = write_response(read_response(envelope(CUT, "incomplete", **CUT_MORE)), ASKED)
    assert (body["status"], body["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    assert body["output"] == CUT


def test_a_reply_of_words_is_completed() -> None:
    assert write_response(read_response(envelope(TEXT)), ASKED)["status"] == "completed"
