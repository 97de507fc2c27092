from dataclasses import replace

from callgate.core.calls.invocation import Ask, Cancel, Invocation, Phase, advance
from callgate.core.catalog.prices import Price, PriceTable
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import (
    ConversationMarked,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FaultRaised,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.core.marks import Marks
from callgate.core.messages import Message, Usage, say
from callgate.core.rules.policy import Verdict


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


def test_a_conversation_without_words_is_named_after_the_first_tool_that_was_called() -> None:
    begun = replace(STARTED, wire="mcp", model="", fresh=())
    direct = replace(CALL, model="", tool="read_file")
    later = replace(direct, id="i2", tool="list_directory")
    assert fold(begun, InvocationChanged(direct, 1.0), InvocationChanged(later, 2.0)).shown_title == "read_file"
    assert fold(begun, InvocationChanged(CALL, 1.0), STARTED).title == "Why so?"
    assert fold(STARTED, InvocationChanged(direct, 1.0)).title == "Why so?"


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


def rounds(*used: tuple[str, str, Usage]) -> list[Event]:
    events: list[Event] = []
    for number, (exchange, model, _) in enumerate(used, start=1):
        events.append(RoundStarted(exchange, "c1", number, "x", "openai-chat", model, (), True, number))
    for number, (exchange, _, usage) in enumerate(used, start=1):
        events.append(RoundEnded(exchange, "c1", number, say("assistant", "x"), "stop", usage, 10.0 + number))
    return events


def test_tokens_are_counted_for_the_model_that_used_them_also_side_by_side() -> None:
    summary = fold(*rounds(("e1", "a", Usage(1, 1)), ("e2", "b", Usage(10, 10)), ("e1", "a", Usage(2, 2))))
    assert dict(summary.spent) == {"a": Usage(3, 3), "b": Usage(10, 10)}
    assert summary.usage == Usage(13, 13)


def test_what_it_cost_is_known_only_if_every_model_has_a_price() -> None:
    prices = PriceTable((Price("a", 1, 0), Price("b", 2, 0)))
    million = Usage(1_000_000, 0)
    assert fold(*rounds(("e1", "a", million), ("e2", "b", million))).cost(prices) == 3.0
    assert fold(*rounds(("e1", "a", million), ("e2", "c", million))).cost(prices) is None
    assert ConversationSummary("x").cost(prices) is None


def test_a_summary_of_an_earlier_version_is_priced_by_its_last_model() -> None:
    old = ConversationSummary("c1", model="a", usage=Usage(1_000_000, 0))
    prices = PriceTable((Price("a", 1, 0),))
    assert old.cost(prices) == 1.0
    (_, ended) = rounds(("e1", "a", Usage(1_000_000, 0)))
    after = summarize(old, ended)
    assert after is not None and after.cost(prices) == 2.0


def test_marks_change_nothing_but_what_they_say() -> None:
    before = fold(*rounds(("e1", "a", Usage(1, 1))))
    after = summarize(before, ConversationMarked("c1", Marks("Name", True, ("t",), "file"), 99.0))
    assert after == replace(before, marks=Marks("Name", True, ("t",), "file"))
    assert after is not None and after.shown_title == "Name" and after.imported
