from dataclasses import replace

import pytest

from callgate.core.deltas import CallStarted, Delta, Finished, TextDelta
from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import Json, Message, Reasoning, Text, ToolCall, say
from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice, WireName
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.signature_envelope import seal
from callgate.wire.translate import translate

WIRES: list[WireName] = ["anthropic", "gemini", "openai-chat", "openai-responses"]
ASK = say("user", "go on")


def asked(wire: WireName = "openai-chat", **more: object) -> ChatRequest:
    return ChatRequest(wire, "m", (ASK,), **more)  # type: ignore[arg-type]


def restored(request: ChatRequest, target: WireName, *deltas: Delta, dialect: str = "") -> list[Delta]:
    restorer = translate(request, target, "m", DIALECTS.get(dialect, PLAIN)).restorer()
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
    found = translate(request, wire, "o3", DIALECTS["openai"])
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
    (message,) = translate(ChatRequest(wire, "m", (turn,)), wire, "m").request.messages
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
    found = translate(asked(wire, tools=(ToolSpec("f"), HostedTool(wire, value))), "openai-chat", "m")
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
        translate(asked("gemini", tools=(ToolSpec("f"), HostedTool("gemini", value))), "anthropic", "m")
    assert caught.value.fault.param == "tools[1]"


def test_a_tool_that_is_offered_twice_is_offered_once() -> None:
    found = translate(asked("openai-responses", tools=(ToolSpec("f", "old"), ToolSpec("f", "new"))), "anthropic", "m")
    assert found.request.tools == (ToolSpec("f", "new"),)


@pytest.mark.parametrize("name", ["background", "conversation", "prompt"])
def test_state_that_only_responses_keeps_is_refused(name: str) -> None:
    with pytest.raises(BadRequest) as caught:
        translate(asked("openai-responses", extras={name: {"id": "x"}}), "anthropic", "m")
    assert caught.value.fault.param == name
    translate(asked("openai-responses", extras={name: None}), "anthropic", "m")


def test_a_choice_of_a_hosted_tool_is_refused() -> None:
    with pytest.raises(Unspeakable, match="web_search") as caught:
        translate(asked("openai-responses", extras={"tool_choice": {"type": "web_search"}}), "anthropic", "m")
    assert caught.value.fault.param == "tool_choice"


def test_a_choice_names_tools_as_the_target_knows_them() -> None:
    tools = (ToolSpec("a"), ToolSpec("b", namespace="x"), ToolSpec("b", namespace="y"), ToolSpec("a", namespace="x"))
    request = asked("openai-responses", tools=tools, tool_choice=ToolChoice("required", ("a", "b", "gone")))
    found = translate(request, "anthropic", "m")
    assert found.request.tool_choice == ToolChoice("required", ("a", "x__b", "y__b"))
    assert found.warnings == ("tool_choice: 'gone' is not among the tools; left out",)


@pytest.mark.parametrize("mode", ["auto", "required"])
def test_a_choice_among_tools_that_are_not_there_is_refused_instead_of_meaning_all_or_none(mode: str) -> None:
    request = asked("gemini", tools=(ToolSpec("a"),), tool_choice=ToolChoice(mode, ("gone",)))  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="'gone' not found") as caught:
        translate(request, "openai-chat", "m")
    assert caught.value.fault.param == "tool_choice"


def test_a_list_of_nothing_but_hosted_tools_allows_no_other_tool() -> None:
    hosted: dict[str, Json] = {"@choice": [{"type": "web_search"}]}
    may = asked("openai-responses", tools=(ToolSpec("a"),), tool_choice=ToolChoice("auto"), extras=hosted)
    assert translate(may, "anthropic", "m").request.tool_choice == ToolChoice("none")
    must = asked("openai-responses", tools=(ToolSpec("a"),), tool_choice=ToolChoice("required"), extras=hosted)
    with pytest.raises(Unspeakable):
        translate(must, "anthropic", "m")


def test_where_no_tool_is_left_it_is_said_that_none_can_be_demanded() -> None:
    search = HostedTool("openai-responses", {"type": "web_search"})
    request = asked("openai-responses", tools=(search,), tool_choice=ToolChoice("required"))
    assert translate(request, "gemini", "m").warnings[-1] == "tool_choice: there is no tool to call; left out"


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
    assert translate(request, target, "m", DIALECTS.get(dialect, PLAIN)).request.parallel_calls is told
    calls = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]
    assert len(restored(request, target, *calls, dialect=dialect)) == (2 if told is False else 1)


@pytest.mark.parametrize("wish", [True, False])
def test_a_model_that_refuses_the_switch_is_not_told_and_one_call_is_kept_all_the_same(wish: bool) -> None:
    request = asked("anthropic", tools=(ToolSpec("f"),), parallel_calls=wish)
    lowered = translate(request, "openai-chat", "o3-mini")
    assert lowered.request.parallel_calls is None
    restorer = lowered.restorer()
    calls = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]
    assert len([one for call in calls for one in restorer.restore(call)]) == (2 if wish else 1)


def test_the_old_functions_have_room_for_one_call() -> None:
    assert translate(asked(legacy_functions=True), "anthropic", "m").request.parallel_calls is False
    calls = [CallStarted(0, "a", "f"), CallStarted(1, "b", "f")]
    assert restored(asked(legacy_functions=True), "gemini", *calls) == calls[:1]


def test_stop_sequences_are_emulated_where_the_target_has_no_field_for_them() -> None:
    request = asked("anthropic", sampling=Sampling(stop=("END",)))
    assert translate(request, "openai-responses", "m").request.sampling.stop == ()
    assert restored(request, "openai-responses", TextDelta(0, "so END"), Finished("stop")) == [
        TextDelta(0, "so "),
        Finished("stop", "END"),
    ]
    assert translate(request, "gemini", "m").request.sampling.stop == ("END",)


def test_a_model_that_cannot_be_forced_is_asked_politely() -> None:
    request = asked("openai-responses", tools=(ToolSpec("f"),), tool_choice=ToolChoice("required", ("f",)))
    found = translate(request, "openai-chat", "anthropic/claude-opus-5-5", DIALECTS["openrouter"])
    assert found.request.tool_choice == ToolChoice("auto", ("f",))
    assert found.warnings == ("tool_choice: anthropic/claude-opus-5-5 cannot be made to call a tool; sent as auto",)
    assert translate(request, "openai-chat", "gpt-4o").request.tool_choice == request.tool_choice


def test_a_model_without_sampling_is_not_told_any() -> None:
    request = asked("anthropic", sampling=Sampling(100, 0.5, 0.9, 3))
    found = translate(request, "openai-responses", "o3")
    assert found.request.sampling == Sampling(100)
    assert found.warnings == ("temperature, top_p, top_k: not taken by o3; left out",)
    unthinking = replace(request, thinking=Thinking("none"))
    assert translate(unthinking, "openai-responses", "gpt-5.5").request.sampling == request.sampling
    assert translate(request, "openai-responses", "gpt-5.5").request.sampling == Sampling(100)
    usual = asked("anthropic", sampling=Sampling(100, 1, 1))
    assert translate(usual, "openai-responses", "o3").warnings == ()
    assert translate(asked("anthropic", sampling=Sampling(100)), "openai-responses", "o3").warnings == ()
    assert translate(request, "openai-responses", "gpt-4o").request.sampling == request.sampling


def test_a_model_that_thinks_unasked_is_told_a_temperature_only_where_it_shall_not_think() -> None:
    warm = asked("gemini", sampling=Sampling(temperature=0.7))
    lowered = translate(warm, "openai-responses", "gpt-5.5")
    assert lowered.request.sampling.temperature is None
    assert lowered.warnings == ("temperature: not taken by gpt-5.5 while it thinks; left out",)
    unthinking = asked("gemini", sampling=warm.sampling, thinking=Thinking(budget=0))
    assert translate(unthinking, "openai-responses", "gpt-5.5").request.sampling.temperature == 0.7


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
    found = translate(asked("anthropic", thinking=thinking), "openai-chat", model)
    assert found.request.thinking == sent
    assert bool(found.warnings) is warned


def test_what_a_group_of_tools_is_for_its_first_tool_tells_where_groups_are_unknown() -> None:
    said: dict[str, Json] = {"@namespace": {"description": "Everything about the house."}}
    tools = tuple(ToolSpec(name, f"to {name}", namespace="home", extras=said) for name in ("open", "shut"))
    told = translate(asked("openai-responses", tools=tools), "anthropic", "m")
    assert [tool.description for tool in told.request.tools if isinstance(tool, ToolSpec)] == [
        "to open\n\nOf all tools named home__…: Everything about the house.",
        "to shut",
    ]
    assert told.warnings == ()


def test_knobs_that_ask_for_what_happens_anyway_are_not_missed() -> None:
    usual = Sampling(temperature=1, top_p=1.0, presence_penalty=0, frequency_penalty=0.0)
    found = translate(asked("anthropic", sampling=usual), "openai-chat", "gpt-5")
    assert found.request.sampling == Sampling()
    assert found.warnings == ()
    cooler = asked("anthropic", sampling=Sampling(temperature=0.2))
    assert "temperature" in translate(cooler, "openai-chat", "gpt-5").warnings[0]


def test_a_tool_is_strict_only_where_the_target_can_be() -> None:
    closed: dict[str, Json] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    tools = (ToolSpec("a", schema=closed, strict=True), ToolSpec("b", schema={"type": "object"}, strict=True))
    for target in ("openai-chat", "openai-responses"):
        found = translate(asked("anthropic", tools=tools), target, "m")  # type: ignore[arg-type]
        assert [tool.strict for tool in found.request.tools if isinstance(tool, ToolSpec)] == [True, False]
        assert found.warnings == (f"tools: 'b' cannot be strict over {target}, where all of a schema must be",)
    assert translate(asked(tools=tools), "gemini", "m").warnings == (
        "tools.strict: gemini has no word for it; left out",
    )


def test_an_answer_that_the_client_has_begun_is_not_gone_on_with_everywhere() -> None:
    begun = ChatRequest("anthropic", "m", (ASK, say("assistant", "{")))
    assert translate(begun, "openai-chat", "m").warnings == (
        "messages: the last one is the assistant's; a new answer is begun instead of going on with it",
    )
    assert translate(begun, "gemini", "m").warnings == ()
