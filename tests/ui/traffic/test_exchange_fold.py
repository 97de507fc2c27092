"""Rows are what the events say, live and stored alike."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.samples import NOON, completed, sample_conversation, waiting
from tests.fakes.traffic import afternoon, one_exchange, translated_exchange

from callgate.core.catalog.prices import read_prices
from callgate.core.deltas import TextDelta
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
from callgate.core.messages import Usage, say
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow


def fold_of(events: list[Event]) -> ExchangeFold:
    fold = ExchangeFold()
    fold.apply_all(events)
    return fold


def rows_of(events: list[Event]) -> list[TrafficRow]:
    return [row for group in fold_of(events).groups.values() for row in group]


def started(exchange: str = "e1", at: float = NOON) -> ExchangeStarted:
    return ExchangeStarted(exchange, "c1", "codex", "openai-chat", "gpt-5", True, 0, (say("user", "Hi"),), (), at)


def round_started(number: int = 1, at: float = NOON + 0.1) -> RoundStarted:
    return RoundStarted("e1", "c1", number, "openai", "openai-chat", "gpt-5-2025-08-07", (), True, at)


def round_ended(number: int = 1, at: float = NOON + 3.1, usage: Usage | None = None) -> RoundEnded:
    told = usage or Usage(1000, 100, 400)
    return RoundEnded("e1", "c1", number, say("assistant", "Hello"), "stop", told, at, at - 2)


def test_an_exchange_sums_up_its_rounds() -> None:
    events: list[Event] = [
        started(),
        round_started(),
        round_ended(),
        round_started(2, NOON + 4),
        round_ended(2, NOON + 7),
        ExchangeEnded("e1", "c1", "completed", NOON + 8),
    ]
    whole, first, second = rows_of(events)
    assert (whole.round, first.round, second.round) == (0, 1, 2)
    assert whole.usage == Usage(2000, 200, 800) and whole.seconds == 8
    assert whole.cost == (first.cost or 0) + (second.cost or 0) > 0
    assert whole.first_token_seconds is not None and round(whole.first_token_seconds, 3) == 1.1
    assert whole.tokens_per_second == 200 / 4
    assert (whole.status, whole.code, whole.asked_model) == ("completed", 200, "gpt-5")


def test_one_round_alone_has_no_row_of_its_own_but_can_be_asked_for() -> None:
    fold = fold_of([started(), round_started(), round_ended()])
    assert len(fold.groups["e1"]) == 1
    assert [row.endpoint for row in fold.rounds("e1")] == ["openai"]


def test_a_running_exchange_goes_through_its_states() -> None:
    fold = ExchangeFold()

    def status_after(event: Event) -> str:
        fold.apply(event)
        return fold.groups["e1"][0].status

    call = replace(waiting(), exchange_id="e1", conversation_id="c1")
    assert status_after(started()) == "running"
    assert status_after(round_started()) == "running"
    assert status_after(DeltaArrived("e1", "c1", 1, TextDelta(0, "He"), NOON + 1)) == "streaming"
    assert status_after(round_ended()) == "running"
    assert status_after(InvocationChanged(call, NOON + 3)) == "waiting"
    done = replace(completed(), id=call.id, exchange_id="e1", conversation_id="c1")
    assert status_after(InvocationChanged(done, NOON + 4)) == "running"
    assert status_after(ExchangeEnded("e1", "c1", "cancelled", NOON + 5)) == "cancelled"


def test_time_passes_only_for_what_is_live() -> None:
    fold = fold_of([started(), round_started(), started("e2", NOON + 1), ExchangeEnded("e2", "c1", "failed", NOON + 2)])
    assert fold.tick(NOON + 30) == ("e1",)
    assert fold.groups["e1"][0].seconds == 30 and fold.groups["e2"][0].seconds == 1


def test_the_persons_time_counts_while_a_call_waits() -> None:
    call = replace(waiting(at=NOON), exchange_id="e1", conversation_id="c1")
    fold = fold_of([started(), round_started(), round_ended(at=NOON + 1), InvocationChanged(call, NOON + 1)])
    fold.tick(NOON + 41)
    assert fold.groups["e1"][0].spent.person == 40


def test_a_program_that_calls_a_tool_itself_has_a_row_without_rounds() -> None:
    call = replace(completed("read_file", result='{"lines": 3}'), exchange_id="e1", conversation_id="c1")
    (row,) = rows_of([replace(started(), wire="mcp", model=""), InvocationChanged(call, NOON + 4)])
    assert [made.tool for made in row.calls] == ["read_file"] and row.values("result.lines") == (3,)


def test_events_of_unknown_exchanges_and_of_others_change_nothing() -> None:
    fold = ExchangeFold()
    for event in (
        round_started(),
        round_ended(),
        ToolOutput("i", "c", "x", NOON),
        ExchangeEnded("e1", "c1", "failed", 1),
    ):
        assert fold.apply(event) == ""
    assert len(fold) == 0


def test_being_told_twice_changes_nothing() -> None:
    events = sample_conversation()
    fold = fold_of(events)
    before = dict(fold.groups)
    fold.apply_all(events)
    assert dict(fold.groups) == before


@given(st.integers(0, 10_000))
def test_what_was_watched_looks_like_what_was_stored(seed: int) -> None:
    chance = random.Random(seed)
    stored = one_exchange(1, NOON, chance)
    live: list[Event] = []
    for event in stored:
        live.append(event)
        if isinstance(event, RoundStarted):
            live.append(
                DeltaArrived(event.exchange_id, event.conversation_id, event.round, TextDelta(0, "x"), event.at)
            )
    assert rows_of(live) == rows_of(stored)


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_exchanges_do_not_mix(seed: int, count: int) -> None:
    """Interleaved in any way, each exchange's rows are those it has alone."""
    chance = random.Random(seed)
    single = [one_exchange(number, NOON + number, chance) for number in range(count)]
    queues = [list(events) for events in single]
    mixed: list[Event] = []
    while any(queues):
        queue = chance.choice([queue for queue in queues if queue])
        mixed.append(queue.pop(0))
    fold = fold_of(mixed)
    for number, events in enumerate(single):
        assert fold.groups[f"ex_{number}"] == fold_of(events).groups[f"ex_{number}"]


@given(st.integers(0, 10_000))
def test_sums_of_time_and_tokens_are_those_of_the_rounds(seed: int) -> None:
    fold = fold_of(one_exchange(1, NOON, random.Random(seed)))
    (whole, *_), rounds = fold.groups["ex_1"], fold.rounds("ex_1")
    assert sum(row.usage.total for row in rounds if row.usage) == (whole.usage.total if whole.usage else 0)
    assert abs(sum(row.spent.streaming for row in rounds) - whole.spent.streaming) < 1e-6
    assert whole.rounds == len(rounds) and len(whole.calls) == sum(len(row.calls) for row in rounds)


def test_new_prices_count_for_what_is_there() -> None:
    fold = fold_of(list(translated_exchange()))
    fold.set_prices(read_prices({"claude-sonnet-*": {"input": 1000, "output": 0}}))
    assert fold.groups["ex_t"][0].cost == 0.812
    fold.set_prices(read_prices({}))
    assert round(fold.groups["ex_t"][0].cost or 0, 6) == round((812 * 3 + 42 * 15) / 1e6, 6)


def test_forgotten_exchanges_are_gone() -> None:
    fold = fold_of(list(afternoon(5)))
    fold.forget(["ex_1", "ex_2", "unknown"])
    assert set(fold.groups) == {"ex_0", "ex_3", "ex_4"}


def test_a_huge_result_is_not_kept_whole() -> None:
    call = completed(result="x" * 1_000_000)
    (row,) = rows_of([started(), InvocationChanged(replace(call, exchange_id="e1"), NOON + 4)])
    (text,) = row.values("result.text")
    assert isinstance(text, str) and len(text) < 100_000 and row.calls[0].result is None
