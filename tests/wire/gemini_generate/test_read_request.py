"""Requests of clients."""

import pytest
from tests.wire.samples_gemini_generate import PLAIN, TOOL_LOOP

from callgate.core.errors import BadRequest
from callgate.core.messages import Json, Text
from callgate.core.request import ReplyFormat, Sampling, Thinking, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.gemini_generate.read_request import read_request


def test_model_and_stream_come_from_the_path() -> None:
    request = read_request(PLAIN, "gemini-3-pro", True)
    assert (request.wire, request.model, request.stream) == ("gemini", "gemini-3-pro", True)
    assert read_request(PLAIN, "m").stream is False
    with pytest.raises(BadRequest) as caught:
        read_request(PLAIN)
    assert caught.value.fault.param == "model"


def test_everything_of_a_full_request_is_read() -> None:
    request = read_request(TOOL_LOOP, "gemini-3-pro")
    assert request.messages[0].parts == (Text("Be brief."), Text("Be kind."))
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [type(tool) for tool in request.tools] == [ToolSpec, ToolSpec, ToolSpec, HostedTool]
    assert request.tool_choice == ToolChoice("auto")
    assert request.sampling == Sampling(4096, 0.5, 0.9, 40, ("END",), 7, 1, 0.1, 0.2)
    assert request.thinking == Thinking("low", summary="auto")
    assert {"safetySettings", "cachedContent", "labels"} <= set(request.extras)


def test_snake_case_means_the_same() -> None:
    request = read_request(
        {
            "contents": [
                {"role": "user", "parts": [{"text": "q"}]},
                {"role": "model", "parts": [{"function_call": {"name": "f"}, "thought_signature": "c2ln"}]},
                {"role": "user", "parts": [{"function_response": {"name": "f", "response": {}}}]},
            ],
            "system_instruction": {"parts": {"text": "Be a cat."}},
            "tools": [{"function_declarations": [{"name": "f", "parameters_json_schema": {"type": "object"}}]}],
            "tool_config": {"function_calling_config": {"mode": "any", "allowed_function_names": ["f"]}},
            "generation_config": {
                "max_output_tokens": 5,
                "top_p": 0.5,
                "stop_sequences": ["x"],
                "thinking_config": {"thinking_budget": 100},
                "response_mime_type": "application/json",
                "response_json_schema": {"type": "OBJECT"},
            },
        },
        "m",
    )
    assert request.messages[0].text == "Be a cat."
    assert request.messages[2].calls[0].signature == "c2ln"
    assert request.messages[3].results[0].call_id == request.messages[2].calls[0].id
    assert request.tools == (
        ToolSpec("f", schema={"type": "object"}, extras={"parametersJsonSchema": {"type": "object"}}),
    )
    assert request.tool_choice == ToolChoice("required", ("f",))
    assert request.sampling == Sampling(max_tokens=5, top_p=0.5, stop=("x",))
    assert request.thinking == Thinking(budget=100)
    assert request.reply_format == ReplyFormat("json_schema", schema={"type": "object"})


def test_an_instruction_may_be_a_bare_text_or_nothing() -> None:
    assert read_request({**PLAIN, "systemInstruction": "Be a cat."}, "m").messages[0].text == "Be a cat."
    for nothing in (None, "", {"parts": []}, {}):
        assert read_request({**PLAIN, "systemInstruction": nothing}, "m").messages[0].role == "user"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "contents"),
        ({"contents": None}, "contents"),
        ({"contents": "hi"}, "contents"),
        ({"contents": {"parts": []}}, "contents"),
        ({**PLAIN, "systemInstruction": 1}, "systemInstruction"),
        (
            {**PLAIN, "systemInstruction": {"parts": [{"inlineData": {"data": ""}}]}},
            "systemInstruction.parts[0]",
        ),
        ({**PLAIN, "tools": {}}, "tools"),
        ({**PLAIN, "toolConfig": []}, "toolConfig"),
        ({**PLAIN, "generationConfig": "x"}, "generationConfig"),
        ({**PLAIN, "max_tool_rounds": "3"}, "max_tool_rounds"),
        ({**PLAIN, "generation_config": {}, "generationConfig": {}}, "generationConfig"),
    ],
)
def test_what_breaks_the_rules_is_refused_by_name(body: dict[str, Json], param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_request(body, "m")
    assert caught.value.fault.param == param


def test_a_model_that_the_body_names_too_is_nothing_of_its_own() -> None:
    request = read_request({**PLAIN, "model": "models/gemini-3-pro"}, "gemini-3-pro")
    assert (request.model, "model" in request.extras) == ("gemini-3-pro", False)


def test_sections_in_snake_case_are_kept_in_camel_case() -> None:
    request = read_request(
        {
            **PLAIN,
            "tool_config": {"function_calling_config": {"mode": "ANY", "allowed_function_names": ["f"], "x_y": 1}},
            "generation_config": {
                "response_modalities": ["TEXT"],
                "thinking_config": {"thinking_level": "low", "include_thoughts": True},
            },
        },
        "gemini-3-pro",
    )
    assert request.extras == {
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"], "x_y": 1}},
        "generationConfig": {
            "responseModalities": ["TEXT"],
            "thinkingConfig": {"thinkingLevel": "low", "includeThoughts": True},
        },
    }
