"""Asynchronous calls of the Responses wire, told to wires whose calls are answered at once."""

from typing import Any

import pytest
from tests.wire.test_odd_requests import others, refusals

from callgate.core.messages import Message, Text, ToolCall, ToolResult, say
from callgate.core.request import WireName
from callgate.wire.translate.late_results import STILL_RUNNING, in_time

CALL = Message("assistant", (ToolCall("a", "watch", "{}", extras={"async": True}),))
RESULT = Message("tool", (ToolResult("a", (Text("open"),)),))
ASK = say("user", "And now?")
ANSWER = say("assistant", "Nothing yet.")


def words(messages: Any) -> list[tuple[str, str]]:
    return [(message.role, message.results[0].text if message.results else message.text) for message in messages]


def test_a_result_that_came_later_is_announced_behind_its_call_and_told_where_it_came() -> None:
    assert words(in_time([ASK, CALL, ASK, ANSWER, RESULT, ASK])) == [
        ("user", "And now?"),
        ("assistant", ""),
        ("tool", STILL_RUNNING),
        ("user", "And now?"),
        ("assistant", "Nothing yet."),
        ("user", "The output of watch (a):open"),
        ("user", "And now?"),
    ]


def test_a_result_that_came_in_time_stays_one() -> None:
    assert list(in_time([ASK, CALL, ASK, RESULT])) == [ASK, CALL, ASK, RESULT]


def test_a_call_that_still_runs_is_said_to() -> None:
    assert words(in_time([ASK, CALL, ASK]))[2] == ("tool", STILL_RUNNING)


def test_histories_without_such_calls_stay_the_very_same() -> None:
    plain = [ASK, Message("assistant", (ToolCall("a", "watch", "{}"),)), RESULT]
    assert in_time(plain) is plain


@pytest.mark.parametrize("provider", others("openai-responses"))
def test_strict_services_take_what_becomes_of_them(provider: WireName) -> None:
    body = {
        "input": [
            {"role": "user", "content": "Watch the door."},
            {"type": "function_call", "call_id": "a", "name": "watch", "arguments": "{}", "async": True},
            {"role": "user", "content": "And now?"},
            {"role": "assistant", "content": "Nothing yet."},
            {"type": "function_call_output", "call_id": "a", "output": "open"},
        ],
        "tools": [{"type": "function", "name": "watch", "parameters": {"type": "object"}, "async": True}],
    }
    assert refusals("openai-responses", provider, body) == []
