"""Tools and the choice among them are checked before anything goes upstream."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.openai_chat.read_tools import check_choice, read_tool_choice, read_tools


def function(name: Json = "f", **more: Json) -> dict[str, Json]:
    return {"type": "function", "function": {"name": name, **more}}


def refusal(body: dict[str, Json]) -> str | None:
    fields = Fields(body)
    with pytest.raises(BadRequest) as caught:
        check_choice(fields, read_tools(fields), read_tool_choice(fields))
    return caught.value.fault.param


def test_a_tool_is_read_with_all_it_says() -> None:
    tool = function("f", description="d", parameters={"type": "object"}, strict=True, novel=1)
    assert read_tools(Fields({"tools": [tool]})) == (
        ToolSpec("f", "d", {"type": "object"}, True, extras={"function": {"novel": 1}}),
    )


def test_old_functions_are_tools() -> None:
    body: dict[str, Json] = {"functions": [{"name": "f", "parameters": {}}], "function_call": {"name": "f"}}
    assert read_tools(Fields(body)) == (ToolSpec("f", schema={}),)
    assert read_tool_choice(Fields(body)) == ToolChoice("required", ("f",))


@pytest.mark.parametrize(
    ("tool", "param"),
    [
        (5, "tools[0]"),
        ({"function": {"name": "f"}}, "tools[0].type"),
        ({"type": "web_search"}, "tools[0].type"),
        ({"type": "function"}, "tools[0].function"),
        ({"type": "function", "function": {}}, "tools[0].function.name"),
        (function(5), "tools[0].function.name"),
        (function("no spaces"), "tools[0].function.name"),
        (function(""), "tools[0].function.name"),
        (function("x" * 65), "tools[0].function.name"),
        (function(description=5), "tools[0].function.description"),
        (function(parameters=[]), "tools[0].function.parameters"),
        (function(parameters={"type": "string"}), "tools[0].function.parameters"),
        (function(parameters={"type": "object", "properties": 5}), "tools[0].function.parameters"),
        (function(strict="yes"), "tools[0].function.strict"),
        ({"type": "custom", "custom": {}}, "tools[0].custom.name"),
        (
            {"type": "custom", "custom": {"name": "c", "format": {"type": "grammar", "grammar": {}}}},
            "tools[0].custom.format.grammar.syntax",
        ),
    ],
)
def test_a_bad_tool_is_refused_by_field(tool: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_tools(Fields({"tools": [tool]}))
    assert caught.value.fault.param == param
    assert caught.value.fault.http_status == 400


def test_a_bad_schema_is_named_with_its_tool() -> None:
    with pytest.raises(BadRequest, match="Invalid schema for function 'f'") as caught:
        read_tools(Fields({"tools": [function(parameters={"type": "object", "required": 5})]}))
    assert caught.value.fault.code == "invalid_function_parameters"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(BadRequest, match="Duplicate tool name: 'f'") as caught:
        read_tools(Fields({"tools": [function(), function()]}))
    assert caught.value.fault.param == "tools[1].function.name"


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("none", ToolChoice("none")),
        ("auto", ToolChoice("auto")),
        ("required", ToolChoice("required")),
        ("any", ToolChoice("required")),
        ({"type": "auto"}, ToolChoice("auto")),
        ({"type": "none"}, ToolChoice("none")),
        ({"type": "any"}, ToolChoice("required")),
        ({"type": "tool"}, ToolChoice("required")),
        ({"type": "tool", "name": "f"}, ToolChoice("required", ("f",))),
        ({"type": "function", "function": {"name": "f"}}, ToolChoice("required", ("f",))),
        ({"type": "function", "name": "f"}, ToolChoice("required", ("f",))),
        ({"type": "custom", "custom": {"name": "c"}}, ToolChoice("required", ("c",))),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [function("a"), function("b")]}},
            ToolChoice("required", ("a", "b")),
        ),
        (
            {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "a"}]},
            ToolChoice("auto", ("a",)),
        ),
    ],
)
def test_every_form_of_choice_in_the_wild_is_understood(choice: Json, expected: ToolChoice) -> None:
    assert read_tool_choice(Fields({"tool_choice": choice})) == expected


@pytest.mark.parametrize(
    ("choice", "param"),
    [
        ("sometimes", "tool_choice"),
        (5, "tool_choice"),
        ({"type": "mcp"}, "tool_choice.type"),
        ({"type": "function", "function": {}}, "tool_choice.function.name"),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "never", "tools": []}}, "tool_choice.allowed_tools.mode"),
        ({"type": "allowed_tools", "allowed_tools": {"tools": []}}, "tool_choice.allowed_tools.tools"),
    ],
)
def test_a_bad_choice_is_refused_by_field(choice: Json, param: str) -> None:
    assert refusal({"tools": [function()], "tool_choice": choice}) == param


def test_a_choice_of_a_tool_that_is_not_offered_is_refused() -> None:
    named: dict[str, Json] = {"type": "function", "function": {"name": "g"}}
    assert refusal({"tools": [function()], "tool_choice": named}) == "tool_choice"
    assert refusal({"functions": [{"name": "f"}], "function_call": {"name": "g"}}) == "function_call"


def test_a_choice_without_tools_is_refused_unless_it_asks_for_nothing() -> None:
    assert refusal({"tool_choice": "required"}) == "tool_choice"
    assert refusal({"parallel_tool_calls": True}) == "parallel_tool_calls"
    for harmless in ("none", "auto"):
        body = Fields({"tool_choice": harmless})
        check_choice(body, (), read_tool_choice(body))


def test_an_empty_list_of_tools_takes_the_choice_with_it() -> None:
    body = Fields({"tools": [], "tool_choice": "required", "parallel_tool_calls": False})
    check_choice(body, (), read_tool_choice(body))
