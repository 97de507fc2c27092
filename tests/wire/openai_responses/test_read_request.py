"""Reading a client's body: what it becomes, and what is refused with which words."""

from typing import Any

import pytest
from tests.wire.samples_openai_responses import AGENTS, PATCH, REQUESTS, WEATHER

from callgate.core.errors import BadRequest
from callgate.core.messages import Opaque, Text
from callgate.core.request import GateOptions, ReplyFormat, Thinking, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.openai_responses.read_request import read_request
from callgate.wire.openai_responses.write_request import write_request


def body(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "m", "input": list(items), **more}


def complaint(request: dict[str, Any]) -> tuple[str, str | None, str | None]:
    with pytest.raises(BadRequest) as caught:
        read_request(request)
    fault = caught.value.fault
    return fault.message, fault.param, fault.code


CALL: dict[str, Any] = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
RESULT: dict[str, Any] = {"type": "function_call_output", "call_id": "c1", "output": "ok"}


@pytest.mark.parametrize("sample", REQUESTS)
def test_a_request_written_again_is_the_same(sample: dict[str, Any]) -> None:
    written = write_request(read_request(sample), PLAIN)
    assert written.body == sample
    assert written.warnings == ()


def test_nulls_and_unknown_fields_survive() -> None:
    request = body(
        {"role": "user", "content": "x", "id": None},
        {**CALL, "status": None, "novel": 1},
        {**RESULT, "id": None},
        temperature=None,
        instructions=None,
        stream=False,
        tools=[{**WEATHER, "description": None, "novel": {"a": 1}}],
        reasoning={"effort": None, "mode": "pro"},
        novel=[1, 2],
    )
    assert write_request(read_request(request), PLAIN).body == request


def test_instructions_are_the_first_system_message() -> None:
    request = read_request({"model": "m", "input": "Hi", "instructions": "Be brief."})
    assert [(message.role, message.text) for message in request.messages] == [("system", "Be brief."), ("user", "Hi")]


def test_knobs_are_read_into_the_neutral_form() -> None:
    request = read_request(
        body(
            max_output_tokens=9,
            temperature=0.5,
            top_p=0.9,
            parallel_tool_calls=False,
            store=False,
            reasoning={"effort": "high", "summary": "auto"},
            text={"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": True}},
            previous_response_id="resp_1",
        )
    )
    assert (request.sampling.max_tokens, request.sampling.temperature, request.sampling.top_p) == (9, 0.5, 0.9)
    assert (request.parallel_calls, request.store, request.previous_id) == (False, False, "resp_1")
    assert request.thinking == Thinking("high", summary="auto")
    assert request.reply_format == ReplyFormat("json_schema", "n", {"type": "object"}, True)


def test_gate_fields_are_read_and_never_passed_on() -> None:
    request = read_request(body(use_vscode_tools=True, tool_execution="auto", max_tool_rounds=0))
    assert request.gate == GateOptions(True, "auto", 0)
    assert write_request(request, PLAIN).body == body()
    assert complaint(body(use_tools="yes"))[1] == "use_tools"


def test_additional_tools_are_tools_and_their_item_stays() -> None:
    item = {"type": "additional_tools", "role": "developer", "tools": [AGENTS, PATCH, {"type": "web_search"}]}
    request = read_request(body(item, {"role": "user", "content": "x"}))
    assert [(tool.namespace, tool.name) for tool in request.tools if isinstance(tool, ToolSpec)] == [
        ("multi_agent_v1", "spawn"),
        ("multi_agent_v1", "wait"),
        ("", "apply_patch"),
    ]
    assert any(isinstance(tool, HostedTool) for tool in request.tools)
    assert write_request(request, PLAIN).body == body(item, {"role": "user", "content": "x"})


def test_a_reference_stays_in_its_place() -> None:
    request = read_request(REQUESTS[6])
    assert [part.value for part in request.messages[1].parts if isinstance(part, Opaque)] == [
        {"type": "item_reference", "id": "rs_1"},
        {"type": "item_reference", "id": "fc_1"},
    ]


def test_a_model_or_stream_from_outside_wins() -> None:
    request = read_request({"model": "a", "input": "x", "stream": True}, model="b", stream=False)
    assert (request.model, request.stream) == ("b", False)


@pytest.mark.parametrize(
    ("request_body", "expected"),
    [
        ({"input": "x"}, ("Missing required parameter: 'model'.", "model", "missing_required_parameter")),
        ({"model": "m"}, ("Missing required parameter: 'input'.", "input", "missing_required_parameter")),
        (
            body(tools=[{"type": "function", "function": {"name": "f"}}]),
            ("Missing required parameter: 'tools[0].name'.", "tools[0].name", "missing_required_parameter"),
        ),
        (body(RESULT), ("No tool call found for function call output with call_id c1.", "input", None)),
        (body(CALL), ("No tool output found for function call c1.", "input", None)),
        (body(CALL, RESULT, RESULT), ("Duplicate function_call_output for call_id c1.", "input", None)),
        (
            body({"type": "function_call_output", "output": "x"}),
            ("Missing required parameter: 'input[0].call_id'.", "input[0].call_id", "missing_required_parameter"),
        ),
        (
            body({"role": "tool", "content": "x"}),
            (
                "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
                "input[0].role",
                "invalid_value",
            ),
        ),
    ],
)
def test_a_broken_request_is_refused_by_name(request_body: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert complaint(request_body) == expected


@pytest.mark.parametrize(
    ("request_body", "param"),
    [
        ({"model": "m", "input": 5}, "input"),
        (body({"role": "user", "content": [{"text": "x"}]}), "input[0].content[0].type"),
        (body({"role": "user"}), "input[0].content"),
        (body("x"), "input[0]"),  # type: ignore[arg-type]
        (body(tools=[{**WEATHER, "name": "not a name"}]), "tools[0].name"),
        (body(tools=[{**WEATHER, "parameters": {"type": "strin"}}]), "tools[0].parameters"),
        (body(tools=[{"name": "f"}]), "tools[0].type"),
        (body(tool_choice="sometimes"), "tool_choice"),
        (body(tool_choice={"type": "function"}), "tool_choice.name"),
        (body(max_output_tokens=0), "max_output_tokens"),
        (body(temperature="hot"), "temperature"),
        (body(text={"format": {"type": "json_schema", "name": "n"}}), "text.format.schema"),
    ],
)
def test_the_complaint_names_the_field(request_body: dict[str, Any], param: str) -> None:
    assert complaint(request_body)[1] == param


@pytest.mark.parametrize("more", [{"previous_response_id": "resp_1"}, {"conversation": "conv_1"}])
def test_a_result_may_answer_a_call_that_is_kept_elsewhere(more: dict[str, Any]) -> None:
    assert read_request(body(RESULT, **more)).messages[0].results[0].call_id == "c1"


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"type": "any"}, ToolChoice("required")),
        ({"type": "auto"}, ToolChoice("auto")),
        ({"type": "tool"}, ToolChoice("required")),
        ({"type": "custom", "name": "p"}, ToolChoice("required", ("p",))),
    ],
)
def test_lenient_choices_are_understood(choice: dict[str, Any], expected: ToolChoice) -> None:
    assert read_request(body(tool_choice=choice)).tool_choice == expected


def test_text_input_is_one_user_message() -> None:
    assert read_request({"model": "m", "input": "Hi"}).messages[0].parts == (Text("Hi"),)
