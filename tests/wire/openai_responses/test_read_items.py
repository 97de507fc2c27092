"""Items become turns: merged, in order, nothing lost."""

from typing import Any

import pytest

from callgate.core.errors import BadRequest
from callgate.core.messages import Image, Json, Message, Opaque, Reasoning, Text, ToolCall
from callgate.wire.openai_responses.read_items import read_items, read_output_parts
from callgate.wire.openai_responses.write_items import write_items

USER: dict[str, Any] = {"role": "user", "content": "x"}


def call(identifier: str, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": identifier, "name": "f", "arguments": "{}", **more}


def output(identifier: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": identifier, "output": "ok"}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def shape(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    return [(message.role, " ".join(part.kind for part in message.parts)) for message in messages]


def test_the_items_of_one_turn_are_one_message() -> None:
    reasoning: dict[str, Any] = {"type": "reasoning", "summary": [], "encrypted_content": "e"}
    messages = read_items([USER, reasoning, said("Hm"), call("a"), call("b"), output("a"), output("b"), said("Done")])
    assert shape(messages) == [
        ("user", "text"),
        ("assistant", "reasoning text call call"),
        ("tool", "result"),
        ("tool", "result"),
        ("assistant", "text"),
    ]


def test_text_between_a_call_and_its_output_is_legal() -> None:
    assert shape(read_items([call("a"), said("Running"), output("a")])) == [
        ("assistant", "call text"),
        ("tool", "result"),
    ]


def test_a_result_is_moved_behind_the_turn_with_its_call() -> None:
    messages = read_items([call("a"), call("b"), output("a"), said("Still waiting"), USER, output("b")])
    assert shape(messages) == [
        ("assistant", "call call"),
        ("tool", "result"),
        ("tool", "result"),
        ("assistant", "text"),
        ("user", "text"),
    ]


def test_a_late_result_of_an_async_call_stays_where_it_came() -> None:
    messages = read_items([call("a", **{"async": True}), USER, output("a")])
    assert shape(messages) == [("assistant", "call"), ("user", "text"), ("tool", "result")]


def test_repeated_call_ids_become_distinct() -> None:
    messages = read_items([call("c"), output("c"), USER, call("c"), output("c")])
    assert [c.id for message in messages for c in message.calls] == ["c", "c_d2"]
    assert [r.call_id for message in messages for r in message.results] == ["c", "c_d2"]


def test_a_call_keeps_both_ids_and_its_group() -> None:
    (message,) = read_items([call("call_1", id="fc_1", namespace="functions")])
    found = message.parts[0]
    assert isinstance(found, ToolCall)
    assert (found.id, found.item_id, found.namespace, found.arguments) == ("call_1", "fc_1", "functions", "{}")


def test_sloppy_arguments_and_outputs_are_turned_into_text() -> None:
    items: list[Any] = [call("a", arguments={"x": 1}), {**output("a"), "output": {"y": 2}}]
    messages = read_items(items)
    assert messages[0].calls[0].arguments == '{"x":1}'
    assert messages[1].results[0].text == '{"y":2}'


def test_reasoning_reads_as_paragraphs() -> None:
    item: dict[str, Any] = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "One"}, {"type": "summary_text", "text": "Two"}],
        "encrypted_content": "sealed",
    }
    found = read_items([item])[0].parts[0]
    assert isinstance(found, Reasoning)
    assert (found.text, found.signature, found.wire, found.id) == ("One\n\nTwo", "sealed", "openai-responses", "rs_1")


def test_a_picture_that_the_model_made_is_an_image() -> None:
    (part,) = read_output_parts(
        [{"type": "image_generation_call", "id": "ig_1", "result": "AAAA", "status": "completed"}]
    )
    assert isinstance(part, Image)
    assert (part.media_type, part.data) == ("image/png", "AAAA")


def test_unknown_items_stay_as_they_are() -> None:
    item: dict[str, Any] = {"type": "x_future_call_output", "call_id": "s", "output": []}
    (message,) = read_items([item])
    assert (message.role, message.parts) == ("user", (Opaque("openai-responses", item),))


def test_a_shell_of_the_client_and_its_output_are_a_call_and_its_result() -> None:
    call: dict[str, Any] = {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}}
    chunk = {"stdout": "a.py", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
    output: dict[str, Any] = {"type": "shell_call_output", "call_id": "s", "output": [chunk]}
    said, told = read_items([call, output])
    assert [(made.name, made.variant) for made in said.calls] == [("shell", "built_in")]
    assert [(result.call_id, result.text) for result in told.results] == [("s", "a.py")]
    assert write_items((said, told)) == [call, output]


def test_the_output_of_a_shell_that_the_provider_ran_is_part_of_its_answer() -> None:
    item: dict[str, Any] = {"type": "shell_call_output", "call_id": "s", "output": []}
    assert read_output_parts([item]) == (Opaque("openai-responses", item),)


def test_a_call_without_any_id_stays_as_it_is() -> None:
    item: dict[str, Any] = {"type": "shell_call", "action": {"commands": ["ls"]}}
    assert read_items([item])[0].parts == (Opaque("openai-responses", item),)


def test_a_reference_may_leave_its_type_out() -> None:
    assert read_items([{"id": "msg_1"}])[0].parts == (Opaque("openai-responses", {"id": "msg_1"}),)


def test_the_tools_item_is_an_empty_message_for_other_wires() -> None:
    (message,) = read_items([{"type": "additional_tools", "role": "developer", "tools": []}])
    assert (message.role, message.parts, message.text) == ("developer", (), "")


def test_empty_words_of_an_answer_do_not_count() -> None:
    item: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "content": []}
    assert read_output_parts([item]) == ()
    assert read_items([item])[0].parts == (Text("", read_items([item])[0].parts[0].extras),)  # type: ignore[union-attr]


def test_the_output_of_a_tool_that_nobody_has_called_is_kept_whole() -> None:
    told: Json = {"type": "function_call_output", "name": "watch", "output": "The door is open."}
    (message,) = read_items([told])
    assert message.role == "user"
    assert write_items([message]) == [told]
    with pytest.raises(BadRequest, match="call_id"):
        read_items([{"type": "function_call_output", "output": "?"}])
