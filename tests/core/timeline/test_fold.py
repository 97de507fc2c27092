"""Events become bars: rounds, streaming, waiting, running, and what a client did in between, joined by call ids."""

from dataclasses import replace

import pytest
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.calls.invocation import Allow, Ask, Invocation, Phase, Return, advance
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, ReasoningDelta, TextDelta
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.messages import Message, Text, ToolResult, say
from callgate.core.rules.policy import Verdict
from callgate.core.timeline.bars import Span, Timeline
from callgate.core.timeline.fold import TimelineFold

CALL = Invocation(
    "inv", "ex", "conv", 1, 1, "call_1", "lookup", "gate", "git", "agent", "model", phases=(Phase("Streaming", 3),)
)


def started(exchange: str, at: float, *messages: Message) -> ExchangeStarted:
    return ExchangeStarted(exchange, "conv", "agent", "openai-chat", "model", True, 0, messages, (), at)


def a_round(exchange: str, at: float) -> RoundStarted:
    return RoundStarted(exchange, "conv", 1, "demo", "openai-chat", "model", (), True, at)


def delta(value: object, at: float) -> DeltaArrived:
    return DeltaArrived("ex", "conv", 1, value, at)  # type: ignore[arg-type]


def one_exchange() -> list[Event]:
    waiting = advance(replace(CALL, arguments="{}"), Ask(Verdict("ask", "no rule"), None), 5)
    running = advance(waiting, Allow("UserAction", "person"), 9)
    done = advance(running, Return(ToolResult("call_1", (Text("ok"),))), 11)
    return [
        started("ex", 0, say("user", "Hi")),
        a_round("ex", 1),
        delta(ReasoningDelta(0, "hm"), 2),
        delta(TextDelta(0, "Let me"), 2.5),
        delta(CallStarted(1, "call_1", "lookup"), 3),
        InvocationChanged(CALL, 3),
        delta(ArgumentsDelta(1, "{}"), 4),
        delta(CallEnded(1, "{}"), 4.5),
        InvocationChanged(waiting, 5),
        RoundEnded("ex", "conv", 1, say("assistant", "Let me"), "tool_calls", None, 5, 2),
        InvocationChanged(running, 9),
        ToolOutput("inv", "conv", "half", 10, 1, 2),
        InvocationChanged(done, 11),
        ExchangeEnded("ex", "conv", "completed", 12),
    ]


def folded(events: list[Event]) -> Timeline:
    fold = TimelineFold()
    fold.apply_all(events)
    return fold.timeline()


def spans(timeline: Timeline, lane: int) -> list[tuple[str, float, float]]:
    return [(span.kind, span.start, span.end) for span in timeline.spans if span.lane == lane]


def test_every_stretch_of_an_exchange_has_its_bar() -> None:
    timeline = folded(one_exchange())
    assert [(lane.kind, lane.title) for lane in timeline.lanes] == [
        ("exchange", "agent"),
        ("round", "Round 1"),
        ("call", "lookup"),
    ]
    assert spans(timeline, 0) == [("exchange", 0, 12)]
    assert spans(timeline, 1) == [("provider", 1, 2), ("reasoning", 2, 2.5)]
    assert spans(timeline, 2) == [("arguments", 3, 4.5), ("judging", 4.5, 5), ("person", 5, 9), ("tool", 9, 11)]
    assert timeline.lanes[2].call_id == "call_1"
    assert {(mark.kind, mark.at) for mark in timeline.marks} == {("first_token", 2), ("progress", 10), ("decision", 9)}


def test_a_call_to_an_mcp_server_is_marked_as_such() -> None:
    fold = TimelineFold()
    fold.apply_all(one_exchange())
    timeline = fold.timeline(is_mcp=lambda source: source == "git")
    assert ("mcp", 9, 11) in spans(timeline, 2)
    assert "MCP server git" in next(span.words for span in timeline.spans if span.kind == "mcp")


def test_a_call_that_the_client_ran_lasts_until_it_brings_the_result() -> None:
    own = replace(CALL, owner="client", source="client")
    released = advance(own, Allow("ConfirmationNotNeeded", "rule"), 4)
    result = Message("tool", (ToolResult("call_1", (Text("sunny"),)),))
    events: list[Event] = [
        started("ex", 0, say("user", "Hi")),
        a_round("ex", 1),
        InvocationChanged(own, 3),
        InvocationChanged(released, 4),
        ExchangeEnded("ex", "conv", "completed", 5),
        started("ex2", 30, result),
        ExchangeEnded("ex2", "conv", "completed", 31),
    ]
    timeline = folded(events)
    (span,) = [span for span in timeline.spans if span.kind == "client"]
    assert (span.start, span.end) == (4, 30) and "lookup" in span.words
    assert any(timeline.lanes[link.to_lane].exchange_id == "ex2" for link in timeline.links)


def test_what_lives_grows_with_the_clock() -> None:
    fold = TimelineFold()
    fold.apply_all(one_exchange()[:9])
    assert fold.is_live
    waiting = [span for span in fold.timeline(now=60).spans if span.is_live]
    assert {(span.kind, span.end) for span in waiting} == {("exchange", 60), ("person", 60)}


def test_a_failed_exchange_says_why_and_a_broken_round_is_bad() -> None:
    timeline = folded(sample_conversation())
    failed = next(span for span in timeline.spans if "failed" in span.words and span.kind == "exchange")
    assert failed.is_bad and "Rate limit" in failed.words
    broken = [span for span in timeline.spans if span.kind == "provider" and span.is_bad]
    assert len(broken) == 1 and broken[0].start > NOON


def test_a_bar_never_ends_before_it_begins_and_lies_within_the_whole() -> None:
    timeline = folded(sample_conversation())
    for span in timeline.spans:
        assert isinstance(span, Span) and span.start <= span.end
        assert timeline.start <= span.start and span.end <= timeline.end


@pytest.mark.parametrize("count", range(1, 15))
def test_any_beginning_of_a_course_can_be_drawn(count: int) -> None:
    timeline = folded(one_exchange()[:count])
    assert timeline.lanes[0].title == "agent" and timeline.spans[0].kind == "exchange"


def test_one_exchange_can_be_drawn_alone() -> None:
    fold = TimelineFold()
    fold.apply_all(sample_conversation())
    alone = fold.timeline(only="exch_1")
    assert {lane.exchange_id for lane in alone.lanes} == {"exch_1"} and len(alone.lanes) == 5
    assert alone.spans == tuple(span for span in fold.timeline().spans if span.lane < 5)
    assert fold.timeline(only="unknown") == Timeline()
