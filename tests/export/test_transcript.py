"""A conversation is told top to bottom: each result with its call, also what was broken off or never had a model."""

from dataclasses import replace

from tests.fakes.samples import answered, cancelled, completed, denied, released, reviewing, skipped, waiting
from tests.store.samples import a_conversation, ended, invocation, started

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeEnded, InvocationChanged, RoundEnded, RoundStarted
from callgate.core.messages import Message, Text, ToolCall, ToolResult, say
from callgate.export.record import ConversationRecord
from callgate.export.transcript import Call, Entry, Remark, Speech, decision_words, transcript


def told(events: list[Event]) -> list[Entry]:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return list(transcript(ConversationRecord(summary, tuple(events))))


def speeches(events: list[Event]) -> list[Speech]:
    return [entry for entry in told(events) if isinstance(entry, Speech)]


def test_everything_stands_in_its_order() -> None:
    entries = told(a_conversation())
    assert [entry.who if isinstance(entry, Speech) else entry.kind for entry in entries] == [
        "System prompt", "codex", "Assistant", "usage",
    ]  # fmt: skip


def test_a_result_that_a_client_brings_stands_with_its_call() -> None:
    call = Message("assistant", (Text("Let me see."), ToolCall("call_9", "look", "{}")))
    result = Message("tool", (ToolResult("call_9", (Text("seen"),)),))
    second = replace(started("e2", "c1", 3.0), fresh=(result, say("user", "And?")), parent_id="e1")
    events: list[Event] = [started(), RoundEnded("e1", "c1", 1, call, "tool_calls", None, 2.0), ended(), second]
    found = speeches(events)
    assert found[2].parts[1] == Call("look", "{}", ToolResult("call_9", (Text("seen"),)))
    assert [speech.who for speech in found[3:]] == ["codex"], "the result is told once"
    stray = replace(second, fresh=(Message("tool", (ToolResult("other", (Text("lost"),)),)),))
    assert speeches([started(), stray])[-1].who == "Result", "one of an unknown call is told by itself"


def test_an_answer_that_was_broken_off_is_told_as_far_as_it_came() -> None:
    events: list[Event] = [
        started(),
        RoundStarted("e1", "c1", 1, "x", "openai-chat", "gpt", (), True, 2.0),
        DeltaArrived("e1", "c1", 1, TextDelta(0, "I was ab"), 3.0),
    ]
    for finished in (events, [*events, ExchangeEnded("e1", "c1", "cancelled", 4.0)]):
        found = speeches(finished)
        assert found[-1].parts == (Text("I was ab"),) and found[-1].note == "gpt"
        assert len(found) == 3
    assert told([*events, ExchangeEnded("e1", "c1", "cancelled", 4.0)])[-1] == Remark(
        "stopped", "Stopped before the answer was complete."
    )


def test_a_call_that_a_program_made_itself_is_told() -> None:
    direct = replace(started(), wire="mcp", fresh=())
    (speech,) = speeches([direct, InvocationChanged(invocation(), 3.0), ended()])
    assert isinstance(speech.parts[0], Call) and speech.parts[0].tool == "read_file"


def test_how_a_call_ended_is_said_in_a_few_words() -> None:
    said = [
        decision_words(each())
        for each in (completed, denied, skipped, cancelled, released, waiting, reviewing, answered)
    ]
    assert said[0].startswith("completed")
    assert said[1] == "denied by a person"
    assert said[2] == "skipped"
    assert said[3].startswith("cancelled")
    assert said[4].startswith("allowed, run by the client")
    assert said[5] == said[6] == "waiting for a person"
    assert said[7] == "answered by a person, not run"
