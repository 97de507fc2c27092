"""What a client knows of the calls of a choice."""

from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Finished
from callgate.core.messages import Json
from callgate.wire.openai_chat.open_choice import OpenChoice


def numbers(pieces: list[dict[str, Json]]) -> list[Json]:
    return [fragment["index"] for piece in pieces for fragment in piece["tool_calls"]]  # type: ignore[index,call-overload,union-attr]


def test_calls_are_numbered_densely_whatever_their_part() -> None:
    choice = OpenChoice(legacy=False)
    pieces: list[dict[str, Json]] = []
    for part in (1, 4, 5):
        pieces += choice.start(CallStarted(part, f"call_{part}", "f")) + choice.end(CallEnded(part, "{}"))
    assert numbers(pieces) == [0, 0, 1, 1, 2, 2]


def test_interleaved_calls_are_told_one_after_the_other() -> None:
    choice = OpenChoice(legacy=False)
    assert numbers(choice.start(CallStarted(0, "1", "f"))) == [0]
    assert choice.start(CallStarted(1, "2", "g")) == []
    assert numbers(choice.grow(ArgumentsDelta(0, "{"))) == [0]
    assert choice.grow(ArgumentsDelta(1, "{}")) == []
    assert choice.end(CallEnded(1, "{}")) == []
    assert choice.start(CallStarted(2, "3", "h")) == []
    assert numbers(choice.end(CallEnded(0, "{}"))) == [0, 1, 1, 2]
    assert numbers(choice.grow(ArgumentsDelta(2, "{}"))) == [2]


def test_what_still_waits_is_told_when_the_choice_is_over() -> None:
    choice = OpenChoice(legacy=False)
    choice.start(CallStarted(0, "1", "f"))
    choice.start(CallStarted(1, "2", "g"))
    assert numbers(choice.release()) == [1]
    assert choice.release() == []


def test_only_what_was_not_sent_is_sent_at_the_end() -> None:
    choice = OpenChoice(legacy=False)
    choice.start(CallStarted(0, "1", "f"))
    choice.grow(ArgumentsDelta(0, '{"a"'))
    assert choice.end(CallEnded(0, '{"a":1}')) == [{"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]}]
    assert choice.end(CallEnded(0, '{"a":1}')) == []


def test_no_arguments_are_an_empty_object_and_no_input_is_nothing() -> None:
    choice = OpenChoice(legacy=False)
    choice.start(CallStarted(0, "1", "f"))
    assert choice.end(CallEnded(0, "")) == [{"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}]
    choice.start(CallStarted(1, "2", "p", "custom"))
    assert choice.end(CallEnded(1, "")) == []


def test_the_old_style_tells_of_one_call() -> None:
    choice = OpenChoice(legacy=True)
    assert choice.start(CallStarted(0, "1", "f")) == [{"function_call": {"name": "f", "arguments": ""}}]
    assert choice.start(CallStarted(1, "2", "g")) == []
    assert choice.grow(ArgumentsDelta(1, "{}")) == []
    assert choice.end(CallEnded(0, "{}")) == [{"function_call": {"arguments": "{}"}}]


def test_what_was_relayed_is_not_sent_again() -> None:
    choice = OpenChoice(legacy=False)
    choice.follow(CallStarted(0, "1", "f"), signed=True)
    choice.follow(ArgumentsDelta(0, "{}"), signed=False)
    assert choice.end(CallEnded(0, "{}", "sig", "gemini")) == []
    choice.follow(Finished("tool_calls"), signed=False)
    assert choice.finished
    assert choice.called


def test_a_proof_is_sent_once_and_only_geminis() -> None:
    choice = OpenChoice(legacy=False)
    choice.start(CallStarted(0, "1", "f"))
    pieces = choice.end(CallEnded(0, "{}", "sig", "gemini"))
    assert pieces[1]["tool_calls"] == [
        {"index": 0, "function": {"arguments": ""}, "extra_content": {"google": {"thought_signature": "sig"}}}
    ]
    choice.start(CallStarted(1, "2", "f"))
    assert len(choice.end(CallEnded(1, "{}", "sig", "anthropic"))) == 1


def test_deltas_of_a_call_that_never_began_are_ignored() -> None:
    choice = OpenChoice(legacy=False)
    assert choice.grow(ArgumentsDelta(0, "{}")) == []
    assert choice.end(CallEnded(0, "{}")) == []
