"""Requests of other wires as Ollama takes them, and what is refused or told because it has no word for it."""

import base64
from dataclasses import replace
from typing import Any

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import File, Image, Message, Reasoning, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.ollama_chat.write_request import write_request

TOOLS = (ToolSpec("a", "does a"), ToolSpec("b", schema={"properties": {}}))
ASK = ChatRequest("openai-chat", "m", (say("user", "hi"),), TOOLS)


def body(request: ChatRequest = ASK, **changes: Any) -> dict[str, Any]:
    return write_request(replace(request, **changes), PLAIN).body


def messages(*told: Message) -> list[Any]:
    return body(messages=told)["messages"]


def test_streaming_is_always_said_as_ollama_streams_unless_told_not_to() -> None:
    assert body()["stream"] is False
    assert body(stream=True)["stream"] is True


def test_tools_always_have_parameters() -> None:
    assert [tool["function"] for tool in body()["tools"]] == [
        {"name": "a", "description": "does a", "parameters": {"type": "object", "properties": {}}},
        {"name": "b", "parameters": {"type": "object", "properties": {}}},
    ]


@pytest.mark.parametrize(
    ("choice", "offered", "warned"),
    [
        (None, ["a", "b"], False),
        (ToolChoice("auto"), ["a", "b"], False),
        (ToolChoice("auto", ("b",)), ["b"], False),
        (ToolChoice("required", ("a",)), ["a"], True),
        (ToolChoice("required"), ["a", "b"], True),
        (ToolChoice("none"), [], False),
    ],
)
def test_a_choice_is_said_by_what_is_offered(choice: ToolChoice | None, offered: list[str], warned: bool) -> None:
    written = write_request(replace(ASK, tool_choice=choice), PLAIN)
    tools: Any = written.body.get("tools", [])
    assert [tool["function"]["name"] for tool in tools] == offered
    assert bool(written.warnings) == warned


def test_a_choice_that_must_be_forced_is_refused_where_the_owner_wants_that() -> None:
    with pytest.raises(Unspeakable):
        write_request(replace(ASK, tool_choice=ToolChoice("required")), replace(PLAIN, strict_tool_choice=True))


@pytest.mark.parametrize(
    ("thinking", "model", "think"),
    [
        (None, "qwen3", None),
        (Thinking(effort="none"), "qwen3", False),
        (Thinking(budget=0), "qwen3", False),
        (Thinking(effort="high"), "qwen3", True),
        (Thinking(budget=-1), "qwen3", True),
        (Thinking(summary="auto"), "qwen3", None),
        (Thinking(effort="xhigh"), "gpt-oss:20b", "high"),
        (Thinking(budget=2048), "gpt-oss:20b", "medium"),
    ],
)
def test_thinking_is_a_switch_and_a_level_for_one_family_only(
    thinking: Thinking | None, model: str, think: object
) -> None:
    assert (
        body(thinking=thinking, model=model).get("think") is think
        or body(thinking=thinking, model=model)["think"] == think
    )


def test_sampling_stands_under_options() -> None:
    written = write_request(replace(ASK, sampling=Sampling(9, 0.5, 0.9, 4, ("END",), 7, 3)), PLAIN)
    expected = {"num_predict": 9, "temperature": 0.5, "top_p": 0.9, "top_k": 4, "stop": ["END"], "seed": 7}
    assert written.body["options"] == expected
    assert written.warnings == ("Ollama gives one choice only; n was left out",)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (ReplyFormat("text"), None),
        (ReplyFormat("json_object"), "json"),
        (ReplyFormat("json_schema", "x", {"type": "object"}), {"type": "object"}),
    ],
)
def test_a_shape_of_the_answer_is_a_format(shape: ReplyFormat, expected: object) -> None:
    assert body(reply_format=shape).get("format") == expected


def test_results_are_named_and_stand_behind_their_calls_with_their_pictures() -> None:
    call = ToolCall("1", "a", '{"x": 1}')
    picture = Image("image/png", "aaaa")
    result = ToolResult("1", (Text("seen"), picture), is_error=True, name="a")
    told = messages(Message("assistant", (call,)), say("user", "go on"), Message("tool", (result,)))
    assert told == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": {"x": 1}}}],
        },
        {"role": "tool", "content": "Error: seen", "tool_name": "a", "tool_call_id": "1", "images": ["aaaa"]},
        {"role": "user", "content": "go on"},
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [("", {}), ("null", {}), ("[1]", {"_value": [1]}), ('{"a', {"_raw_arguments": '{"a'})],
)
def test_arguments_are_always_an_object(arguments: str, expected: dict[str, Any]) -> None:
    told = messages(Message("assistant", (ToolCall("1", "a", arguments),)))
    assert told[0]["tool_calls"][0]["function"]["arguments"] == expected


def test_roles_that_ollama_does_not_know_and_thinking_are_translated() -> None:
    told = messages(say("developer", "be brief"), Message("assistant", (Reasoning("hm"), Text("a"), Text("b"))))
    assert told == [
        {"role": "system", "content": "be brief"},
        {"role": "assistant", "content": "ab", "thinking": "hm"},
    ]


def test_text_files_become_words_and_others_are_refused() -> None:
    text = File("text/plain", base64.b64encode(b"milk").decode(), name="list.txt")
    assert messages(Message("user", (Text("see"), text)))[0]["content"] == "see\n\nlist.txt\n\nmilk"
    for part in (File("application/pdf", "JVBERi0="), Image(url="https://a.example/a.png"), Image(file_id="f")):
        with pytest.raises(Unspeakable):
            messages(Message("user", (part,)))


def test_tools_of_other_providers_are_refused() -> None:
    for tool in (HostedTool("anthropic", {"type": "web_search"}), ToolSpec("free", variant="custom")):
        with pytest.raises(Unspeakable):
            body(tools=(tool,))
