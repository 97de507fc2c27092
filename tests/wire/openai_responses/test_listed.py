from callgate.core.messages import Message, Opaque, Reasoning, Text, ToolCall, ToolResult
from callgate.wire.openai_responses.items import listed_items
from callgate.wire.openai_responses.marks import CONTENT, INSTRUCTIONS


def test_every_item_is_whole_and_has_an_id_of_its_own() -> None:
    messages = [
        Message("developer", (Text("Be kind"),), extras={INSTRUCTIONS: True}),
        Message("user", (Text("a"),)),
        Message("assistant", (Reasoning("hm"), ToolCall("call_1", "f", "{}"))),
        Message("tool", (ToolResult("call_1", (Text("done"),)),)),
        Message("user", (Text("a"),)),
    ]
    items = listed_items(messages)
    assert [item["type"] for item in items] == [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert len({item["id"] for item in items}) == len(items)
    assert items[0]["content"] == [{"type": "input_text", "text": "a"}]
    assert listed_items(messages) == items, "the same each time, as pages are asked for one by one"


def test_words_that_came_as_one_string_are_listed_as_parts() -> None:
    items = listed_items([Message("user", (Text("a"),), extras={CONTENT: "text"}), Message("assistant", (Text("b"),))])
    assert [item["content"] for item in items] == [
        [{"type": "input_text", "text": "a"}],
        [{"type": "output_text", "text": "b", "annotations": []}],
    ]


def test_what_only_another_wire_can_say_is_left_out() -> None:
    foreign = Opaque("anthropic", {"type": "server_tool_use"})
    assert [item["type"] for item in listed_items([Message("assistant", (foreign, Text("b")))])] == ["message"]
