"""What OpenAI takes as strict."""

import pytest

from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ReplyFormat
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.openai_chat.write_request import write_request as write_chat
from callgate.wire.openai_responses.write_request import write_request as write_responses
from callgate.wire.openai_strict import is_strict

STRICT: dict[str, Json] = {
    "type": "object",
    "properties": {"x": {"type": "object", "properties": {}, "additionalProperties": False}},
    "required": ["x"],
    "additionalProperties": False,
}
OPTIONAL: dict[str, Json] = {**STRICT, "required": []}


def test_strict_means_closed_objects_with_all_properties_required() -> None:
    assert is_strict(STRICT)
    assert not is_strict(None)
    assert not is_strict(OPTIONAL)
    assert not is_strict({**STRICT, "additionalProperties": True})
    assert not is_strict(
        {"type": "object", "properties": {}, "additionalProperties": False, "$defs": {"a": {"type": "object"}}}
    )


@pytest.mark.parametrize(("schema", "strict"), [(STRICT, True), (OPTIONAL, False)])
def test_what_claude_is_held_to_is_strict_only_if_openai_would_take_it_so(
    schema: dict[str, Json], strict: bool
) -> None:
    """Claude may be held to a schema with optional properties; OpenAI refuses such a one as strict."""
    tool = ToolSpec("f", schema=schema, strict=True)
    shape = ReplyFormat("json_schema", schema=schema, strict=True)
    request = ChatRequest("anthropic", "m", (), (tool,), reply_format=shape)
    chat, responses = write_chat(request, PLAIN).body, write_responses(request, PLAIN).body
    assert chat["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": schema, "strict": strict},
    }
    assert responses["text"] == {
        "format": {"type": "json_schema", "name": "answer", "schema": schema, "strict": strict}
    }
    assert [tool["strict"] for tool in responses["tools"]] == [strict]  # type: ignore[index,call-overload,union-attr]
