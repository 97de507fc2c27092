import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.test_lowering_names import PATTERNS

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
from callgate.core.messages import (
    CallVariant,
    Image,
    Json,
    Message,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    say,
)
from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice, WireName
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.anthropic_messages import AnthropicMessages
from callgate.wire.codec import Codec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.envelope import seal, seal_delta
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.json_text import mend
from callgate.wire.lowering import lower
from callgate.wire.openai_chat import OpenAIChat
from callgate.wire.openai_responses import OpenAIResponses

CODECS: dict[WireName, Codec] = {
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": AnthropicMessages(),
    "gemini": GeminiGenerate(),
}
WIRES = sorted(CODECS)
ASK = say("user", "go on")

# ---- any request ---------------------------------------------------------------------------------------------------

NAMES = st.text("ab_.-9 ", min_size=1, max_size=5) | st.text("ab", min_size=62, max_size=130)
TEXTS = st.text(max_size=20)
VARIANTS: list[CallVariant] = ["function", "custom"]
SPECS = st.builds(
    ToolSpec,
    NAMES,
    st.text(max_size=5),
    variant=st.sampled_from(VARIANTS),
    namespace=st.sampled_from(["", "", "ns", "other.ns"]),
)


@st.composite
def requests(draw: st.DrawFn) -> ChatRequest:
    tools = tuple(draw(st.lists(SPECS, max_size=6, unique_by=lambda tool: (tool.namespace, tool.name))))
    gone = draw(SPECS)
    messages: list[Message] = [ASK]
    for _ in range(draw(st.integers(0, 3))):
        called = draw(st.lists(st.sampled_from([*tools, gone]), min_size=1, max_size=3))
        calls = [
            ToolCall(draw(st.sampled_from("xyz")), tool.name, draw(arguments_of(tool)), tool.variant, tool.namespace)
            for tool in called
        ]
        messages.append(Message("assistant", (Text("so"), *calls)))
        messages += [Message("tool", (ToolResult(call.id, (Text("ok"),), variant=call.variant),)) for call in calls]
    names = tuple(tool.name for tool in tools)
    choice = draw(st.none() | st.builds(ToolChoice, st.sampled_from(["auto", "required"]), st.just(names[:2])))
    return ChatRequest(
        draw(st.sampled_from(WIRES)),
        "m",
        (*messages, ASK),
        tools,
        choice,
        parallel_calls=draw(st.sampled_from([None, True, False])),
    )


def arguments_of(tool: ToolSpec) -> st.SearchStrategy[str]:
    return TEXTS if tool.variant == "custom" else st.dictionaries(TEXTS, TEXTS, max_size=2).map(json.dumps)


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]))
def test_any_request_is_lowered_to_names_that_the_target_takes(
    request: ChatRequest, target: WireName, dialect: str
) -> None:
    found = lower(request, target, "m", DIALECTS.get(dialect, PLAIN)).request
    if request.wire == target:
        assert found is request
        return
    specs = [tool for tool in found.tools if isinstance(tool, ToolSpec)]
    calls = [call for message in found.messages for call in message.calls]
    results = [result for message in found.messages for result in message.results]
    names = [*(spec.name for spec in specs), *(call.name for call in calls), *(result.name for result in results)]
    assert all(re.fullmatch(PATTERNS[target], name) for name in names)
    assert len({(spec.namespace, spec.name) for spec in specs}) == len(request.tools)
    chosen = found.tool_choice.names if found.tool_choice else ()
    assert set(chosen) <= {spec.name for spec in specs}
    assert target == "openai-responses" or not any(spec.namespace for spec in specs)
    assert target == "openai-responses" or not any(call.namespace for call in calls)
    assert [result.call_id for result in results] == [call.id for call in calls] or target == "anthropic"


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]), st.data())
def test_calls_of_lowered_tools_come_back_as_the_client_knows_them(
    request: ChatRequest, target: WireName, dialect: str, data: st.DataObject
) -> None:
    found = lower(replace(request, parallel_calls=None), target, "m", DIALECTS.get(dialect, PLAIN))
    said = [data.draw(arguments_of(tool)) for tool in request.tools if isinstance(tool, ToolSpec)]
    deltas: list[Delta] = [Started("r", "m")]
    for part, (before, after, text) in enumerate(zip(request.tools, found.request.tools, said, strict=True)):
        assert isinstance(before, ToolSpec)
        assert isinstance(after, ToolSpec)
        wrapped = before.variant == "custom" and after.variant == "function"
        arguments = json.dumps({"input": text}) if wrapped else text
        cut = data.draw(st.integers(0, len(arguments)))
        deltas += [
            CallStarted(part, f"call_{part}", after.name, after.variant, after.namespace),
            ArgumentsDelta(part, arguments[:cut]),
            ArgumentsDelta(part, arguments[cut:]),
            CallEnded(part, arguments),
        ]
    restorer = found.restorer()
    back = [out for delta in deltas for out in restorer.restore(delta)]
    calls = assemble(back).choices[0].message.calls
    assert [(call.namespace, call.name, call.variant) for call in calls] == [
        (tool.namespace, tool.name, tool.variant) for tool in request.tools if isinstance(tool, ToolSpec)
    ]
    assert [call.arguments for call in calls] == [mend(text) for text in said]
    for part, text in enumerate(said):
        live = "".join(d.text for d in back if isinstance(d, ArgumentsDelta) and d.part == part)
        assert live == mend(text)


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]))
def test_every_lowered_request_can_be_written(request: ChatRequest, target: WireName, dialect: str) -> None:
    quirks = DIALECTS.get(dialect, PLAIN)
    if request.wire != target:
        CODECS[target].write_request(lower(request, target, "m", quirks).request, quirks)


# ---- one rule each -------------------------------------------------------------------------------------------------


def asked(wire: WireName = "openai-chat", **more: object) -> ChatRequest:
    return ChatRequest(wire, "m", (ASK,), **more)  # type: ignore[arg-type]


def restored(request: ChatRequest, target: WireName, *deltas: Delta, dialect: str = "") -> list[Delta]:
    restorer = lower(request, target, "m", DIALECTS.get(dialect, PLAIN)).restorer()
    return [out for delta in deltas for out in restorer.restore(delta)]


@pytest.mark.parametrize("wire", WIRES)
def test_a_request_of_the_targets_own_wire_is_left_alone(wire: WireName) -> None:
    request = ChatRequest(
        wire,
        "o3",
        (Message("assistant", (Reasoning("hm", "proof", wire="other"), ToolCall("c", "a.b", "x", "custom", "ns"))),),
        (ToolSpec("a.b", variant="custom", namespace="ns"), HostedTool("other", {"type": "mcp"})),
        ToolChoice("required"),
        parallel_calls=False,
        sampling=Sampling(stop=("x",), temperature=2, n=3),
    )
    found = lower(request, wire, "o3", DIALECTS["ollama"])
    assert found.request is request
    assert found.warnings == ()
    delta = TextDelta(0, "x")
    assert found.restorer().restore(delta) == [delta]


@pytest.mark.parametrize("wire", WIRES)
def test_no_provider_gets_an_envelope_even_on_the_clients_own_wire(wire: WireName) -> None:
    foreign, own = seal("other", "m", {"signature": "s"}), seal(wire, "m", {"signature": "[]"})
    calls = [ToolCall(name, name, "{}", signature=seal(name, "m", {"signature": "s"})) for name in ("other", wire)]
    unsealed = Reasoning("plain", "proof", wire="someone's")
    turn = Message("assistant", (Reasoning("a", foreign), Reasoning("b", own), unsealed, Text("so"), *calls))
    (message,) = lower(ChatRequest(wire, "m", (turn,)), wire, "m").request.messages
    assert message.parts[:3] == (Reasoning("b", "[]", wire=wire), unsealed, Text("so"))
    assert [call.signature for call in message.calls] == ["", "s"]


@pytest.mark.parametrize("client", ["openai-responses", "anthropic", "gemini"])
@pytest.mark.parametrize("provider", WIRES)
def test_a_proof_survives_the_way_to_a_foreign_client_and_back(client: WireName, provider: WireName) -> None:
    if client == provider:
        pytest.skip("the same wire needs no envelope")
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
    found = lower(ChatRequest(client, "m", (ASK, answer, ASK)), provider, "m").request.messages[1]
    assert [(part.text, part.signature, part.wire) for part in found.parts if isinstance(part, Reasoning)] == [
        ("let me think", proof, provider)
    ]


@pytest.mark.parametrize(
    ("wire", "value"),
    [
        ("openai-responses", {"type": "web_search"}),
        ("openai-responses", {"type": "web_search_preview_2025_03_11"}),
        ("openai-responses", {"type": "image_generation"}),
        ("openai-responses", {"type": "tool_search"}),
        ("openai-responses", {"type": "namespace", "name": "n", "tools": [{"type": "web_search"}]}),
        ("anthropic", {"type": "web_search_20250305", "name": "web_search"}),
        ("anthropic", {"type": "tool_search_tool_regex_20251119", "name": "t"}),
        ("gemini", {"googleSearch": {}}),
    ],
)
def test_tools_that_agents_offer_in_every_request_are_left_out_with_a_warning(wire: WireName, value: Json) -> None:
    found = lower(asked(wire, tools=(ToolSpec("f"), HostedTool(wire, value))), "openai-chat", "m")
    assert found.request.tools == (ToolSpec("f"),)
    assert found.warnings[0].startswith("tools[1]: ")


@pytest.mark.parametrize("value", [{"type": "mcp", "server_label": "x"}, {"codeExecution": {}}, {}, "odd"])
def test_any_other_hosted_tool_is_refused_by_its_type(value: Json) -> None:
    kind = {"mcp": "mcp"}.get(value.get("type", ""), "") if isinstance(value, dict) else ""
    with pytest.raises(Unspeakable, match=kind) as caught:
        lower(asked("gemini", tools=(ToolSpec("f"), HostedTool("gemini", value))), "anthropic", "m")
    assert caught.value.fault.param == "tools[1]"


def test_a_tool_that_is_offered_twice_is_offered_once() -> None:
    found = lower(asked("openai-responses", tools=(ToolSpec("f", "old"), ToolSpec("f", "new"))), "anthropic", "m")
    assert found.request.tools == (ToolSpec("f", "new"),)


@pytest.mark.parametrize("name", ["background", "conversation", "prompt"])
def test_state_that_only_responses_keeps_is_refused(name: str) -> None:
    with pytest.raises(BadRequest) as caught:
        lower(asked("openai-responses", extras={name: {"id": "x"}}), "anthropic", "m")
    assert caught.value.fault.param == name
    lower(asked("openai-responses", extras={name: None}), "anthropic", "m")


def test_a_choice_of_a_hosted_tool_is_refused() -> None:
    with pytest.raises(Unspeakable, match="web_search") as caught:
        lower(asked("openai-responses", extras={"tool_choice": {"type": "web_search"}}), "anthropic", "m")
    assert caught.value.fault.param == "tool_choice"


def test_a_choice_names_tools_as_the_target_knows_them() -> None:
    tools = (ToolSpec("a"), ToolSpec("b", namespace="x"), ToolSpec("b", namespace="y"), ToolSpec("a", namespace="x"))
    request = asked("openai-responses", tools=tools, tool_choice=ToolChoice("required", ("a", "b", "gone")))
    assert lower(request, "anthropic", "m").request.tool_choice == ToolChoice("required", ("a", "x__b", "y__b", "gone"))


@pytest.mark.parametrize(
    ("target", "dialect", "told"),
    [
        ("openai-chat", "", False),
        ("openai-responses", "", False),
        ("anthropic", "", False),
        ("gemini", "", None),
        ("openai-chat", "ollama", None),
        ("anthropic", "ollama", None),
    ],
)
def test_one_call_at_a_time_is_kept_by_the_target_or_by_us(target: WireName, dialect: str, told: bool | None) -> None:
    wire: WireName = "anthropic" if target == "openai-chat" else "openai-chat"
    request = asked(wire, tools=(ToolSpec("f"),), parallel_calls=False)
    assert lower(request, target, "m", DIALECTS.get(dialect, PLAIN)).request.parallel_calls is told
    calls = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]
    assert len(restored(request, target, *calls, dialect=dialect)) == (2 if told is False else 1)


def test_the_old_functions_have_room_for_one_call() -> None:
    assert lower(asked(legacy_functions=True), "anthropic", "m").request.parallel_calls is False
    calls = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]
    assert restored(asked(legacy_functions=True), "gemini", *calls) == calls[:1]


def test_stop_sequences_are_emulated_where_the_target_has_no_field_for_them() -> None:
    request = asked("anthropic", sampling=Sampling(stop=("END",)))
    assert lower(request, "openai-responses", "m").request.sampling.stop == ()
    assert restored(request, "openai-responses", TextDelta(0, "so END"), Finished("stop")) == [
        TextDelta(0, "so "),
        Finished("stop", "END"),
    ]
    assert lower(request, "gemini", "m").request.sampling.stop == ("END",)


def test_a_model_that_cannot_be_forced_is_asked_politely() -> None:
    request = asked("openai-responses", tools=(ToolSpec("f"),), tool_choice=ToolChoice("required", ("f",)))
    found = lower(request, "openai-chat", "anthropic/claude-opus-5-5", DIALECTS["openrouter"])
    assert found.request.tool_choice == ToolChoice("auto", ("f",))
    assert found.warnings == ("tool_choice: anthropic/claude-opus-5-5 cannot be made to call a tool; sent as auto",)
    assert lower(request, "openai-chat", "gpt-4o").request.tool_choice == request.tool_choice


def test_a_model_without_sampling_is_not_told_any() -> None:
    request = asked("anthropic", sampling=Sampling(100, 0.5, 0.9, 3))
    found = lower(request, "openai-responses", "o3")
    assert found.request.sampling == Sampling(100)
    assert len(found.warnings) == 1
    assert lower(asked("anthropic", sampling=Sampling(100)), "openai-responses", "o3").warnings == ()
    assert lower(request, "openai-responses", "gpt-4o").request.sampling == request.sampling


@pytest.mark.parametrize(
    ("model", "thinking", "sent", "warned"),
    [
        ("gpt-4o", Thinking("high"), None, True),
        ("gpt-4o", Thinking("none"), None, False),
        ("o3", Thinking("max"), Thinking("high"), True),
        ("o3", Thinking(budget=0), Thinking("low"), True),
        ("o3", Thinking(budget=10_000), Thinking(budget=10_000), False),
        ("gpt-5", Thinking("minimal", summary="auto"), Thinking("minimal", summary="auto"), False),
        ("unknown", Thinking("max"), Thinking("max"), False),
        ("o3", None, None, False),
    ],
)
def test_thinking_is_asked_for_as_the_model_can(
    model: str, thinking: Thinking | None, sent: Thinking | None, warned: bool
) -> None:
    found = lower(asked("anthropic", thinking=thinking), "openai-chat", model)
    assert found.request.thinking == sent
    assert bool(found.warnings) is warned


# ---- with the codecs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["anthropic", "openai-responses"])
def test_several_choices_are_refused_where_there_is_only_one(target: WireName) -> None:
    found = lower(asked(sampling=Sampling(n=2)), target, "m").request
    with pytest.raises(BadRequest) as caught:
        CODECS[target].write_request(found, PLAIN)
    assert caught.value.fault.param == "n"


def test_a_subset_of_tools_is_offered_to_anthropic_under_its_lowered_names() -> None:
    tools = (ToolSpec("a", namespace="x"), ToolSpec("b", namespace="x"), ToolSpec("c"))
    found = lower(asked("openai-responses", tools=tools, tool_choice=ToolChoice("auto", ("a", "c"))), "anthropic", "m")
    body = CODECS["anthropic"].write_request(found.request, PLAIN).body
    assert [tool["name"] for tool in body["tools"]] == ["x__a", "c"]  # type: ignore[index,call-overload,union-attr]


def test_pictures_and_errors_of_tools_are_told_in_chat() -> None:
    result = ToolResult("c", (Text("boom"), Image("image/png", "AAAA")), is_error=True)
    messages = (Message("assistant", (ToolCall("c", "f", "{}"),)), Message("tool", (result,)), ASK)
    found = lower(ChatRequest("anthropic", "m", messages), "openai-chat", "m").request
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
    found = lower(request, target, "m", dialect)
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
