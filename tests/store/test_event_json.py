"""Every event comes back from its JSON as the same value."""

import json
from typing import get_args

import pytest
from tests.store.samples import a_conversation, ended, marked, of_the_program

from callgate.core.calls.binding import Binding, BoundTool, change_between
from callgate.core.calls.invocation import Invocation, Voided
from callgate.core.calls.preview import DiffPreview
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import Cited, TextDelta, TokensWeighed
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    FrameCaptured,
    InvocationChanged,
    ReplyKept,
    WireCaptured,
)
from callgate.core.messages import Citation, Message, TokenLogprob
from callgate.store.event_json import (
    UnreadableEvent,
    read_event,
    read_messages,
    read_summary,
    write_event,
    write_messages,
    write_summary,
)


@pytest.mark.parametrize("event", [*a_conversation(), marked(), *of_the_program()], ids=lambda event: event.kind)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    assert read_event(write_event(event)) == event


def test_the_samples_have_every_kind_of_event() -> None:
    union, *_ = get_args(Event)
    sampled = {type(event) for event in (*a_conversation(), marked(), *of_the_program())}
    assert sampled | {WireCaptured, ReplyKept, FrameCaptured} == set(get_args(union))


@pytest.mark.parametrize(
    "event",
    [
        DeltaArrived("e", "c", 1, Cited(0, Citation("https://a.example", "A", "so", 0, 2, "gemini", {"web": {}})), 1.0),
        DeltaArrived("e", "c", 1, TokensWeighed(0, (TokenLogprob("a", -0.5, (97,), (TokenLogprob("b", -2.0),)),)), 1.0),
        ExchangeEnded("e", "c", "completed", 1.0, unheard=("answer: audio: left out",)),
    ],
    ids=["citation", "tokens", "unheard"],
)
def test_what_is_told_of_words_and_what_was_lost_come_back_as_they_were(event: Event) -> None:
    assert read_event(write_event(event)) == event


def test_a_summary_comes_back_as_it_was() -> None:
    summary: ConversationSummary | None = None
    for event in a_conversation()[:-3]:
        summary = summarize(summary, event)
    assert summary is not None
    assert summary.running_calls
    assert read_summary(write_summary(summary)) == summary


def test_messages_come_back_as_they_were() -> None:
    assert read_messages(write_messages(ended().hidden)) == ended().hidden
    assert read_messages(write_messages((Message("user"),))) == (Message("user"),)


def test_half_a_surrogate_pair_is_kept_as_a_replacement_character() -> None:
    event = DeltaArrived("e", "c", 1, TextDelta(0, "ä\ud83d"), 1.0)
    assert read_event(write_event(event)) == DeltaArrived("e", "c", 1, TextDelta(0, "ä\ufffd"), 1.0)


def test_text_that_is_no_event_is_refused() -> None:
    with pytest.raises(UnreadableEvent):
        read_event('{"kind": "no such thing"}')


def test_a_bound_and_voided_call_comes_back_and_one_from_before_still_loads() -> None:
    first = BoundTool(Binding("f1", "e1", ("POST /safe",)), {"description": "a", "schema": {"x": 1}})
    now = BoundTool(Binding("f2", "e2", ("POST /evil",)), {"description": "b"})
    call = Invocation(
        "i", "e", "c", 1, 0, "call", "deploy", "gate", "registered", "a", "m", "WaitingForConfirmation",
        executor="e2", executor_lines=("POST /evil",), change=change_between(first, now, "decided"),
        voided=(Voided(1.0, "person", "changed", 2),), preview=DiffPreview("a", "b", "c", state="s"),
    )  # fmt: skip
    event = InvocationChanged(call, 2.0)
    assert read_event(write_event(event)) == event
    stored = json.loads(write_event(event))
    for field in ("executor", "executor_lines", "change", "voided"):
        del stored["invocation"][field]
    del stored["invocation"]["preview"]["state"]
    old = read_event(json.dumps(stored))
    assert isinstance(old, InvocationChanged)
    assert (old.invocation.executor, old.invocation.change, old.invocation.voided) == ("", None, ())
