"""Tools that come and go in mid-conversation are offered to others as they are in the end."""

from typing import Any

import pytest

from callgate.core.errors import BadRequest
from callgate.core.request import ChatRequest
from callgate.core.tool import ToolSpec
from callgate.wire.anthropic_messages.read_request import read_request
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
OLD = {"name": "old", "input_schema": SCHEMA}
DEFINED = {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": {**OLD, "name": "new"}}}
GONE = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "old"}}
BACK = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "old"}}


def asked(*blocks: Any, tools: tuple[Any, ...] = (OLD,)) -> ChatRequest:
    return read_request(
        {
            "model": "m",
            "max_tokens": 10,
            "tools": list(tools),
            "messages": [
                {"role": "user", "content": "hi"},
                {"role": "system", "content": [*blocks, {"type": "text", "text": "Tools have changed."}]},
                {"role": "user", "content": "go"},
            ],
        }
    )


def names(request: ChatRequest) -> list[str]:
    return [tool.name for tool in request.tools if isinstance(tool, ToolSpec)]


@pytest.mark.parametrize(
    ("blocks", "offered"),
    [
        ((DEFINED,), ["old", "new"]),
        ((GONE,), []),
        ((GONE, DEFINED), ["new"]),
        ((GONE, BACK), ["old"]),
        ((BACK,), ["old"]),
    ],
)
def test_others_are_offered_what_the_last_change_leaves(blocks: tuple[Any, ...], offered: list[str]) -> None:
    found = translate(asked(*blocks), "openai-chat", "m")
    assert names(found.request) == offered
    assert found.warnings == ()


def test_a_tool_that_came_with_a_message_is_offered_even_where_there_was_none_before() -> None:
    assert names(translate(asked(DEFINED, tools=()), "gemini", "m").request) == ["new"]


def test_its_own_wire_gets_the_blocks_themselves() -> None:
    request = asked(GONE, DEFINED)
    body = CODECS["anthropic"].write_request(translate(request, "anthropic", "m").request, PLAIN).body
    assert body["tools"] == [OLD]
    assert body["messages"][1]["content"][:2] == [GONE, DEFINED]  # type: ignore[index,call-overload]


def test_a_definition_that_is_none_is_refused() -> None:
    broken = {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": {"name": "new"}}}
    with pytest.raises(BadRequest):
        translate(asked(broken), "openai-chat", "m")


def test_groups_that_only_anthropic_knows_are_still_named() -> None:
    toolset = {"type": "tool_addition", "tool": {"type": "mcp_toolset_reference", "server_name": "s"}}
    assert "tool_addition" in translate(asked(toolset), "openai-chat", "m").warnings[0]
