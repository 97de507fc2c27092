import json
from dataclasses import replace

import pytest

from callgate.core.assembly import assemble
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    Started,
    TextDelta,
)
from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import Image, Json, Message, Reasoning, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, Sampling, ToolChoice, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.anthropic_messages import AnthropicMessages
from callgate.wire.codec import Codec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.openai_chat import OpenAIChat
from callgate.wire.openai_responses import OpenAIResponses
from callgate.wire.signature_envelope import seal_delta
from callgate.wire.translate import translate

CODECS: dict[WireName, Codec] = {
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": AnthropicMessages(),
    "gemini": GeminiGenerate(),
}
WIRES = sorted(CODECS)
ASK = say("user", "go on")


def asked(wire: WireName = "openai-chat", **more: object) -> ChatRequest:
    return ChatRequest(wire, "m", (ASK,), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("client", "provider"),
    [(client, provider) for client in WIRES for provider in WIRES if client not in (provider, "openai-chat")],
)
def test_a_proof_survives_the_way_to_a_foreign_client_and_back(client: WireName, provider: WireName) -> None:
    proof = '[{"type":"reasoning.encrypted"}]'
    deltas: list[Delta] = [
        Started("r", "m"),
        ReasoningDelta(0, "let me think"),
        ReasoningSigned(0, proof, provider),
        TextDelta(1, "so"),
        Finished("stop"),
    ]
    sealed = [seal_delta(delta, client, "m") for delta in deltas]
    codec = CODECS[client]
    body = codec.write_response(assemble(sealed), replace(asked(client), wire=client))
    answer = codec.read_response(body).choices[0].message
    found = translate(ChatRequest(client, "m", (ASK, answer, ASK)), provider, "m").request.messages[1]
    assert [(part.text, part.signature, part.wire) for part in found.parts if isinstance(part, Reasoning)] == [
        ("let me think", proof, provider)
    ]


@pytest.mark.parametrize("target", ["anthropic", "openai-responses"])
def test_several_choices_are_refused_where_there_is_only_one(target: WireName) -> None:
    found = translate(asked(sampling=Sampling(n=2)), target, "m").request
    with pytest.raises(BadRequest) as caught:
        CODECS[target].write_request(found, PLAIN)
    assert caught.value.fault.param == "n"


def test_a_subset_of_tools_is_offered_to_anthropic_under_its_lowered_names() -> None:
    tools = (ToolSpec("a", namespace="x"), ToolSpec("b", namespace="x"), ToolSpec("c"))
    found = translate(
        asked("openai-responses", tools=tools, tool_choice=ToolChoice("auto", ("a", "c"))), "anthropic", "m"
    )
    body = CODECS["anthropic"].write_request(found.request, PLAIN).body
    assert [tool["name"] for tool in body["tools"]] == ["x__a", "c"]  # type: ignore[index,call-overload,union-attr]


def test_pictures_and_errors_of_tools_are_told_in_chat() -> None:
    result = ToolResult("c", (Text("boom"), Image("image/png", "AAAA")), is_error=True)
    messages = (Message("assistant", (ToolCall("c", "f", "{}"),)), Message("tool", (result,)), ASK)
    found = translate(ChatRequest("anthropic", "m", messages), "openai-chat", "m").request
    body: Json = CODECS["openai-chat"].write_request(found, PLAIN).body["messages"]
    assert isinstance(body, list)
    assert [message["role"] for message in body if isinstance(message, dict)] == ["assistant", "tool", "user", "user"]
    assert isinstance(body[1], dict)
    assert body[1]["content"] == "Error: boom"


CODEX: dict[str, Json] = {
    "model": "m",
    "stream": True,
    "store": False,
    "input": [
        {
            "type": "additional_tools",
            "tools": [
                {
                    "type": "namespace",
                    "name": "functions",
                    "description": "",
                    "tools": [
                        {
                            "type": "custom",
                            "name": "exec",
                            "description": "Runs JavaScript.",
                            "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/s"},
                        }
                    ],
                }
            ],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "list the files"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "foreign"},
        {"type": "custom_tool_call", "call_id": "c1", "name": "exec", "namespace": "functions", "input": "ls()"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "a.txt"}]},
    ],
    "tools": [{"type": "web_search"}, {"type": "tool_search"}],
    "parallel_tool_calls": False,
    "include": ["reasoning.encrypted_content"],
}


@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai-chat"])
def test_an_agent_with_grouped_free_form_tools_works_with_every_provider(target: WireName) -> None:
    dialect = DIALECTS["vllm"]
    client = CODECS["openai-responses"]
    request = client.read_request(CODEX)
    found = translate(request, target, "m", dialect)
    body = json.dumps(CODECS[target].write_request(found.request, dialect).body)
    assert "functions__exec" in body
    assert "start: /.+/s" in body
    assert "foreign" not in body
    assert {warning.split()[1] for warning in found.warnings} == {"web_search", "tool_search"}
    restorer = found.restorer()
    writer = client.stream_writer(request)
    reply: list[Delta] = [
        Started("r", "m"),
        CallStarted(0, "c2", "functions__exec"),
        ArgumentsDelta(0, '{"input":"cat(\\"a'),
        ArgumentsDelta(0, '.txt\\")"}'),
        CallEnded(0, '{"input":"cat(\\"a.txt\\")"}'),
        Finished("tool_calls"),
    ]
    stream = b"".join(writer.write(out) for delta in reply for out in restorer.restore(delta)) + writer.close()
    reader = client.stream_reader()
    frames = [*reader.decode(stream), *reader.flush()]
    (call,) = assemble([delta for frame in frames for delta in frame.deltas]).choices[0].message.calls
    assert (call.id, call.name, call.namespace, call.variant) == ("c2", "exec", "functions", "custom")
    assert call.arguments == 'cat("a.txt")'
    assert stream.count(b"event: response.custom_tool_call_input.delta") == 2


@pytest.mark.parametrize(
    ("target", "dialect", "model"),
    [
        ("openai-chat", "ollama", "m"),
        ("openai-chat", "llama-cpp-python", "m"),
        ("openai-responses", "ollama", "m"),
        ("anthropic", "ollama", "m"),
        ("anthropic", "", "claude-opus-5-5"),
        ("openai-chat", "openrouter", "anthropic/claude-opus-5-5"),
    ],
)
def test_a_call_that_cannot_be_forced_is_wished_for_or_refused_as_the_owner_wants(
    target: WireName, dialect: str, model: str
) -> None:
    client: WireName = "gemini"
    request = asked(client, tools=(ToolSpec("f"), ToolSpec("g")), tool_choice=ToolChoice("required"))
    polite = DIALECTS.get(dialect, PLAIN)
    lowered = translate(replace(request, model=model), target, model, polite)
    written = CODECS[target].write_request(lowered.request, polite)
    assert [said for said in (*lowered.warnings, *written.warnings) if said.startswith("tool_choice: ")]
    strict = replace(polite, strict_tool_choice=True)
    with pytest.raises(Unspeakable) as caught:
        CODECS[target].write_request(translate(replace(request, model=model), target, model, strict).request, strict)
    assert caught.value.fault.param == "tool_choice"
