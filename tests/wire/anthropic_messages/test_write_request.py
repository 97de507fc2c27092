"""Requests for a provider of this wire."""

from dataclasses import replace

import pytest
from tests.wire.samples_anthropic_messages import CLAUDE_CODE, REQUESTS, THREAD, TOOL_LOOP

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json, Message, Reasoning, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.anthropic_messages.read_request import read_request
from callgate.wire.anthropic_messages.traits import ModelTraits
from callgate.wire.anthropic_messages.write_request import write_request
from callgate.wire.dialects import PLAIN

ASK = ChatRequest("openai-chat", "claude-sonnet-4-5", (say("user", "hi"),))
LOOP = (
    say("user", "q"),
    Message("assistant", (ToolCall("a", "f", "{}"),)),
    Message("tool", (ToolResult("a", (Text("1"),)),)),
)


def _body(request: ChatRequest, traits: ModelTraits | None = None) -> dict[str, Json]:
    return write_request(request, PLAIN, traits).body


@pytest.mark.parametrize("body", REQUESTS)
def test_a_request_of_the_same_wire_comes_back_as_it_was(body: dict[str, Json]) -> None:
    written = write_request(read_request(body), PLAIN)
    assert written.body == body
    assert written.warnings == ()


def test_a_limit_is_given_where_the_client_gave_none() -> None:
    assert _body(ASK) == {
        "model": "claude-sonnet-4-5",
        "max_tokens": 8192,
        "messages": [{"role": "user", "content": "hi"}],
    }


def test_leading_instructions_go_to_the_top_and_all_of_them_are_kept() -> None:
    messages = (say("system", "a"), say("developer", "b"), say("user", "hi"), say("system", "c"))
    body = _body(replace(ASK, messages=messages))
    assert body["system"] == [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "c"}]}
    ]


def test_instructions_alone_are_said_as_the_users() -> None:
    written = write_request(replace(ASK, messages=(say("system", "a"),)), PLAIN)
    assert written.body["messages"] == [{"role": "user", "content": "a"}]
    assert "system" not in written.body
    assert written.warnings


def test_a_history_that_the_assistant_begins_gets_a_user_message_first() -> None:
    written = write_request(replace(ASK, messages=(say("assistant", "hello "),)), PLAIN)
    roles = [message["role"] for message in written.body["messages"]]  # type: ignore[union-attr,index,call-overload]
    assert roles == ["user", "assistant"]
    assert written.body["messages"][1]["content"] == "hello"  # type: ignore[index,call-overload]
    assert written.warnings


def test_foreign_extras_are_left_behind() -> None:
    written = write_request(replace(ASK, extras={"logprobs": True, "user": "u"}), PLAIN)
    assert not {"user", "logprobs"} & set(written.body)


def test_what_the_wire_does_not_know_is_named() -> None:
    sampling = Sampling(seed=1, presence_penalty=0.5, frequency_penalty=0.0, n=1, stop=("END", "\n"))
    written = write_request(replace(ASK, sampling=sampling), PLAIN)
    assert written.body["stop_sequences"] == ["END"]
    assert [warning.split(":")[0] for warning in written.warnings] == [
        "seed",
        "presence_penalty",
        "stop (white space only)",
    ]


def test_several_answers_are_refused() -> None:
    with pytest.raises(Unspeakable) as caught:
        _body(replace(ASK, sampling=Sampling(n=2)))
    assert caught.value.fault.param == "n"


def test_temperature_is_brought_into_range_only_when_translating() -> None:
    hot = replace(ASK, sampling=Sampling(max_tokens=9, temperature=1.7, top_p=0.5))
    written = write_request(hot, PLAIN)
    assert (written.body["temperature"], written.body["top_p"]) == (1, 0.5)
    assert written.warnings
    assert _body(replace(hot, wire="anthropic"))["temperature"] == 1.7


def test_sampling_is_left_out_for_models_that_refuse_it() -> None:
    written = write_request(
        replace(ASK, sampling=Sampling(temperature=0.5, top_k=3)), PLAIN, ModelTraits(sampling=False)
    )
    assert not {"temperature", "top_p", "top_k"} & set(written.body)
    assert written.warnings == ("temperature, top_k: not known to Anthropic Messages or this model; left out",)


def test_sampling_that_happens_anyway_is_not_missed() -> None:
    usual = replace(ASK, sampling=Sampling(temperature=1, top_p=1))
    assert write_request(usual, PLAIN, ModelTraits(sampling=False)).warnings == ()


def test_sampling_that_thinking_forbids_is_left_out() -> None:
    request = replace(ASK, thinking=Thinking("low"), sampling=Sampling(temperature=0.5, top_p=0.97, top_k=3))
    written = write_request(request, PLAIN)
    assert written.body["top_p"] == 0.97
    assert not {"temperature", "top_k"} & set(written.body)
    assert written.warnings


def test_effort_becomes_what_the_model_understands() -> None:
    old = _body(replace(ASK, thinking=Thinking("low")))
    assert old["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert old["max_tokens"] == 8192 + 2048
    new = _body(replace(ASK, model="claude-opus-4-6", thinking=Thinking("low")))
    assert (new["thinking"], new["output_config"]) == ({"type": "adaptive"}, {"effort": "low"})


def test_translated_thinking_gives_way_to_a_forced_choice() -> None:
    request = replace(ASK, thinking=Thinking("low"), tools=(ToolSpec("f"),), tool_choice=ToolChoice("required", ("f",)))
    written = write_request(request, PLAIN)
    assert "thinking" not in written.body
    assert written.body["tool_choice"] == {"type": "tool", "name": "f"}
    assert any("forced tool_choice" in warning for warning in written.warnings)


def test_thinking_is_off_where_the_round_under_way_has_lost_its_own() -> None:
    request = replace(ASK, messages=LOOP, tools=(ToolSpec("f"),), thinking=Thinking("low"))
    written = write_request(request, PLAIN)
    assert "thinking" not in written.body
    assert any("history" in warning for warning in written.warnings)
    kept = replace(LOOP[1], parts=(Reasoning("t", "Eq", wire="anthropic"), *LOOP[1].parts))
    assert "thinking" in _body(replace(request, messages=(LOOP[0], kept, LOOP[2])))


def test_the_same_wire_is_told_that_thinking_is_off() -> None:
    request = read_request(TOOL_LOOP)
    stripped = tuple(
        replace(message, parts=tuple(part for part in message.parts if not isinstance(part, Reasoning)))
        for message in request.messages
    )
    written = write_request(replace(request, messages=stripped), PLAIN)
    assert written.body["thinking"] == {"type": "disabled"}
    assert written.warnings


def test_adaptive_thinking_needs_no_thinking_in_the_history() -> None:
    assert _body(read_request(CLAUDE_CODE))["thinking"] == CLAUDE_CODE["thinking"]


def test_a_schema_is_demanded_and_mere_json_is_not_known() -> None:
    body = _body(replace(ASK, reply_format=ReplyFormat("json_schema", "n", {"type": "object"})))
    closed: Json = {"type": "object", "properties": {}, "additionalProperties": False}
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": closed}}
    written = write_request(replace(ASK, reply_format=ReplyFormat("json_object")), PLAIN)
    assert "output_config" not in written.body
    assert written.warnings


def test_a_thread_resolved_here_is_sent_without_its_thread() -> None:
    request = read_request(THREAD)
    assert _body(request)["thread"] == THREAD["thread"]
    assert "thread" not in _body(replace(request, previous_id=""))


def test_our_own_fields_never_reach_a_provider() -> None:
    body = {**TOOL_LOOP, "use_tools": True, "tool_execution": "auto", "max_tool_rounds": 1}
    assert _body(read_request(body)) == TOOL_LOOP


def test_results_added_by_the_gate_join_the_clients_own_form() -> None:
    request = read_request({**TOOL_LOOP, "messages": TOOL_LOOP["messages"][:1]})  # type: ignore[index,call-overload]
    grown = replace(
        request,
        messages=(
            *request.messages,
            Message(
                "assistant", (Reasoning("t", "Eq", wire="anthropic"), ToolCall("a", "f", ""), ToolCall("b", "f", ""))
            ),
            Message("tool", (ToolResult("a", (Text("1"),)),)),
            Message("tool", (ToolResult("b", is_error=True),)),
        ),
    )
    last = _body(grown)["messages"][-1]  # type: ignore[index,call-overload]
    assert last == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "1"},
            {"type": "tool_result", "tool_use_id": "b", "is_error": True},
        ],
    }
