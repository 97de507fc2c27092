"""Tools and the choice among them in each server's dialect."""

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ToolChoice, WireName
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.openai_chat.write_tools import write_tools

A, B, C = ToolSpec("a"), ToolSpec("b"), ToolSpec("c")
STRICT: dict[str, Json] = {
    "type": "object",
    "properties": {"x": {"type": "object", "properties": {}, "additionalProperties": False}},
    "required": ["x"],
    "additionalProperties": False,
}


def write(
    choice: ToolChoice | None,
    dialect: Dialect = PLAIN,
    tools: tuple[ToolSpec | HostedTool, ...] = (A, B, C),
    wire: WireName = "openai-chat",
    parallel: bool | None = None,
) -> tuple[list[str], Json, list[str]]:
    """The names offered, the choice, and the warnings."""
    warnings: list[str] = []
    fields = write_tools(ChatRequest(wire, "m", (), tools, choice, parallel), dialect, warnings)
    offered = fields.get("tools")
    names = [tool["function"]["name"] for tool in offered] if isinstance(offered, list) else []  # type: ignore[index]
    return names, fields.get("tool_choice"), warnings


def named(name: str) -> dict[str, Json]:
    return {"type": "function", "function": {"name": name}}


@pytest.mark.parametrize(
    ("choice", "written"),
    [
        (None, None),
        (ToolChoice("none"), "none"),
        (ToolChoice("required"), "required"),
        (ToolChoice("required", ("a",)), named("a")),
        (
            ToolChoice("auto", ("a",)),
            {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [named("a")]}},
        ),
        (
            ToolChoice("required", ("a", "b")),
            {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [named("a"), named("b")]}},
        ),
    ],
)
def test_a_choice_is_spelled_as_the_provider_spells_it(choice: ToolChoice | None, written: Json) -> None:
    assert write(choice) == (["a", "b", "c"], written, [])


def test_without_tools_nothing_is_said_about_them() -> None:
    warnings: list[str] = []
    request = ChatRequest("openai-chat", "m", (), (), ToolChoice("auto"), False)
    assert write_tools(request, PLAIN, warnings) == {}


def test_ollama_is_told_by_what_it_is_offered() -> None:
    ollama = DIALECTS["ollama"]
    assert write(ToolChoice("none"), ollama) == ([], None, [])
    assert write(ToolChoice("auto"), ollama) == (["a", "b", "c"], None, [])
    names, choice, warnings = write(ToolChoice("required", ("b",)), ollama)
    assert (names, choice) == (["b"], None)
    assert warnings == ["tool_choice: ollama cannot be made to call a tool"]
    assert "one call at a time" in write(None, ollama, parallel=False)[2][0]


def test_llama_cpp_gets_a_forced_call_as_the_only_tool() -> None:
    assert write(ToolChoice("required", ("b",)), DIALECTS["llama.cpp"]) == (["b"], "required", [])


def test_vllm_takes_a_name_but_not_a_list_of_names() -> None:
    assert write(ToolChoice("required", ("b",)), DIALECTS["vllm"]) == (["a", "b", "c"], named("b"), [])
    assert write(ToolChoice("auto", ("b", "c")), DIALECTS["vllm"]) == (["b", "c"], "auto", [])


def test_a_tool_that_only_its_provider_can_run_is_refused() -> None:
    with pytest.raises(Unspeakable, match="web_search"):
        write(None, tools=(HostedTool("anthropic", {"type": "web_search_20250305"}),))


def test_a_custom_tool_is_nested_here_and_refused_where_it_is_unknown() -> None:
    tool = ToolSpec("p", variant="custom", format={"type": "grammar", "syntax": "lark", "definition": "x"})
    request = ChatRequest("openai-responses", "m", (), (tool,), ToolChoice("required", ("p",)))
    assert write_tools(request, PLAIN, []) == {
        "tools": [
            {
                "type": "custom",
                "custom": {
                    "name": "p",
                    "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "x"}},
                },
            }
        ],
        "tool_choice": {"type": "custom", "custom": {"name": "p"}},
    }
    with pytest.raises(Unspeakable, match="custom"):
        write_tools(request, DIALECTS["vllm"], [])


def test_a_foreign_schema_gets_its_type_and_strictness_only_if_it_is_strict() -> None:
    loose = ToolSpec("a", schema={"properties": {}}, strict=True)
    request = ChatRequest("anthropic", "m", (), (loose, ToolSpec("b", schema=STRICT, strict=True)))
    tools = write_tools(request, PLAIN, [])["tools"]
    assert tools == [
        {"type": "function", "function": {"name": "a", "parameters": {"type": "object", "properties": {}}}},
        {"type": "function", "function": {"name": "b", "parameters": STRICT, "strict": True}},
    ]
    assert loose.schema == {"properties": {}}, "a caller's schema must never be changed"


def test_a_server_that_knows_only_names_is_given_the_name_of_the_only_tool() -> None:
    dialect = DIALECTS["llama-cpp-python"]
    assert write(ToolChoice("required"), dialect, (A,)) == (["a"], named("a"), [])
    assert write(ToolChoice("required", ("b",)), dialect) == (["a", "b", "c"], named("b"), [])
    names, choice, warnings = write(ToolChoice("required"), dialect)
    assert (names, choice) == (["a", "b", "c"], "auto") and warnings
    assert write(None, dialect)[1] == "auto", "unsaid, the tools would not be shown to the model"
