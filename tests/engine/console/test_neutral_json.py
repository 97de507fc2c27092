"""The neutral form as JSON says what there is, and nothing that goes without saying."""

import orjson

from callgate.core.messages import Message, Text, ToolCall, say
from callgate.core.request import ChatRequest, Sampling
from callgate.core.tool import ToolSpec
from callgate.engine.console.wire_service import neutral_json


def test_defaults_are_left_out_and_kinds_are_not() -> None:
    request = ChatRequest(
        "openai-chat",
        "m",
        (say("user", "Hi"), Message("assistant", (ToolCall("c1", "t", "{}"),))),
        (ToolSpec("t", schema={"type": "object"}),),
        sampling=Sampling(temperature=0.0),
    )
    assert neutral_json(request) == {
        "wire": "openai-chat",
        "model": "m",
        "messages": [
            {"role": "user", "parts": [{"text": "Hi", "kind": "text"}]},
            {"role": "assistant", "parts": [{"id": "c1", "name": "t", "arguments": "{}", "kind": "call"}]},
        ],
        "tools": [{"name": "t", "schema": {"type": "object"}, "kind": "spec"}],
        "sampling": {"temperature": 0.0},
    }


def test_whatever_comes_out_can_be_written_as_json() -> None:
    odd = (Text("x", {"deep": [1, {"a": None}]}), b"\xff", frozenset({"one"}), object)
    orjson.dumps(neutral_json(odd))
