"""Calls and results must belong together."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Opaque, Part, Text, ToolCall, ToolResult
from callgate.wire.anthropic_messages.pairing import ReadMessage, check_pairs


def _messages(*said: tuple[str, tuple[Part, ...]]) -> list[ReadMessage]:
    return [
        ReadMessage(Fields({}, "messages", ".", index=index), role, parts) for index, (role, parts) in enumerate(said)
    ]


def _call(id: str) -> ToolCall:
    return ToolCall(id, "f", "{}")


def _complaint(messages: list[ReadMessage], *, continues: bool = False) -> tuple[str, str | None]:
    with pytest.raises(BadRequest) as caught:
        check_pairs(messages, continues=continues)
    return caught.value.fault.message, caught.value.fault.param


def test_answered_calls_pass() -> None:
    check_pairs(
        _messages(
            ("user", (Text("hi"),)),
            ("assistant", (_call("a"), _call("b"))),
            ("user", (ToolResult("b"), ToolResult("a"))),
            ("assistant", (Text("done"),)),
        ),
        continues=False,
    )


def test_an_unanswered_call_is_named_with_its_message() -> None:
    said, param = _complaint(
        _messages(
            ("user", (Text("hi"),)),
            ("assistant", (Text("ok"),)),
            ("assistant", (_call("toolu_x"), _call("toolu_y"))),
            ("user", (ToolResult("toolu_y"), Text("go on"))),
            ("assistant", (Text("well"),)),
        )
    )
    assert said == (
        "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )
    assert param == "messages.2"


def test_a_call_at_the_very_end_is_unanswered_too() -> None:
    assert "without `tool_result`" in _complaint(_messages(("assistant", (_call("a"),))))[0]


def test_a_result_for_no_call_is_named_with_its_block() -> None:
    said, param = _complaint(_messages(("user", (ToolResult("toolu_x"),))))
    assert said.startswith("messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_x")
    assert param == "messages.0.content.0"


def test_a_late_result_is_unexpected() -> None:
    messages = _messages(
        ("assistant", (_call("a"),)),
        ("user", (ToolResult("a"),)),
        ("assistant", (Text("ok"),)),
        ("user", (ToolResult("a"),)),
    )
    assert _complaint(messages)[1] == "messages.3.content.0"


def test_two_results_for_one_call_are_refused() -> None:
    messages = _messages(("assistant", (_call("a"),)), ("user", (ToolResult("a"), ToolResult("a"))))
    assert "must have a single result" in _complaint(messages)[0]


def test_repeated_ids_each_need_their_result() -> None:
    check_pairs(
        _messages(("assistant", (_call("a"), _call("a"))), ("user", (ToolResult("a"), ToolResult("a")))),
        continues=False,
    )


def test_messages_of_one_side_and_instructions_between_them_are_one_turn() -> None:
    check_pairs(
        _messages(
            ("assistant", (_call("a"),)),
            ("assistant", (_call("b"),)),
            ("system", (Text("be quick"),)),
            ("user", (ToolResult("a"),)),
            ("user", (ToolResult("b"),)),
        ),
        continues=False,
    )


def test_a_continued_thread_may_begin_with_results_of_calls_it_does_not_repeat() -> None:
    messages = _messages(("user", (ToolResult("toolu_9"),)))
    check_pairs(messages, continues=True)
    later = _messages(("user", (Text("x"),)), ("assistant", (Text("y"),)), ("user", (ToolResult("toolu_9"),)))
    assert "unexpected" in _complaint(later, continues=True)[0]


def test_a_hosted_call_needs_no_result_but_may_have_one() -> None:
    hosted = Opaque("anthropic", {"type": "server_tool_use", "id": "srv", "name": "x", "input": {}})
    check_pairs(_messages(("assistant", (hosted,)), ("user", (Text("go on"),))), continues=False)
