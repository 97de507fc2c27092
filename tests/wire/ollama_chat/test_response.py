"""Whole answers that the samples do not have."""

from typing import Any

import pytest
from ollama import ChatResponse as Official

from callgate.core.errors import Fault, PeerFault
from callgate.core.messages import Message, Refusal, Text, ToolCall, say
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.ollama_chat.response import read_response, write_failure, write_response

ASK = ChatRequest("ollama", "m", (say("user", "hi"),))


def answer(*parts: Any, finish: Any = "stop", detail: str = "") -> ChatResponse:
    return ChatResponse("", "", (Choice(Message("assistant", parts), finish, detail),))


def test_an_answer_without_usage_still_has_every_number_that_programs_divide_by() -> None:
    read = Official(**write_response(answer(Text("Hi")), ASK))
    assert (read.model, read.message.content, read.done, read.eval_count) == ("m", "Hi", True, 0)
    assert read.eval_duration and read.prompt_eval_duration


def test_a_call_that_was_cut_off_is_left_out() -> None:
    calls = (ToolCall("1", "f", '{"a": 1}'), ToolCall("2", "f", '{"a'))
    told: Any = write_response(answer(*calls, finish="length"), ASK)
    assert [call["id"] for call in told["message"]["tool_calls"]] == ["1"]
    assert told["done_reason"] == "length"


def test_a_refusal_is_no_ordinary_end() -> None:
    assert write_response(answer(Refusal("No.")), ASK)["done_reason"] == "content_filter"
    told: Any = write_response(answer(finish="refusal", detail="Not allowed."), ASK)
    assert told["message"]["content"] == "Not allowed."


@pytest.mark.parametrize(
    "body", [{"error": "no"}, {"message": {"role": "assistant", "content": "half"}, "done": False}, {}]
)
def test_a_failure_returned_with_status_200_is_one(body: dict[str, Any]) -> None:
    with pytest.raises(PeerFault):
        read_response(body)


def test_a_failure_after_the_status_is_in_the_answer_itself() -> None:
    told: Any = write_failure(Fault("timeout", "too slow"), answer(Text("So")), ASK)
    assert told["message"]["content"].startswith("So\n\nCallgate: ")
    assert (told["error"], told["status_code"], told["done_reason"]) == ("too slow", 504, "content_filter")
