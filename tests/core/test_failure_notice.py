import pytest

from callgate.core.errors import Fault
from callgate.core.failure_notice import MARK, broken_reply, failure_notice
from callgate.core.messages import Message, Reasoning, Text, ToolCall, Usage
from callgate.core.request import ChatResponse, Choice


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (Fault("permission", "stopped by the person"), "Stopped by the person."),
        (Fault("upstream", "Callgate is closing."), "Callgate is closing."),
        (Fault("rate_limit", "Slow down!", status=429), "The provider answered with status 429: Slow down!"),
        (
            Fault("overloaded", "busy", status=503, retry_after=6.2),
            "The provider answered with status 503: busy. It may be asked again in 7 s.",
        ),
        (Fault("upstream", "", status=500), "The provider answered with status 500: no reason was given."),
    ],
)
def test_a_notice_is_marked_and_names_the_cause(fault: Fault, cause: str) -> None:
    assert failure_notice(fault) == MARK + cause


def test_what_was_said_stays_and_calls_do_not() -> None:
    spoken = Message("assistant", (Reasoning("hm"), Text("Let me see."), ToolCall("call_1", "rm", "{}")))
    said = ChatResponse("id", "m", (Choice(spoken, "tool_calls"),), Usage(3, 4), 17)
    told = broken_reply(Fault("upstream", "gone"), said, "why")
    [choice] = told.choices
    assert choice.message == Message("assistant", (Text(f"Let me see.\n\n{MARK}Gone."),))
    assert (choice.finish, choice.detail) == ("content_filter", "why")
    assert (told.id, told.model, told.usage, told.created) == ("id", "m", Usage(3, 4), 17)


def test_tokens_are_always_counted() -> None:
    assert broken_reply(Fault("upstream", "gone"), ChatResponse("", "", ())).usage == Usage()
