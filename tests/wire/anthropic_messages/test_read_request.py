"""Clients' requests."""

import pytest
from tests.wire.samples_anthropic_messages import CLAUDE_CODE, FORMATTED, PLAIN, THREAD, TOOL_LOOP

from callgate.core.errors import BadRequest
from callgate.core.messages import Json, Message, Text, ToolCall, ToolResult
from callgate.core.request import GateOptions, ReplyFormat, Thinking, ToolChoice
from callgate.wire.anthropic_messages.read_request import read_request


def _refused(body: dict[str, Json]) -> tuple[str, str | None]:
    with pytest.raises(BadRequest) as caught:
        read_request(body)
    return caught.value.fault.message, caught.value.fault.param


def test_a_plain_request_is_read() -> None:
    request = read_request(PLAIN)
    assert request.model == "claude-sonnet-4-5"
    assert request.messages == (Message("user", (Text("Hello, wörld 🌍"),)),)
    assert request.sampling.max_tokens == 1024
    assert not request.stream
    assert request.extras == {}


def test_results_become_tool_messages_and_the_rest_a_user_message() -> None:
    request = read_request(TOOL_LOOP)
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    results = [result for message in request.messages for result in message.results]
    assert [(result.call_id, result.is_error) for result in results] == [("toolu_01A", False), ("toolu_01B", True)]
    assert request.messages[-1].text == "And tomorrow?"
    assert (request.tool_choice, request.parallel_calls) == (ToolChoice("auto"), False)
    assert request.thinking == Thinking(budget=2048)
    assert request.stream


def test_what_claude_code_sends_is_read_and_nothing_of_it_is_lost() -> None:
    request = read_request(CLAUDE_CODE)
    roles = [message.role for message in request.messages]
    assert roles == ["system", "user", "system", "assistant", "tool"]
    assert request.messages[3].parts == (ToolCall("toolu_02", "Bash", '{"command":"ls"}'),)
    assert request.thinking == Thinking("high")
    kept = ("thinking", "output_config", "context_management", "metadata", "safeguards")
    assert set(request.extras) == set(kept)


def test_a_thread_names_the_reply_that_it_goes_on_from() -> None:
    request = read_request(THREAD)
    assert request.previous_id == "msg_01"
    assert request.extras["thread"] == THREAD["thread"]
    assert request.messages == (Message("tool", (ToolResult("toolu_9", (Text("42"),)),)),)
    created = read_request({**PLAIN, "thread": {"type": "create"}})
    assert created.previous_id == ""
    assert created.extras["thread"] == {"type": "create"}


def test_a_demanded_format_is_read_under_both_its_names() -> None:
    read = read_request(FORMATTED).reply_format
    assert isinstance(read, ReplyFormat)
    assert read.kind == "json_schema"
    beta = read_request({**PLAIN, "output_format": FORMATTED["output_config"]["format"]})  # type: ignore[index,call-overload]
    assert beta.reply_format == read


def test_gate_fields_are_for_us_and_not_for_the_provider() -> None:
    request = read_request({**PLAIN, "use_vscode_tools": True, "tool_execution": "auto", "max_tool_rounds": 3})
    assert request.gate == GateOptions(use_tools=True, execution="auto", max_rounds=3)
    assert request.extras == {}
    assert _refused({**PLAIN, "tool_execution": "now"})[1] == "tool_execution"


def test_the_caller_may_say_model_and_stream() -> None:
    body = {key: value for key, value in PLAIN.items() if key != "model"}
    request = read_request(body, "claude-x", True)
    assert (request.model, request.stream) == ("claude-x", True)


def test_unknown_fields_of_a_message_are_kept() -> None:
    result: Json = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}], "turn": 1}
    call: Json = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
    request = read_request({**PLAIN, "messages": [call, result]})
    assert request.messages[1].extras == {"turn": 1}


@pytest.mark.parametrize("missing", ["model", "max_tokens", "messages"])
def test_a_missing_field_is_named(missing: str) -> None:
    body = {key: value for key, value in PLAIN.items() if key != missing}
    assert _refused(body) == (f"{missing}: Field required", missing)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"max_tokens": "many"}, "max_tokens"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"messages": []}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages.0.role"),
        ({"messages": [{"content": "x"}]}, "messages.0.role"),
        ({"messages": [{"role": "user"}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": [{"text": "x"}]}]}, "messages.0.content.0.type"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages.0.content.0.text"),
        ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, "messages.0.content.0.source"),
        (
            {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}]},
            "messages.0.content.0.id",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}]},
            "messages.0.content.0.tool_use_id",
        ),
        ({"system": [{"type": "image", "source": {"type": "url", "url": "https://e.org"}}]}, "system.0"),
        ({"stop_sequences": [1]}, "stop_sequences.0"),
        ({"temperature": "warm"}, "temperature"),
        ({"stream": "yes"}, "stream"),
        ({"thread": {"type": "fork"}}, "thread.type"),
        ({"thread": {"type": "continue"}}, "thread.previous_message_id"),
        ({"thinking": {"type": "enabled", "budget_tokens": "x"}}, "thinking.budget_tokens"),
        ({"output_config": {"format": {"type": "json_schema"}}}, "output_config.format.schema"),
    ],
)
def test_a_bad_field_is_refused_with_its_path_in_front(change: dict[str, Json], param: str) -> None:
    message, named = _refused({**PLAIN, **change})
    assert named == param
    assert message.startswith(f"{param}: ")


def test_a_call_without_result_and_a_result_without_call_are_refused() -> None:
    call: Json = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
    assert "`tool_use` ids were found without" in _refused({**PLAIN, "messages": [call]})[0]
    orphan: Json = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}
    assert "unexpected `tool_use_id`" in _refused({**PLAIN, "messages": [orphan]})[0]
