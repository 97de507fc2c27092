"""Every event comes back from its JSON as the same value."""

from typing import get_args

import pytest
from tests.store.samples import a_conversation, ended, marked, of_the_program

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import Cited, TextDelta, TokensWeighed
from callgate.core.events import DeltaArrived, Event, ExchangeEnded, FrameCaptured, ReplyKept, WireCaptured
from callgate.core.messages import Citation, Message, TokenChance
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
        DeltaArrived("e", "c", 1, TokensWeighed(0, (TokenChance("a", -0.5, (97,), (TokenChance("b", -2.0),)),)), 1.0),
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
