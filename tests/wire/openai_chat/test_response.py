"""Whole answers, both ways."""

import pytest
from openai.types.chat import ChatCompletion
from tests.wire.samples_openai_chat import RESPONSES, call, reply

from callgate.core.errors import PeerFault
from callgate.core.messages import Json, Message, Reasoning, Refusal, Text, ToolCall, Usage
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.openai_chat.response import read_response, write_response

REQUEST = ChatRequest("openai-chat", "m", ())
LEGACY = ChatRequest("openai-chat", "m", (), legacy_functions=True)


def answer(*parts: Text | Refusal | Reasoning | ToolCall, finish: str = "stop", detail: str = "") -> ChatResponse:
    return ChatResponse("msg_1", "claude", (Choice(Message("assistant", parts), finish, detail),), Usage(1, 2))  # type: ignore[arg-type]


def message_of(body: dict[str, Json]) -> dict[str, Json]:
    return body["choices"][0]["message"]  # type: ignore[index,call-overload,return-value]


def finish_of(body: dict[str, Json]) -> Json:
    return body["choices"][0]["finish_reason"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize("body", RESPONSES)
def test_what_a_server_said_is_given_back_with_all_its_keys(body: dict[str, Json]) -> None:
    written = write_response(read_response(body), REQUEST)
    assert _is_within(body, written)


def _is_within(given: object, written: object) -> bool:
    if isinstance(given, dict) and isinstance(written, dict):
        return all(key in written and _is_within(value, written[key]) for key, value in given.items())
    if isinstance(given, list) and isinstance(written, list):
        return len(given) == len(written) and all(map(_is_within, given, written))
    return given == written


@pytest.mark.parametrize("body", RESPONSES)
def test_the_official_sdk_can_read_what_is_written(body: dict[str, Json]) -> None:
    written = write_response(read_response(body), REQUEST)
    assert ChatCompletion.model_validate(written).choices[0].message.role == "assistant"


def test_extras_of_another_wire_are_not_taken_for_our_own() -> None:
    response = ChatResponse("msg_1", "m", (Choice(Message("assistant"), "stop"),), extras={"container": {"id": "c"}})
    assert "container" not in write_response(response, REQUEST)


def test_an_answer_of_another_wire_is_spelled_here() -> None:
    parts = (Reasoning("hm", "sig", wire="anthropic"), Text("a"), ToolCall("toolu_1", "f", "{}"), Text("b"))
    body = write_response(answer(*parts, finish="tool_calls"), REQUEST)
    assert message_of(body) == {
        "role": "assistant",
        "content": "ab",
        "refusal": None,
        "reasoning_content": "hm",
        "tool_calls": [call("toolu_1", "f", "{}")],
    }
    assert finish_of(body) == "tool_calls"
    assert body["usage"] == {
        "prompt_tokens": 1,
        "completion_tokens": 2,
        "total_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def test_a_refusal_is_explained() -> None:
    body = write_response(answer(finish="refusal", detail="not allowed"), REQUEST)
    assert (message_of(body)["refusal"], message_of(body)["content"]) == ("not allowed", None)
    assert finish_of(body) == "content_filter"


def test_a_client_of_the_old_style_is_answered_in_it_with_one_call() -> None:
    body = write_response(answer(ToolCall("1", "f", "{}"), ToolCall("2", "g", "{}"), finish="tool_calls"), LEGACY)
    assert message_of(body)["function_call"] == {"name": "f", "arguments": "{}"}
    assert "tool_calls" not in message_of(body)
    assert finish_of(body) == "function_call"


def test_missing_and_double_ids_are_minted() -> None:
    calls: list[Json] = [call("same", "f", "{}"), call("same", "f", "{}"), call("", "g", "{}")]
    ids = [found.id for found in read_response(reply({"content": None, "tool_calls": calls})).choices[0].message.calls]
    assert ids[0] == "same"
    assert len(set(ids)) == 3


def test_calls_after_which_a_server_says_stop_are_still_calls() -> None:
    body = reply({"content": None, "tool_calls": [call("1", "f", "")]}, "stop")
    choice = read_response(body).choices[0]
    assert (choice.finish, choice.message.calls[0].arguments) == ("tool_calls", "{}")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "no credits", "code": 402}}, "no credits"),
        ({"object": "error", "message": "bad", "code": 400}, "bad"),
        ({"choices": []}, "no choices"),
        ({}, "no choices"),
        (reply({"content": "a"}, "error"), "finish_reason 'error'"),
    ],
)
def test_an_error_in_the_clothes_of_a_success_is_an_error(body: dict[str, Json], message: str) -> None:
    with pytest.raises(PeerFault, match=message):
        read_response(body)


def test_an_answer_without_id_model_and_time_gets_them() -> None:
    body = write_response(ChatResponse("", "", (Choice(Message("assistant", (Text("a"),)), "stop"),)), REQUEST)
    assert str(body["id"]).startswith("chatcmpl-")
    assert body["model"] == "m"
    assert isinstance(body["created"], int)
    assert body["created"] > 0


CALLING: dict[str, Json] = {"role": "assistant", "content": None, "tool_calls": [call("1", "f", "{}")]}


def test_a_whole_answer_that_says_its_call_twice_is_mended_and_says_so() -> None:
    body = reply({**CALLING}, "tool_calls")
    message_of(body)["function_call"] = {"name": "f", "arguments": "{}"}
    read = read_response(body)
    assert read.repairs == ("a call was repeated in the old style",)
    assert len(read.choices[0].message.calls) == 1
    assert "function_call" not in message_of(write_response(read, REQUEST))
    assert read_response(reply({**CALLING}, "tool_calls")).repairs == ()
