"""Tools and the choice among them."""

from dataclasses import replace

import pytest
from tests.wire.samples_gemini_generate import OPENAPI, TIME, WEATHER

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.gemini_generate.tools import read_choice, read_tools, write_tools
from callgate.wire.gemini_generate.traits import ModelTraits

ASK = ChatRequest("openai-chat", "gemini-3-pro", (say("user", "hi"),), tools=(ToolSpec("f"),))


def read(*entries: Json) -> tuple[ToolSpec | HostedTool, ...]:
    return read_tools(Fields({"tools": list(entries)}))


def written(request: ChatRequest, traits: ModelTraits | None = None) -> dict[str, Json]:
    return write_tools(request, traits or ModelTraits(), [])


def test_functions_of_several_entries_are_all_read_and_written_as_one() -> None:
    tools = read({"functionDeclarations": [WEATHER]}, {"googleSearch": {}}, {"functionDeclarations": [TIME, OPENAPI]})
    assert [tool.name for tool in tools if isinstance(tool, ToolSpec)] == ["get_weather", "get_time", "search.files:v2"]
    assert HostedTool("gemini", {"googleSearch": {}}) in tools
    body = written(replace(ASK, wire="gemini", tools=tools))
    assert body["tools"] == [{"functionDeclarations": [WEATHER, TIME, OPENAPI]}, {"googleSearch": {}}]


def test_an_openapi_schema_is_read_as_json_schema() -> None:
    [tool] = read({"functionDeclarations": [OPENAPI]})
    assert isinstance(tool, ToolSpec)
    assert tool.schema is not None
    assert tool.schema["type"] == "object"
    assert tool.schema["properties"]["query"] == {"type": ["string", "null"]}  # type: ignore[index,call-overload]


def test_an_entry_may_hold_functions_and_other_tools() -> None:
    tools = read({"functionDeclarations": [TIME], "url_context": {}, "codeExecution": {}}, {})
    assert len(tools) == 3


@pytest.mark.parametrize(
    ("declaration", "param"),
    [
        ({}, "name"),
        ({"name": "1st"}, "name"),
        ({"name": "a b"}, "name"),
        ({"name": "a" * 129}, "name"),
        ({"name": "f", "description": 1}, "description"),
        ({"name": "f", "parameters": {"type": "STRING"}}, "parameters"),
        ({"name": "f", "parameters": "x"}, "parameters"),
        ({"name": "f", "parametersJsonSchema": {"type": "object", "required": 1}}, "parametersJsonSchema"),
        ({"name": "f", "parameters": {}, "parametersJsonSchema": {}}, "parametersJsonSchema"),
    ],
)
def test_a_bad_declaration_is_refused_by_name(declaration: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read({"functionDeclarations": [TIME, declaration]})
    assert caught.value.fault.param == f"tools[0].functionDeclarations[1].{param}"


def test_a_name_that_comes_twice_is_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        read({"functionDeclarations": [TIME]}, {"functionDeclarations": [TIME]})
    assert caught.value.fault.param == "tools[1].functionDeclarations[0].name"


@pytest.mark.parametrize(
    ("calling", "choice"),
    [
        ({"mode": "AUTO"}, ToolChoice("auto")),
        ({"mode": "VALIDATED"}, ToolChoice("auto")),
        ({"mode": "VALIDATED", "allowedFunctionNames": ["f"]}, ToolChoice("auto", ("f",))),
        ({"mode": "ANY"}, ToolChoice("required")),
        ({"mode": "ANY", "allowedFunctionNames": ["f", "g"]}, ToolChoice("required", ("f", "g"))),
        ({"mode": "NONE"}, ToolChoice("none")),
        ({"mode": "MODE_UNSPECIFIED"}, None),
        ({}, None),
    ],
)
def test_each_mode_is_a_choice_and_is_given_back(calling: dict[str, Json], choice: ToolChoice | None) -> None:
    config: dict[str, Json] = {"functionCallingConfig": calling, "retrievalConfig": {}}
    assert read_choice(Fields({"toolConfig": config})) == choice
    request = replace(ASK, wire="gemini", tool_choice=choice, extras={"toolConfig": config})
    assert written(request)["toolConfig"] == config


@pytest.mark.parametrize(
    ("config", "param"),
    [
        ({"functionCallingConfig": {"mode": "SOMETIMES"}}, "toolConfig.functionCallingConfig.mode"),
        ({"functionCallingConfig": {"mode": 1}}, "toolConfig.functionCallingConfig.mode"),
        (
            {"functionCallingConfig": {"allowedFunctionNames": [1]}},
            "toolConfig.functionCallingConfig.allowedFunctionNames[0]",
        ),
    ],
)
def test_a_bad_choice_is_refused_by_name(config: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_choice(Fields({"toolConfig": config}))
    assert caught.value.fault.param == param


@pytest.mark.parametrize(
    ("choice", "calling"),
    [
        (ToolChoice("auto"), {"mode": "AUTO"}),
        (ToolChoice("none"), {"mode": "NONE"}),
        (ToolChoice("required"), {"mode": "ANY"}),
        (ToolChoice("required", ("f",)), {"mode": "ANY", "allowedFunctionNames": ["f"]}),
        (ToolChoice("auto", ("f",)), {"mode": "VALIDATED", "allowedFunctionNames": ["f"]}),
    ],
)
def test_each_choice_is_a_mode(choice: ToolChoice, calling: Json) -> None:
    assert written(replace(ASK, tool_choice=choice))["toolConfig"] == {"functionCallingConfig": calling}


def test_a_choice_without_tools_is_dropped() -> None:
    assert written(replace(ASK, tools=(), tool_choice=ToolChoice("required"))) == {}


def test_a_choice_that_was_changed_replaces_the_clients_and_keeps_the_rest() -> None:
    given: Json = {"functionCallingConfig": {"mode": "ANY", "streamFunctionCallArguments": True}, "retrievalConfig": {}}
    request = replace(ASK, wire="gemini", tool_choice=ToolChoice("none"), extras={"toolConfig": given})
    assert written(request)["toolConfig"] == {
        "functionCallingConfig": {"mode": "NONE", "streamFunctionCallArguments": True},
        "retrievalConfig": {},
    }


def test_foreign_tools_get_json_schema_and_strict_is_stripped() -> None:
    schema: dict[str, Json] = {"$schema": "x", "properties": {"a": {"type": "string"}}}
    request = replace(ASK, tools=(ToolSpec("f", "Does.", schema, strict=True, extras={"x": 1}), ToolSpec("g")))
    assert written(request)["tools"] == [
        {
            "functionDeclarations": [
                {
                    "name": "f",
                    "description": "Does.",
                    "parametersJsonSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
                },
                {"name": "g"},
            ]
        }
    ]


def test_servers_of_old_get_the_subset() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"const": "x"}}}
    request = replace(ASK, tools=(ToolSpec("f", schema=schema), ToolSpec("g", schema={"type": "object"})))
    assert written(request, ModelTraits(json_schema=False))["tools"] == [
        {
            "functionDeclarations": [
                {
                    "name": "f",
                    "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING", "enum": ["x"]}}},
                },
                {"name": "g"},
            ]
        }
    ]


def test_a_free_form_tool_takes_one_text() -> None:
    [entry] = written(replace(ASK, tools=(ToolSpec("patch", variant="custom"),)))["tools"]  # type: ignore[misc]
    schema = entry["functionDeclarations"][0]["parametersJsonSchema"]  # type: ignore[index,call-overload]
    assert schema["required"] == ["input"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize("tool", [HostedTool("anthropic", {"type": "web_search_20250305"}), ToolSpec("1st")])
def test_a_tool_that_cannot_be_spelled_is_refused(tool: ToolSpec | HostedTool) -> None:
    with pytest.raises(Unspeakable) as caught:
        written(replace(ASK, tools=(tool,)))
    assert caught.value.fault.param == "tools"


def test_calls_that_should_come_one_by_one_are_warned_about() -> None:
    warnings: list[str] = []
    write_tools(replace(ASK, parallel_calls=False), ModelTraits(), warnings)
    assert [warning.split(":")[0] for warning in warnings] == ["parallel_tool_calls"]


PAST = (say("user", "hi"), Message("assistant", (ToolCall("1", "g", "{}"),)), Message("tool", (ToolResult("1"),)))


def test_functions_of_past_calls_are_declared_and_not_offered_where_no_tools_are() -> None:
    """AutoGen asks for its last words without any tools."""
    body = written(replace(ASK, messages=PAST, tools=()))
    assert body["tools"] == [{"functionDeclarations": [{"name": "g"}]}]
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    body = written(replace(ASK, messages=PAST, tools=(ToolSpec("f"),)))
    assert body["tools"] == [{"functionDeclarations": [{"name": "f"}]}]
    assert "toolConfig" not in body
