from dataclasses import replace

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import (
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FaultRaised,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.core.invocation import Ask, Cancel, Invocation, Phase, advance
from callgate.core.messages import Message, Usage, say
from callgate.core.policy import Verdict


def fold(*events: Event) -> ConversationSummary:
    summary = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return summary


STARTED = ExchangeStarted(
    "e1", "c1", "script", "openai-chat", "gpt", True, 0, (say("system", "s"), say("user", "  Why\n so?  ")), (), 1.0
)
CALL = Invocation("i1", "e1", "c1", 1, 0, "call", "f", "gate", "s", "script", "m", phases=(Phase("Streaming", 1.0),))


def test_a_conversation_is_named_after_the_first_words_of_the_user() -> None:
    assert fold(STARTED).title == "Why so?"
    long = replace(STARTED, fresh=(say("user", "x" * 200),))
    assert len(fold(long).title) == 80


def test_a_waiting_call_counts_until_it_is_settled() -> None:
    waiting = advance(CALL, Ask(Verdict("ask", ""), None), 2.0)
    summary = fold(STARTED, InvocationChanged(CALL, 1.0), InvocationChanged(waiting, 2.0))
    assert (summary.calls, summary.waiting) == (1, {"i1"})
    after = summarize(summary, InvocationChanged(advance(waiting, Cancel("client"), 3.0), 3.0))
    assert after is not None and (after.calls, after.waiting, after.running_calls) == (1, frozenset(), frozenset())


def test_usage_of_all_rounds_adds_up_and_the_end_is_known() -> None:
    round_started = RoundStarted("e1", "c1", 1, "demo", "openai-chat", "real-model", (), True, 2.0)
    ended = RoundEnded("e1", "c1", 1, Message("assistant"), "stop", Usage(10, 5), 3.0)
    summary = fold(STARTED, round_started, ended, ended, ExchangeEnded("e1", "c1", "failed", 4.0))
    assert summary.usage == Usage(20, 10)
    assert (summary.model, summary.live, summary.failed, summary.updated_at) == ("real-model", frozenset(), True, 4.0)


def test_events_of_the_whole_program_change_nothing() -> None:
    before = fold(STARTED)
    assert summarize(before, FaultRaised("x", "y", 9.0)) is before
    assert summarize(None, FaultRaised("x", "y", 9.0)) is None
