"""Tools, groups and choices, both ways."""

from typing import Any

import pytest
from tests.wire.samples_openai_responses import AGENTS, PATCH, WEATHER

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.request import ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.openai_responses.tools import (
    read_tool_choice,
    read_tools,
    without_removed,
    write_tool_choice,
    write_tools,
)


def test_a_group_is_flattened_and_put_together_again() -> None:
    tools = read_tools([AGENTS, WEATHER, {**AGENTS, "name": "other"}])
    specs = [tool for tool in tools if isinstance(tool, ToolSpec)]
    assert [(spec.namespace, spec.name) for spec in specs] == [
        ("multi_agent_v1", "spawn"),
        ("multi_agent_v1", "wait"),
        ("", "get_weather"),
        ("other", "spawn"),
        ("other", "wait"),
    ]
    assert write_tools(tools, native=True) == [AGENTS, WEATHER, {**AGENTS, "name": "other"}]


def test_a_custom_tool_keeps_its_grammar() -> None:
    (tool,) = read_tools([PATCH])
    assert isinstance(tool, ToolSpec)
    assert (tool.variant, tool.format) == ("custom", PATCH["format"])
    assert write_tools([tool], native=True) == [PATCH]


def test_a_group_with_something_hosted_loses_nothing() -> None:
    group: dict[str, Any] = {**AGENTS, "tools": [*AGENTS["tools"], {"type": "novel"}]}
    written = write_tools(read_tools([group]), native=True)
    assert [tool for entry in written for tool in entry["tools"]] == group["tools"]  # type: ignore[index,call-overload]


def test_what_other_wires_offer_is_explicitly_not_strict() -> None:
    assert write_tools([ToolSpec("f", schema={"properties": {}}), ToolSpec("g", strict=True)], native=False) == [
        {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False},
        {"type": "function", "name": "g", "parameters": None, "strict": False},
    ]


def test_a_tool_added_by_the_gate_is_not_strict_among_native_ones() -> None:
    native: dict[str, Any] = {"type": "function", "name": "n", "parameters": {}}
    written = write_tools([*read_tools([native]), ToolSpec("added", schema={"type": "object"})], native=True)
    assert written == [
        native,
        {"type": "function", "name": "added", "parameters": {"type": "object"}, "strict": False},
    ]


def test_another_providers_hosted_tool_is_refused() -> None:
    with pytest.raises(Unspeakable):
        write_tools([HostedTool("anthropic", {"type": "web_search_20250305"})], native=False)


def test_a_removed_tool_leaves_its_item() -> None:
    item: dict[str, Any] = {"type": "additional_tools", "tools": [AGENTS, PATCH, {"type": "web_search"}]}
    tools = read_tools(item["tools"], additional=True)
    kept = [tool for tool in tools if not (isinstance(tool, ToolSpec) and tool.name in ("spawn", "apply_patch"))]
    assert without_removed(item, tools) == item
    assert without_removed(item, kept) == {
        "type": "additional_tools",
        "tools": [{**AGENTS, "tools": [AGENTS["tools"][1]]}, {"type": "web_search"}],
    }


@pytest.mark.parametrize(
    "choice",
    [
        "none",
        "auto",
        "required",
        {"type": "function", "name": "get_weather"},
        {"type": "custom", "name": "apply_patch"},
        {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "get_weather"}]},
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "s"}]},
    ],
)
def test_a_choice_comes_back_as_it_was(choice: Any) -> None:
    read, marks = read_tool_choice(Fields({"tool_choice": choice}))
    assert read is not None
    assert write_tool_choice(read, read_tools([WEATHER, PATCH]), marks.get("@choice")) == choice


def test_a_choice_of_a_hosted_tool_is_kept_for_this_wire() -> None:
    choice: dict[str, Any] = {"type": "mcp", "server_label": "s"}
    assert read_tool_choice(Fields({"tool_choice": choice})) == (None, {"tool_choice": choice})


def test_a_narrowed_foreign_choice_is_an_allowed_list() -> None:
    assert write_tool_choice(ToolChoice("auto", ("a", "b")), []) == {
        "type": "allowed_tools",
        "mode": "auto",
        "tools": [{"type": "function", "name": "a"}, {"type": "function", "name": "b"}],
    }


def test_a_choice_that_is_no_choice_is_refused() -> None:
    with pytest.raises(BadRequest):
        read_tool_choice(Fields({"tool_choice": 5}))
