"""Calls and results find each other by id, and only complete histories pass."""

from typing import Any

import pytest

from callgate.core.errors import BadRequest
from callgate.core.messages import Message, Opaque, ToolCall, ToolResult
from callgate.wire.openai_responses.pairing import check_pairs, has_references, is_reference, paired

ASYNC: dict[str, Any] = {"async": True}


def turn(*identifiers: str, **more: Any) -> Message:
    return Message("assistant", tuple(ToolCall(identifier, "f", "{}", **more) for identifier in identifiers))


def result(identifier: str, **more: Any) -> Message:
    return Message("tool", (ToolResult(identifier, **more),))


def test_a_complete_history_passes() -> None:
    check_pairs([turn("a", "b"), result("b"), result("a"), turn("c"), result("c")])


def test_an_unanswered_async_call_passes() -> None:
    check_pairs([turn("a", extras=ASYNC)])


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([result("a")], "No tool call found for function call output with call_id a."),
        ([result("a", variant="custom")], "No tool call found for custom tool call output with call_id a."),
        ([turn("a")], "No tool output found for function call a."),
        ([turn("a", variant="custom")], "No tool output found for custom tool call a."),
        ([turn("a"), result("a"), result("a")], "Duplicate function_call_output for call_id a."),
        ([result("a"), turn("a")], "No tool call found for function call output with call_id a."),
    ],
)
def test_an_incomplete_history_is_refused_in_openais_words(messages: list[Message], words: str) -> None:
    with pytest.raises(BadRequest) as caught:
        check_pairs(messages)
    assert (caught.value.fault.message, caught.value.fault.param) == (words, "input")


def test_two_calls_with_one_id_are_answered_in_order() -> None:
    messages = paired([turn("c", "c"), result("c", name="first"), result("c", name="second")])
    assert [call.id for call in messages[0].calls] == ["c", "c_d2"]
    assert [(r.call_id, r.name) for message in messages for r in message.results] == [
        ("c", "first"),
        ("c_d2", "second"),
    ]
    check_pairs(messages)


def test_references_are_seen() -> None:
    reference = Opaque("openai-responses", {"type": "item_reference", "id": "x"})
    assert has_references([Message("assistant", (reference,))])
    assert is_reference(Opaque("openai-responses", {"id": "x"}))
    assert not has_references([Message("assistant", (Opaque("openai-responses", {"type": "web_search_call"}),))])


def test_built_in_calls_and_outputs_are_left_to_the_provider_to_pair() -> None:
    check_pairs([turn("a", variant="built_in"), result("x", variant="built_in")])


def test_the_output_of_a_function_may_answer_a_built_in_call() -> None:
    check_pairs([turn("a", variant="built_in"), result("a")])
