"""Requests for a provider of this wire."""

from dataclasses import replace

import pytest
from tests.wire.samples_gemini_generate import PLAIN, REQUESTS, TOOL_LOOP, call, model, user

from callgate.core.messages import Image, Json, Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN as DIALECT
from callgate.wire.gemini_generate.read_request import read_request
from callgate.wire.gemini_generate.signatures import SKIP
from callgate.wire.gemini_generate.traits import ModelTraits
from callgate.wire.gemini_generate.write_request import write_request

ASK = ChatRequest("openai-chat", "gemini-2.5-flash", (say("user", "hi"),))


def body(request: ChatRequest, traits: ModelTraits | None = None) -> dict[str, Json]:
    return write_request(request, DIALECT, traits).body


@pytest.mark.parametrize("given", REQUESTS)
def test_a_request_of_the_same_wire_comes_back_as_it_was(given: dict[str, Json]) -> None:
    written = write_request(read_request(given, "gemini-3-pro"), DIALECT)
    assert written.body == given
    assert written.warnings == ()


def test_the_path_says_model_and_stream_so_the_body_does_not() -> None:
    assert body(replace(ASK, stream=True)) == {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}


def test_chunks_that_a_client_kept_are_joined_and_names_brought_to_one_spelling() -> None:
    given: dict[str, Json] = {
        "contents": [
            {"parts": [{"text": "q"}]},
            model({"text": "a"}),
            model({"text": ""}),
            model({"function_call": {"name": "f"}, "thought_signature": "c2ln"}),
            user({"function_response": {"id": "f-17", "name": "f", "response": {"result": 1}}}),
        ],
        "tools": [{"function_declarations": [{"name": "f"}]}, {"functionDeclarations": [{"name": "g"}]}],
        "generation_config": {"max_output_tokens": 5},
    }
    assert body(read_request(given, "gemini-3-pro")) == {
        "contents": [
            user({"text": "q"}),
            model({"text": "a"}, {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}),
            user({"functionResponse": {"name": "f", "response": {"result": 1}}}),
        ],
        "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
        "generationConfig": {"maxOutputTokens": 5},
    }


def test_ids_are_taken_away_from_models_that_refuse_them() -> None:
    written = str(body(read_request(TOOL_LOOP, "gemini-2.5-pro")))
    assert "'id':" not in written
    assert "'id':" in str(body(read_request(TOOL_LOOP, "gemini-3-pro")))


def test_a_signature_that_the_client_lost_is_replaced_for_models_that_demand_one() -> None:
    given: dict[str, Json] = {
        "contents": [
            user({"text": "q"}),
            model(call("f", {}, "a")),
            user({"functionResponse": {"id": "a", "name": "f", "response": {}}}),
        ]
    }
    assert SKIP in str(body(read_request(given, "gemini-3-pro")))
    assert SKIP not in str(body(read_request(given, "gemini-2.5-pro")))


def test_all_leading_instructions_are_kept() -> None:
    messages = (say("system", "a"), say("developer", "b"), say("user", "hi"), say("system", "c"))
    assert body(replace(ASK, messages=messages)) == {
        "systemInstruction": {"parts": [{"text": "a"}, {"text": "b"}]},
        "contents": [{"role": "user", "parts": [{"text": "hi"}, {"text": "c"}]}],
    }


def test_instructions_alone_are_said_as_the_users() -> None:
    written = write_request(replace(ASK, messages=(say("system", "a"),)), DIALECT)
    assert written.body == {"contents": [{"role": "user", "parts": [{"text": "a"}]}]}
    assert written.warnings


def test_a_history_that_the_assistant_begins_gets_a_user_content_first() -> None:
    written = write_request(replace(ASK, messages=(say("assistant", "hello"),)), DIALECT)
    contents = written.body["contents"]
    assert [content["role"] for content in contents] == ["user", "model"]  # type: ignore[union-attr,index,call-overload]
    assert written.warnings


def test_there_is_always_a_content() -> None:
    assert body(replace(ASK, messages=(say("user", ""),)))["contents"] == [{"role": "user", "parts": [{"text": ""}]}]


def test_foreign_extras_are_left_behind() -> None:
    written = write_request(replace(ASK, extras={"logprobs": True, "user": "u"}), DIALECT)
    assert set(written.body) == {"contents"}


def test_a_whole_foreign_request_is_translated() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}}}
    request = replace(
        ASK,
        model="gemini-3-pro",
        messages=(
            say("system", "Be brief."),
            say("user", "q"),
            Message("assistant", (Text("Let me look."), ToolCall("call_1", "get_weather", '{"city":"Rome"}'))),
            Message("tool", (ToolResult("call_1", (Text("no"),), is_error=True),)),
        ),
        tools=(ToolSpec("get_weather", "Weather.", schema, strict=True),),
        tool_choice=ToolChoice("required", ("get_weather",)),
        sampling=Sampling(max_tokens=100, n=2),
        thinking=Thinking("high"),
    )
    assert body(request) == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            user({"text": "q"}),
            model(
                {"text": "Let me look."},
                {
                    "functionCall": {"id": "call_1", "name": "get_weather", "args": {"city": "Rome"}},
                    "thoughtSignature": SKIP,
                },
            ),
            user({"functionResponse": {"id": "call_1", "name": "get_weather", "response": {"error": "no"}}}),
        ],
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "get_weather", "description": "Weather.", "parametersJsonSchema": schema}
                ]
            }
        ],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}},
        "generationConfig": {
            "maxOutputTokens": 100,
            "candidateCount": 2,
            "thinkingConfig": {"thinkingLevel": "HIGH", "includeThoughts": True},
        },
    }


def test_the_flag_for_servers_of_old_is_obeyed() -> None:
    request = replace(ASK, tools=(ToolSpec("f", schema={"properties": {"a": {"type": "string"}}}),))
    written = body(request, ModelTraits(json_schema=False))
    assert "parametersJsonSchema" not in str(written)
    assert "'type': 'STRING'" in str(written)


def test_a_plain_request_of_the_same_wire_needs_nothing_else() -> None:
    assert body(read_request(PLAIN, "m")) == PLAIN


def test_pictures_in_instructions_are_shown_to_the_model() -> None:
    picture = Message("developer", (Text("like this:"), Image("image/png", "AAAA")))
    written = body(replace(ASK, messages=(say("system", "Draw."), picture, say("user", "a cat"))))
    assert written["systemInstruction"] == {"parts": [{"text": "Draw."}]}
    assert written["contents"] == [
        user({"text": "like this:"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}, {"text": "a cat"})
    ]
