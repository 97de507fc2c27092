"""Messages become items: exactly what was read, or what a provider can bear of another wire's history."""

from typing import Any

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import Image, Json, Message, Opaque, Reasoning, Refusal, Text, ToolCall, ToolResult, say
from callgate.wire.openai_responses.ids import item_id
from callgate.wire.openai_responses.read_items import read_items
from callgate.wire.openai_responses.write_items import write_items

OWN = "openai-responses"


def foreign(*messages: Message) -> list[Any]:
    return list(write_items(messages, native=False, upstream=True))


def test_boundaries_ids_and_phases_of_messages_survive() -> None:
    items: list[Json] = [
        {"role": "assistant", "content": "one"},
        {
            "role": "assistant",
            "content": [{"type": "output_text", "text": "two"}, {"type": "output_text", "text": "3"}],
        },
        {"type": "message", "id": "msg_1", "role": "assistant", "content": [], "status": "incomplete"},
        {"type": "message", "id": "msg_2", "role": "assistant", "phase": "final_answer", "content": "end"},
    ]
    assert write_items(read_items(items)) == items


def test_a_foreign_turn_becomes_message_then_calls() -> None:
    turn = Message("assistant", (Text("Hm"), ToolCall("t1", "f", '{"a":1}'), ToolCall("t2", "g", "", variant="custom")))
    assert foreign(turn) == [
        {"type": "message", "role": "assistant", "content": "Hm"},
        {"type": "function_call", "call_id": "t1", "name": "f", "arguments": '{"a":1}'},
        {"type": "custom_tool_call", "call_id": "t2", "name": "g", "input": ""},
    ]


def test_a_refusal_of_another_wire_is_an_output_item_with_all_that_one_must_have() -> None:
    (item,) = foreign(Message("assistant", (Text("Hm. "), Text("Well."), Refusal("No."))))
    assert isinstance(item, dict)
    identifier = item.pop("id")
    assert isinstance(identifier, str) and identifier.startswith("msg_")
    assert item == {
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [
            {"type": "output_text", "text": "Hm. ", "annotations": []},
            {"type": "output_text", "text": "Well.", "annotations": []},
            {"type": "refusal", "refusal": "No."},
        ],
    }


def test_words_of_another_wire_are_one_string() -> None:
    turn = Message("assistant", (Text("It is "), Text("3 °C", {"citations": []}), Text(".")))
    assert foreign(turn) == [{"type": "message", "role": "assistant", "content": "It is 3 °C."}]


def test_results_in_a_user_message_come_before_its_words() -> None:
    turn = Message("user", (ToolResult("t1", (Text("ok"),)), Text("And now?")))
    assert foreign(turn) == [
        {"type": "function_call_output", "call_id": "t1", "output": "ok"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "And now?"}]},
    ]


def test_a_result_takes_the_variant_of_its_call() -> None:
    items = foreign(
        Message("assistant", (ToolCall("t", "patch", "x", variant="custom"),)),
        Message("tool", (ToolResult("t", (Text("ok"),)),)),
    )
    assert items[1]["type"] == "custom_tool_call_output"


def test_an_error_says_so_once() -> None:
    def output(text: str) -> str:
        return foreign(Message("tool", (ToolResult("t", (Text(text),), is_error=True),)))[0]["output"]

    assert output("no such file") == "Error: no such file"
    assert output("Error: no such file") == "Error: no such file"


def test_pictures_in_results_are_native() -> None:
    parts = (Text("see"), Image("image/png", "AAAA"))
    (item,) = foreign(Message("tool", (ToolResult("t", parts),)))
    assert item["output"] == [
        {"type": "input_text", "text": "see"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"},
    ]


def test_an_overlong_call_id_is_shortened_alike_in_call_and_result() -> None:
    long = "x" * 65
    call, result = foreign(
        Message("assistant", (ToolCall(long, "f", "{}"),)), Message("tool", (ToolResult(long, (Text("ok"),)),))
    )
    assert call["call_id"] == result["call_id"]
    assert len(call["call_id"]) == 29


@pytest.mark.parametrize(
    ("reasoning", "kept"),
    [
        (Reasoning("hm", "sealed", wire=OWN, id="rs_1"), True),
        (Reasoning("hm", "EqQB", wire="anthropic"), False),
        (Reasoning("hm"), False),
        (Reasoning("hm", "cg1.x", wire=OWN, id="rs_1"), False),
    ],
)
def test_a_provider_sees_only_reasoning_that_it_made(reasoning: Reasoning, kept: bool) -> None:
    items = foreign(Message("assistant", (reasoning,)))
    expected = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "hm"}],
        "encrypted_content": "sealed",
    }
    assert items == ([expected] if kept else [])


def test_stored_reasoning_is_sent_back_by_id_but_not_one_made_here() -> None:
    theirs: dict[str, Json] = {"type": "reasoning", "id": "rs_1", "summary": []}
    ours: dict[str, Json] = {**theirs, "id": item_id("rs", "resp_1", 0)}
    assert write_items(read_items([theirs, ours]), upstream=True) == [theirs]
    assert write_items(read_items([theirs, ours])) == [theirs, ours]


def test_the_store_keeps_wrapped_signatures() -> None:
    item: dict[str, Json] = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "cg1.x"}
    assert write_items(read_items([item])) == [item]


def test_what_only_another_wire_understands_is_refused() -> None:
    with pytest.raises(Unspeakable):
        foreign(Message("assistant", (Opaque("anthropic", {}),)))
    with pytest.raises(Unspeakable):
        foreign(Message("user", (Opaque("gemini", {}),)))


def test_empty_messages_of_other_wires_are_left_out() -> None:
    assert foreign(Message("developer"), say("user", ""), say("assistant", "")) == []


def test_extras_of_a_foreign_turn_in_a_native_history_are_left_out() -> None:
    turn = Message("assistant", (Text("Hm", {"citations": []}), ToolCall("t", "f", "{}", extras={"index": 0})))
    assert write_items([turn]) == [
        {"type": "message", "role": "assistant", "content": "Hm"},
        {"type": "function_call", "call_id": "t", "name": "f", "arguments": "{}"},
    ]


def test_a_built_in_call_that_was_answered_as_a_function_keeps_that_answer() -> None:
    call = {"type": "local_shell_call", "id": "lsh_1", "call_id": "c", "action": {"type": "exec", "command": ["ls"]}}
    output = {"type": "function_call_output", "call_id": "c", "output": "a.py"}
    assert write_items(read_items([call, output])) == [call, output]


def test_a_built_in_call_is_answered_by_the_output_of_its_kind() -> None:
    call = {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "delete_file", "path": "a"}}
    refused = Message("tool", (ToolResult("c", (Text("not run"),), True, variant="built_in"),))
    assert write_items([*read_items([call]), refused])[1] == {
        "type": "apply_patch_call_output",
        "call_id": "c",
        "status": "failed",
        "output": "not run",
    }
