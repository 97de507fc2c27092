"""The top of a request body."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import GateOptions, ReplyFormat, Thinking
from callgate.wire.dialects import PLAIN
from callgate.wire.openai_chat.read_request import read_request
from callgate.wire.openai_chat.write_request import write_request

BODY: dict[str, Json] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def test_the_least_that_a_request_can_say() -> None:
    request = read_request(BODY)
    assert (request.wire, request.model, request.stream, request.include_usage) == ("openai-chat", "m", False, False)
    assert request.extras == {}
    assert request.gate == GateOptions()


def test_knobs_are_read_and_unknown_fields_kept() -> None:
    request = read_request(
        {**BODY, "temperature": 0, "max_tokens": 5, "stop": "END", "top_k": 3, "reasoning_effort": "low", "user": "u"}
    )
    sampling = request.sampling
    assert (sampling.temperature, sampling.max_tokens, sampling.stop, sampling.top_k) == (0, 5, ("END",), 3)
    assert request.thinking == Thinking("low")
    assert request.extras["user"] == "u"


def test_null_is_absent() -> None:
    absent: dict[str, Json] = {
        "temperature": None,
        "tools": None,
        "stream": None,
        "stop": None,
        "response_format": None,
    }
    request = read_request({**BODY, **absent})
    assert write_request(request, PLAIN).body == BODY


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_the_limit_keeps_its_spelling(field: str) -> None:
    assert write_request(read_request({**BODY, field: 5}), PLAIN).body == {**BODY, field: 5}


def test_the_newer_limit_wins() -> None:
    assert read_request({**BODY, "max_tokens": 5, "max_completion_tokens": 6}).sampling.max_tokens == 6


@pytest.mark.parametrize(
    ("field", "value", "param"),
    [
        ("model", 5, "model"),
        ("model", None, "model"),
        ("model", "", "model"),
        ("temperature", "hot", "temperature"),
        ("temperature", True, "temperature"),
        ("top_p", "1", "top_p"),
        ("n", 0, "n"),
        ("n", "2", "n"),
        ("n", 1.5, "n"),
        ("max_tokens", "many", "max_tokens"),
        ("max_completion_tokens", 1.5, "max_completion_tokens"),
        ("seed", "x", "seed"),
        ("stop", 5, "stop"),
        ("stop", ["a", 5], "stop[1]"),
        ("presence_penalty", "x", "presence_penalty"),
        ("frequency_penalty", [], "frequency_penalty"),
        ("stream", "yes", "stream"),
        ("stream_options", True, "stream_options"),
        ("stream_options", {"include_usage": 1}, "stream_options.include_usage"),
        ("store", "no", "store"),
        ("tools", {}, "tools"),
        ("functions", {}, "functions"),
        ("parallel_tool_calls", "no", "parallel_tool_calls"),
        ("reasoning_effort", 5, "reasoning_effort"),
        ("response_format", "json", "response_format"),
        ("response_format", {}, "response_format.type"),
        ("response_format", {"type": "json_schema"}, "response_format.json_schema"),
        ("response_format", {"type": "json_schema", "json_schema": {}}, "response_format.json_schema.name"),
        (
            "response_format",
            {"type": "json_schema", "json_schema": {"name": "a", "schema": []}},
            "response_format.json_schema.schema",
        ),
        ("max_tool_rounds", -1, "max_tool_rounds"),
        ("tool_execution", "always", "tool_execution"),
        ("use_vscode_tools", "yes", "use_vscode_tools"),
        ("tool_choice", "required", "tool_choice"),
        ("parallel_tool_calls", True, "parallel_tool_calls"),
    ],
)
def test_a_bad_field_is_refused_by_name(field: str, value: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_request({**BODY, field: value})
    assert caught.value.fault.param == param
    assert caught.value.fault.http_status == 400


def test_with_tools_of_the_catalog_a_choice_needs_none_of_its_own() -> None:
    named: dict[str, Json] = {"type": "function", "function": {"name": "read_file"}}
    request = read_request({**BODY, "use_tools": True, "tool_choice": named, "parallel_tool_calls": False})
    assert request.tool_choice is not None
    assert request.gate.use_tools is True


def test_old_functions_are_remembered_as_such() -> None:
    assert read_request({**BODY, "functions": [{"name": "f"}], "function_call": "auto"}).legacy_functions
    assert not read_request({**BODY, "function_call": None}).legacy_functions


def test_shapes_of_answers_are_read_and_foreign_ones_kept_word_for_word() -> None:
    assert read_request({**BODY, "response_format": {"type": "json_object"}}).reply_format == ReplyFormat("json_object")
    for foreign in (
        {"type": "json_object", "schema": {"type": "object"}},  # llama.cpp
        {"type": "grammar", "grammar": "root"},
        {"type": "json_schema", "json_schema": {"name": "a", "schema": {}, "novel": 1}},
    ):
        body: dict[str, Json] = {**BODY, "response_format": foreign}
        assert write_request(read_request(body), PLAIN).body == body


def test_a_body_that_is_no_object_is_refused() -> None:
    with pytest.raises(BadRequest):
        read_request([])  # type: ignore[arg-type]
