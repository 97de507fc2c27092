"""Asking a provider on behalf of any client."""

from dataclasses import replace
from typing import Any

import pytest
from tests.wire.samples_openai_responses import REQUESTS

from callgate.core.errors import Unspeakable
from callgate.core.messages import Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, GateOptions, ReplyFormat, Sampling, Thinking, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.openai_responses.read_request import read_request
from callgate.wire.openai_responses.write_request import write_request

CHAT = ChatRequest("openai-chat", "gpt-5.5", (say("system", "Be brief."), say("user", "Hi")))
TOOLS = (ToolSpec("a", schema={"type": "object"}), ToolSpec("b", variant="custom"))


def body_of(request: ChatRequest, dialect: Dialect = PLAIN) -> dict[str, Any]:
    return write_request(request, dialect).body


def test_a_translated_request_is_not_stored_and_asks_for_its_reasoning() -> None:
    body = body_of(CHAT)
    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])
    assert body["input"] == [
        {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "Be brief."}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
    ]
    assert "stream" not in body


def test_a_native_request_says_no_more_than_the_client_did() -> None:
    assert body_of(read_request({"model": "m", "input": "Hi"})) == {"model": "m", "input": "Hi"}


def test_a_system_prompt_kept_apart_becomes_instructions() -> None:
    body = body_of(
        replace(CHAT, wire="anthropic", messages=(say("system", "A"), say("system", "B"), say("user", "Hi")))
    )
    assert body["instructions"] == "A\n\nB"
    assert [item["role"] for item in body["input"]] == ["user"]


def test_foreign_extras_and_gate_fields_are_not_passed_on() -> None:
    request = replace(CHAT, extras={"user": "u"}, gate=GateOptions(use_tools=True, execution="auto", max_rounds=3))
    assert set(body_of(request)) == {"model", "input", "store", "include"}


def test_what_cannot_be_said_is_warned_of() -> None:
    request = replace(
        CHAT,
        sampling=Sampling(stop=("END",), seed=0, presence_penalty=0.1, frequency_penalty=0.2, top_k=3),
    )
    warnings = write_request(request, PLAIN).warnings
    for name in ("stop", "seed", "presence_penalty", "frequency_penalty", "top_k"):
        assert any(f"'{name}'" in warning for warning in warnings), name


def test_another_wires_reference_to_earlier_answers_is_not_passed_on() -> None:
    assert "previous_response_id" not in body_of(replace(CHAT, wire="anthropic", previous_id="msg_01"))


def test_several_answers_are_refused() -> None:
    with pytest.raises(Unspeakable) as caught:
        write_request(replace(CHAT, sampling=Sampling(n=2)), PLAIN)
    assert caught.value.fault.param == "n"


def test_tools_choice_and_switch_come_together_or_not_at_all() -> None:
    choice = ToolChoice("required", ("b",))
    body = body_of(replace(CHAT, tools=TOOLS, tool_choice=choice, parallel_calls=False))
    assert body["tool_choice"] == {"type": "custom", "name": "b"}
    assert body["parallel_tool_calls"] is False
    assert [tool.get("strict") for tool in body["tools"]] == [False, None]
    bare = body_of(replace(CHAT, tool_choice=ToolChoice("auto"), parallel_calls=False))
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(bare)


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        (Thinking("high", summary="auto"), {"effort": "high", "summary": "auto"}),
        (Thinking(budget=0), {"effort": "none"}),
        (Thinking(budget=2000), {"effort": "low"}),
        (Thinking(budget=10_000), {"effort": "medium"}),
        (Thinking(budget=64_000), {"effort": "high"}),
    ],
)
def test_a_budget_of_thinking_becomes_an_effort(thinking: Thinking, expected: dict[str, str]) -> None:
    assert body_of(replace(CHAT, thinking=thinking))["reasoning"] == expected


def test_a_demanded_shape_is_named() -> None:
    body = body_of(replace(CHAT, reply_format=ReplyFormat("json_schema", schema={"type": "object"}, strict=True)))
    assert body["text"] == {
        "format": {"type": "json_schema", "name": "answer", "schema": {"type": "object"}, "strict": False}
    }


def test_a_shape_without_a_schema_is_any_object() -> None:
    body = body_of(replace(CHAT, reply_format=ReplyFormat("json_schema", "n")))
    assert body["text"] == {"format": {"type": "json_object"}}


def test_a_server_without_choices_is_offered_only_what_was_chosen() -> None:
    request = replace(CHAT, tools=TOOLS, tool_choice=ToolChoice("required", ("a",)), parallel_calls=True)
    ollama = body_of(request, DIALECTS["ollama"])
    assert [tool["name"] for tool in ollama["tools"]] == ["a"]
    assert not {"tool_choice", "parallel_tool_calls"} & set(ollama)
    llama = body_of(request, DIALECTS["llama.cpp"])
    assert (llama["tool_choice"], [tool["name"] for tool in llama["tools"]]) == ("required", ["a"])
    vllm = replace(request, tool_choice=ToolChoice("auto", ("a", "b")))
    assert body_of(vllm, DIALECTS["vllm"])["tool_choice"] == "auto"
    none = replace(request, tool_choice=ToolChoice("none"))
    assert "tools" not in body_of(none, DIALECTS["ollama"])


def test_a_server_without_developers_gets_a_system_message() -> None:
    body = body_of(replace(CHAT, messages=(say("developer", "D"),)), DIALECTS["vllm"])
    assert body["input"][0]["role"] == "system"


def test_a_turn_added_to_a_native_request_fits_in() -> None:
    request = read_request(REQUESTS[0])
    more = (
        Message("assistant", (Text("Hm"), ToolCall("call_h", "f", "{}", item_id="fc_h"))),
        Message("tool", (ToolResult("call_h", (Text("denied"),)),)),
    )
    body = body_of(replace(request, messages=request.messages + more))
    assert body["input"] == [
        {"role": "user", "content": "Hello"},
        {"type": "message", "role": "assistant", "content": "Hm"},
        {"type": "function_call", "call_id": "call_h", "name": "f", "arguments": "{}", "id": "fc_h"},
        {"type": "function_call_output", "call_id": "call_h", "output": "denied"},
    ]


def test_a_tool_that_was_blocked_leaves_the_item_that_offered_it() -> None:
    request = read_request(REQUESTS[4])
    left = tuple(tool for tool in request.tools if not (isinstance(tool, ToolSpec) and tool.name == "apply_patch"))
    item = body_of(replace(request, tools=left))["input"][0]
    assert [tool["name"] for tool in item["tools"]] == ["multi_agent_v1"]


def test_stream_options_go_only_with_a_stream() -> None:
    request = read_request(
        {"model": "m", "input": "x", "stream": True, "stream_options": {"include_obfuscation": False}}
    )
    assert "stream_options" in body_of(request)
    assert "stream_options" not in body_of(replace(request, stream=False))


@pytest.mark.parametrize(("given", "said"), [(1, None), (1.0, None), (0.5, 0.5), (0, 0)])
def test_a_temperature_that_is_the_usual_one_is_not_said_to_models_that_refuse_any(
    given: float, said: float | None
) -> None:
    request = ChatRequest("anthropic", "gpt-5.5", (say("user", "hi"),), sampling=Sampling(temperature=given))
    assert write_request(request, PLAIN).body.get("temperature") == said
    own = replace(request, wire="openai-responses")
    assert write_request(own, PLAIN).body["temperature"] == given, "a client of this wire is given its own words"


def test_a_request_without_any_words_is_still_a_request() -> None:
    silent = replace(CHAT, messages=(say("user", ""),))
    assert body_of(silent)["input"] == [{"type": "message", "role": "user", "content": ""}]


def test_a_limit_that_is_too_low_to_be_taken_is_raised_and_said() -> None:
    probe = replace(CHAT, sampling=Sampling(max_tokens=1))
    written = write_request(probe, PLAIN)
    assert written.body["max_output_tokens"] == 16
    assert [warning for warning in written.warnings if warning.startswith("max_output_tokens")]
    native = read_request({"model": "m", "input": "Hi", "max_output_tokens": 1})
    assert body_of(native)["max_output_tokens"] == 1


def test_a_penalty_of_nothing_is_not_missed() -> None:
    assert write_request(replace(CHAT, sampling=Sampling(presence_penalty=0)), PLAIN).warnings == ()
