from dataclasses import replace

import pytest

from callgate.core.deltas import (
    CallStarted,
    Delta,
    Finished,
    TextDelta,
)
from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import (
    Json,
    Message,
    Reasoning,
    Text,
    ToolCall,
    say,
)
from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice, WireName
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.envelope import seal
from callgate.wire.lowering import lower

WIRES: list[WireName] = ["anthropic", "gemini", "openai-chat", "openai-responses"]
ASK = say("user", "go on")


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


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"type": "mcp", "server_label": "x"}, "'mcp'"),
        ({"codeExecution": {}}, "'codeExecution'"),
        ({}, "unknown"),
        ("odd", "unknown"),
    ],
)
def test_any_other_hosted_tool_is_refused_by_its_type(value: Json, kind: str) -> None:
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
    assert found.warnings == ("temperature, top_p, top_k: not taken by o3; left out",)
    unthinking = replace(request, thinking=Thinking("none"))
    assert lower(unthinking, "openai-responses", "gpt-5.5").request.sampling == request.sampling
    assert lower(request, "openai-responses", "gpt-5.5").request.sampling == Sampling(100)
    usual = asked("anthropic", sampling=Sampling(100, 1, 1))
    assert lower(usual, "openai-responses", "o3").warnings == ()
    assert lower(asked("anthropic", sampling=Sampling(100)), "openai-responses", "o3").warnings == ()
    assert lower(request, "openai-responses", "gpt-4o").request.sampling == request.sampling


def test_a_model_that_thinks_unasked_is_told_a_temperature_only_where_it_shall_not_think() -> None:
    warm = asked("gemini", sampling=Sampling(temperature=0.7))
    lowered = lower(warm, "openai-responses", "gpt-5.5")
    assert lowered.request.sampling.temperature is None
    assert lowered.warnings == ("temperature: not taken by gpt-5.5 while it thinks; left out",)
    unthinking = asked("gemini", sampling=warm.sampling, thinking=Thinking(budget=0))
    assert lower(unthinking, "openai-responses", "gpt-5.5").request.sampling.temperature == 0.7


@pytest.mark.parametrize(
    ("model", "thinking", "sent", "warned"),
    [
        ("gpt-4o", Thinking("high"), None, True),
        ("gpt-4o", Thinking("none"), None, False),
        ("o3", Thinking("max"), Thinking("high"), True),
        ("o3", Thinking(budget=0), Thinking("low"), True),
        ("o3", Thinking(budget=10_000), Thinking(budget=10_000), False),
        ("gpt-5.5", Thinking(budget=1024), Thinking("low"), False),
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
