"""Whole replies, both ways."""

import pytest
from tests.wire.samples_gemini_generate import candidate, reply

from callgate.core.errors import PeerFault
from callgate.core.messages import Json, Message, Refusal, Text, ToolCall, Usage, say
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.gemini_generate.response import read_response, write_response

ASK = ChatRequest("gemini", "gemini-3-pro", (say("user", "hi"),))


def written(*parts: Text | Refusal | ToolCall, finish: str = "stop", detail: str = "") -> dict[str, Json]:
    response = ChatResponse("", "", (Choice(Message("assistant", parts), finish, detail),))  # type: ignore[arg-type]
    return write_response(response, ASK)["candidates"][0]  # type: ignore[index,return-value,call-overload]


def test_what_only_the_provider_understands_comes_back() -> None:
    body = reply(
        candidate({"text": "a"}, finish="STOP", safetyRatings=[{"p": 1}], avgLogprobs=-0.5),
        candidate({"text": "b"}, finish="STOP", index=1),
        createTime="2026-11-16T00:00:00Z",
    )
    assert write_response(read_response(body), ASK) == body


def test_a_foreign_reply_is_told_in_full() -> None:
    response = ChatResponse(
        "msg_1",
        "claude-x",
        (Choice(Message("assistant", (Text("hi"), ToolCall("toolu_1", "f", '{"a":1}'))), "tool_calls"),),
        Usage(3, 2),
        extras={"anthropic": {"container": 1}},
    )
    assert write_response(response, ASK) == {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"text": "hi"}, {"functionCall": {"id": "toolu_1", "name": "f", "args": {"a": 1}}}],
                },
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
        "modelVersion": "claude-x",
        "responseId": "msg_1",
    }


def test_a_reply_without_words_still_has_a_part() -> None:
    assert written() == {
        "content": {"role": "model", "parts": [{"text": ""}]},
        "finishReason": "STOP",
        "index": 0,
    }


def test_half_a_call_is_left_out() -> None:
    body = written(Text("a"), ToolCall("x", "f", '{"a":'), finish="length")
    assert body["content"] == {"role": "model", "parts": [{"text": "a"}]}


@pytest.mark.parametrize(
    ("parts", "finish", "detail", "texts"),
    [
        ([Text("No.")], "refusal", "not allowed", ["No.", "not allowed"]),
        ([Refusal("No.")], "stop", "", ["No."]),
    ],
)
def test_a_refusal_is_said_and_ends_as_one(
    parts: list[Text | Refusal], finish: str, detail: str, texts: list[str]
) -> None:
    body = written(*parts, finish=finish, detail=detail)
    assert [part["text"] for part in body["content"]["parts"]] == texts  # type: ignore[union-attr,index,call-overload]
    assert body["finishReason"] == "SAFETY"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": 500, "message": "no", "status": "INTERNAL"}},
        reply(),
        {},
        reply(candidate({"text": "a"})),
        reply(candidate(finish="MALFORMED_FUNCTION_CALL")),
        reply(candidate({"functionCall": {"args": {}}}, finish="STOP")),
    ],
)
def test_what_is_no_answer_is_the_providers_fault(body: dict[str, Json]) -> None:
    with pytest.raises(PeerFault) as caught:
        read_response(body)
    assert caught.value.fault.kind == "upstream"
