"""A pasted call is understood however its wire spells it."""

import json

import pytest

from callgate.ui.settings.pasted_call import read_pasted

ARGUMENTS = {"path": "ü.txt"}


@pytest.mark.parametrize(
    "spelled",
    [
        {"id": "c", "type": "function", "function": {"name": "read_file", "arguments": json.dumps(ARGUMENTS)}},
        {"type": "function_call", "name": "read_file", "arguments": json.dumps(ARGUMENTS)},
        {"type": "tool_use", "id": "t", "name": "read_file", "input": ARGUMENTS},
        {"functionCall": {"name": "read_file", "args": ARGUMENTS}},
        {"method": "tools/call", "params": {"name": "read_file", "arguments": ARGUMENTS}},
    ],
)
def test_each_wire_is_read(spelled: dict) -> None:
    pasted = read_pasted(json.dumps(spelled))
    assert pasted is not None and pasted.tool == "read_file"
    assert json.loads(pasted.arguments) == ARGUMENTS


@pytest.mark.parametrize(
    "text", ["", "words", "[1]", '{"path": "a"}', '{"name": "a"}', '{"name": 3, "input": {}}', "[" * 100_000]
)
def test_anything_else_is_left_alone(text: str) -> None:
    assert read_pasted(text) is None
