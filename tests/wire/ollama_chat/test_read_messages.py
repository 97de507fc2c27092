"""Calls and results of a wire that mostly has no ids: tied by name and order, the same each time."""

from typing import Any

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Image, Reasoning, Text, ToolResult
from callgate.wire.call_ids import NO_ID
from callgate.wire.ollama_chat.read_messages import read_messages


def call(name: str, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": {}}, **more}


def asked(*calls: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": "user", "content": "?"}, {"role": "assistant", "content": "", "tool_calls": list(calls)}]


def result(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": text, **more}


def read(*messages: dict[str, Any], strict: bool = True) -> Any:
    return read_messages(Fields({"messages": list(messages)}), strict=strict)


def answers(messages: Any) -> dict[str, str]:
    """The words of each result, by the id of its call."""
    return {one.call_id: one.text for message in messages for one in message.results}


def test_results_find_their_calls_by_name_and_then_by_order() -> None:
    messages = read(
        *asked(call("a"), call("b"), call("a")),
        result("first a", tool_name="a"),
        result("second a", tool_name="a"),
        result("b", tool_name="b"),
    )
    first, b, second = messages[1].calls
    assert answers(messages) == {first.id: "first a", second.id: "second a", b.id: "b"}
    assert len({first.id, b.id, second.id}) == 3
    assert all(one.extras[NO_ID] for one in messages[1].calls)


def test_results_without_a_name_go_by_order() -> None:
    messages = read(*asked(call("a"), call("b")), result("1"), result("2"))
    assert list(answers(messages).values()) == ["1", "2"]
    assert [message.results[0].name for message in messages[2:]] == ["a", "b"]


def test_ids_win_where_both_sides_have_them() -> None:
    messages = read(
        *asked(call("a", id="x"), call("a", id="y")),
        result("of y", tool_name="a", tool_call_id="y"),
        result("of x", tool_call_id="x"),
    )
    assert answers(messages) == {"y": "of y", "x": "of x"}


def test_an_id_of_the_stream_is_forgiven_where_the_client_repeats_its_call_without_it() -> None:
    messages = read(*asked(call("a")), result("1", tool_name="a", tool_call_id="call_from_the_stream"))
    assert list(answers(messages)) == [messages[1].calls[0].id]


def test_the_same_history_gives_the_same_ids_and_every_turn_others() -> None:
    turn = [*asked(call("a")), result("1", tool_name="a")]
    once, again = read(*turn), read(*turn, *turn)
    assert once[1].calls == again[1].calls
    assert again[4].calls[0].id != again[1].calls[0].id


@pytest.mark.parametrize(
    ("messages", "param"),
    [
        ([], "messages"),
        ([{"role": "nobody", "content": ""}], "messages[0].role"),
        ([result("1", tool_name="a")], "messages[0].tool_name"),
        ([*asked(call("a")), result("1", tool_name="b")], "messages[2].tool_name"),
        ([*asked(call("a", id="x")), result("1", tool_call_id="y")], "messages[2].tool_call_id"),
        ([*asked(call("a")), result("1"), result("2")], "messages[3].tool_name"),
        ([*asked(call("a"), call("b")), result("1", tool_name="a")], "messages[1].tool_calls"),
        ([*asked(call("a")), {"role": "user", "content": "and?"}], "messages[1].tool_calls"),
        ([{"role": "user", "content": ["parts"]}], "messages[0].content"),
        ([{"role": "user", "content": "", "images": [1]}], "messages[0].images[0]"),
        (asked({"function": {"arguments": {}}}), "messages[1].tool_calls[0].function.name"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(messages: list[dict[str, Any]], param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read(*messages)
    assert refused.value.fault.param == param


def test_a_history_to_be_repaired_is_read_as_it_stands() -> None:
    messages = read(*asked(call("a")), {"role": "user", "content": "and?"}, result("late", tool_name="a"), strict=False)
    assert messages[3].parts == (ToolResult("", (Text("late"),), name="a", extras={NO_ID: True}),)


def test_thinking_and_images_have_places_of_their_own() -> None:
    png, jpeg = "iVBORw0KGgoAAAA", "/9j/4AAQ"
    user, assistant = read(
        {"role": "user", "content": "look", "images": [png, jpeg]},
        {"role": "assistant", "content": "yes", "thinking": "hm"},
    )
    assert user.parts == (Text("look"), Image("image/png", png), Image("image/jpeg", jpeg))
    assert assistant.parts == (Reasoning("hm", wire="ollama"), Text("yes"))
