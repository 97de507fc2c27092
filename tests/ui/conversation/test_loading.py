"""A conversation that is read back while it goes on comes out whole, and once."""

import asyncio

from tests.fakes.console import FakeConsole
from tests.fakes.samples import sample_conversation

from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, ExchangeEnded, ExchangeStarted, RoundEnded
from callgate.core.messages import say
from callgate.ui.conversation.loading import Hearing, read_at_once, read_in_slices
from callgate.ui.conversation.spacing import guesses

START = ExchangeStarted("e1", "c", "x", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), 1.0)
DELTA = DeltaArrived("e1", "c", 1, TextDelta(0, "Hello"), 1.0)
ROUND = RoundEnded("e1", "c", 1, say("assistant", "Hello"), "stop", None, 1.0)
END = ExchangeEnded("e1", "c", "completed", 1.0)


def test_what_ended_meanwhile_is_not_told_twice() -> None:
    console = FakeConsole()
    hearing = Hearing(console, "c")
    for event in (START, DELTA, ROUND, END):
        console.bus.publish(event)
    assert hearing.complete([START, ROUND, END]) == [START, ROUND, END]
    hearing.close()


def test_what_is_stored_and_heard_overlaps_once() -> None:
    console = FakeConsole()
    hearing = Hearing(console, "c")
    for event in (DELTA, ROUND):
        console.bus.publish(event)
    assert hearing.complete([START, DELTA]) == [START, DELTA, ROUND]
    assert hearing.take() == []
    hearing.close()
    console.bus.publish(END)
    assert hearing.take() == []


def test_slices_give_what_one_go_gives_with_a_height_for_each_block() -> None:
    events = sample_conversation()
    whole = read_at_once(events)
    transcript, heights = asyncio.run(read_in_slices(events, lambda: 700))
    assert list(transcript.blocks) == list(whole.blocks)
    assert heights == guesses(whole.blocks, 700)
