"""Tools and the choice among them."""

from dataclasses import replace

import pytest
from tests.wire.samples_anthropic_messages import WEATHER

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, ToolCall, say
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.anthropic_messages.tools import read_choice, read_tools, write_tools
from callgate.wire.anthropic_messages.traits import ModelTraits
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect

OPEN: dict[str, Json] = {"type": "object", "properties": {}}
FOREIGN = ChatRequest("openai-chat", "m", (say("user", "hi"),), (ToolSpec("a"), ToolSpec("b")))


def _read(*tools: Json) -> tuple[ToolSpec | HostedTool, ...]:
    return read_tools(Fields({"tools": list(tools)}, join="."))


def _written(request: ChatRequest, dialect: Dialect = PLAIN, traits: ModelTraits | None = None) -> dict[str, Json]:
    return write_tools(request, dialect, traits or ModelTraits(), [])


def _names(body: dict[str, Json]) -> list[Json]:
    tools = body.get("tools", [])
    assert isinstance(tools, list)
    return [tool["name"] for tool in tools if isinstance(tool, dict)]


def test_the_type_of_a_custom_tool_does_not_leak_into_its_schema() -> None:
    (tool,) = _read({"type": "custom", **WEATHER, "defer_loading": True, "strict": True})
    assert isinstance(tool, ToolSpec)
    assert tool.schema == WEATHER["input_schema"]
    assert tool.strict is True
    assert tool.extras == {"type": "custom", "defer_loading": True}


def test_a_tool_with_a_dated_type_belongs_to_the_provider() -> None:
    hosted: dict[str, Json] = {"type": "web_search_20250305", "name": "web_search"}
    assert _read(hosted) == (HostedTool("anthropic", hosted),)


@pytest.mark.parametrize(
    ("tool", "param"),
    [
        ({**WEATHER, "name": "get weather"}, "tools.0.name"),
        ({**WEATHER, "name": "x" * 129}, "tools.0.name"),
        ({"input_schema": OPEN}, "tools.0.name"),
        ({"name": "f"}, "tools.0.input_schema"),
        ({"name": "f", "input_schema": "x"}, "tools.0.input_schema"),
        ({"name": "f", "input_schema": {"type": "objekt"}}, "tools.0.input_schema"),
        ("f", "tools.0"),
    ],
)
def test_a_bad_tool_is_refused_by_name(tool: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        _read(tool)
    assert caught.value.fault.param == param


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(BadRequest, match="unique"):
        _read(WEATHER, WEATHER)


@pytest.mark.parametrize(
    ("choice", "read"),
    [
        ({"type": "auto"}, (ToolChoice("auto"), None)),
        ({"type": "any"}, (ToolChoice("required"), None)),
        ({"type": "required"}, (ToolChoice("required"), None)),
        ({"type": "tool"}, (ToolChoice("required"), None)),
        ({"type": "tool", "name": "get_weather"}, (ToolChoice("required", ("get_weather",)), None)),
        ({"type": "none"}, (ToolChoice("none"), None)),
        ({"type": "any", "disable_parallel_tool_use": True}, (ToolChoice("required"), False)),
        ({"type": "auto", "disable_parallel_tool_use": False}, (ToolChoice("auto"), True)),
        (None, (None, None)),
    ],
)
def test_every_choice_is_understood(choice: Json, read: tuple[ToolChoice | None, bool | None]) -> None:
    assert read_choice(Fields({"tool_choice": choice}, join="."), _read(WEATHER)) == read


@pytest.mark.parametrize(
    ("choice", "param"),
    [
        ({"type": "maybe"}, "tool_choice.type"),
        ({"type": "tool", "name": "nope"}, "tool_choice.name"),
        ({"type": "auto", "disable_parallel_tool_use": 1}, "tool_choice.disable_parallel_tool_use"),
        ("auto", "tool_choice"),
    ],
)
def test_a_bad_choice_is_refused_by_name(choice: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_choice(Fields({"tool_choice": choice}, join="."), _read(WEATHER))
    assert caught.value.fault.param == param


def test_a_tool_without_parameters_gets_an_empty_schema_and_the_callers_is_never_changed() -> None:
    schema: dict[str, Json] = {"properties": {"x": {}}}
    request = replace(FOREIGN, tools=(ToolSpec("a"), ToolSpec("b", "does b", schema)))
    assert _written(request)["tools"] == [
        {"name": "a", "input_schema": OPEN},
        {
            "name": "b",
            "description": "does b",
            "input_schema": {"type": "object", "properties": {"x": {}}},
        },
    ]
    assert schema == {"properties": {"x": {}}}


def test_a_tool_stays_strict_where_the_model_can_be_held_to_its_schema() -> None:
    closed: dict[str, Json] = {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False}
    bound: dict[str, Json] = {**closed, "properties": {"x": {"type": "integer", "minimum": 1}}}
    request = replace(
        FOREIGN, tools=(ToolSpec("a", schema=closed, strict=True), ToolSpec("b", schema=bound, strict=True))
    )
    warnings: list[str] = []
    tools = write_tools(request, PLAIN, ModelTraits(), warnings)["tools"]
    assert [tool.get("strict") for tool in tools] == [True, True]  # type: ignore[union-attr]
    assert "minimum" in tools[1]["input_schema"]["properties"]["x"]["description"]  # type: ignore[index]
    assert not warnings
    older = _written(request, traits=ModelTraits(structured=False))["tools"]
    assert [tool.get("strict") for tool in older] == [None, None]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("count", "properties", "required"),
    [
        (21, {}, []),
        (1, {f"p{number}": {"type": "string"} for number in range(25)}, []),
        (1, {f"p{number}": {"type": ["string", "null"]} for number in range(17)}, [f"p{n}" for n in range(17)]),
    ],
    ids=["tools", "optional properties", "unions"],
)
def test_more_strictness_than_the_model_bears_is_left_out(
    count: int, properties: dict[str, Json], required: list[Json]
) -> None:
    """OpenAI's agents call every tool strict; Anthropic refuses requests with too many of them."""
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": required}
    tools = tuple(ToolSpec(f"f{number}", schema=schema, strict=True) for number in range(count))
    warnings: list[str] = []
    body = write_tools(replace(FOREIGN, tools=tools), PLAIN, ModelTraits(), warnings)
    assert body["tools"] == [{"name": tool.name, "input_schema": schema} for tool in tools]
    assert warnings == ["tools.strict: more than the model can be held to; left out"]


@pytest.mark.parametrize(
    ("choice", "parallel", "spelled"),
    [
        (None, None, None),
        (None, True, None),
        (None, False, {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice("auto"), False, {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice("required"), None, {"type": "any"}),
        (ToolChoice("required", ("a",)), False, {"type": "tool", "name": "a", "disable_parallel_tool_use": True}),
        (ToolChoice("none"), False, {"type": "none"}),
    ],
)
def test_choice_and_parallel_calls_fold_into_one_object(
    choice: ToolChoice | None, parallel: bool | None, spelled: Json
) -> None:
    body = _written(replace(FOREIGN, tool_choice=choice, parallel_calls=parallel))
    assert body.get("tool_choice") == spelled
    assert _names(body) == ["a", "b"]


def test_a_subset_is_said_by_offering_only_that() -> None:
    body = _written(replace(FOREIGN, tool_choice=ToolChoice("auto", ("b",))))
    assert (_names(body), body["tool_choice"]) == (["b"], {"type": "auto"})
    body = _written(replace(FOREIGN, tool_choice=ToolChoice("required", ("a", "b"))))
    assert (_names(body), body["tool_choice"]) == (["a", "b"], {"type": "any"})


def test_no_tools_means_no_choice_either() -> None:
    assert _written(replace(FOREIGN, tools=(), tool_choice=ToolChoice("auto"), parallel_calls=False)) == {}


def test_calls_in_the_history_of_a_request_without_tools_get_their_tools_back_but_may_not_be_called() -> None:
    history = (Message("assistant", (ToolCall("1", "f", "{}"), ToolCall("2", "f", "{}"), ToolCall("3", "g", "{}"))),)
    body = _written(replace(FOREIGN, messages=history, tools=()))
    assert body == {
        "tools": [{"name": "f", "input_schema": OPEN}, {"name": "g", "input_schema": OPEN}],
        "tool_choice": {"type": "none"},
    }


def test_a_tool_of_free_text_becomes_a_function_of_one_string() -> None:
    grammar: Json = {"type": "grammar", "syntax": "lark", "definition": "start: X"}
    body = _written(replace(FOREIGN, tools=(ToolSpec("patch", "Edits.", variant="custom", format=grammar),)))
    (tool,) = body["tools"]  # type: ignore[misc,union-attr]
    assert isinstance(tool, dict)
    assert tool["input_schema"] == {
        "type": "object",
        "properties": {"input": {"type": "string"}},
        "required": ["input"],
    }
    assert "start: X" in str(tool["description"])


def test_another_providers_hosted_tool_is_refused_with_its_type() -> None:
    hosted = HostedTool("openai-responses", {"type": "image_generation"})
    with pytest.raises(Unspeakable, match="image_generation"):
        _written(replace(FOREIGN, tools=(hosted,)))


def test_a_model_that_cannot_be_forced_is_asked_and_the_client_told() -> None:
    warnings: list[str] = []
    request = replace(FOREIGN, tool_choice=ToolChoice("required", ("a",)))
    body = write_tools(request, PLAIN, ModelTraits(forced_choice=False), warnings)
    assert body["tool_choice"] == {"type": "auto"}
    assert "auto" in warnings[0]
    own = replace(request, wire="anthropic")
    assert write_tools(own, PLAIN, ModelTraits(forced_choice=False), [])["tool_choice"] == {
        "type": "tool",
        "name": "a",
    }


def test_a_server_without_choice_is_offered_only_what_was_chosen() -> None:
    ollama, llama = DIALECTS["ollama"], DIALECTS["llama.cpp"]
    named = replace(FOREIGN, tool_choice=ToolChoice("required", ("a",)))
    assert _names(_written(named, ollama)) == ["a"]
    assert "tool_choice" not in _written(named, ollama)
    assert _written(replace(FOREIGN, tool_choice=ToolChoice("none")), ollama) == {}
    body = _written(named, llama)
    assert (_names(body), body["tool_choice"]) == (["a"], {"type": "any"})
