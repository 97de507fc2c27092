"""Rounds and calls are counted as they happened, live or from an older file, and forgotten with their conversation."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.fakes.samples import NOON, sample_conversation
from tests.fakes.traffic import afternoon

from callgate.core.catalog.statistics import Statistics, TimeRange
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, InvocationChanged, RoundEnded, conversation_of
from callgate.core.messages import Usage
from callgate.store.event_json import write_event
from callgate.store.tables.exchange_rows import begin_exchange, end_exchange
from callgate.store.tables.migrations import MIGRATIONS, migrate
from callgate.store.tables.statistics_rows import count, forget_statistics, note_statistics

ALL: list[Event] = [*afternoon(60), *sample_conversation()]
EVENTS = [event for event in ALL if hasattr(event, "exchange_id") or hasattr(event, "invocation")]
"""Without those that belong to no exchange."""
RANGE = TimeRange(NOON - 10, NOON + 1000, 10)
STEP = next(number for number, (name, _) in enumerate(MIGRATIONS, start=1) if name == "statistics")


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def store(connection: sqlite3.Connection, events: list[Event], *, noted: bool) -> None:
    for event in events:
        exchange = event.invocation.exchange_id if isinstance(event, InvocationChanged) else event.exchange_id  # type: ignore[union-attr]
        connection.execute(
            "INSERT INTO events (conversation_id, exchange_id, kind, at, body) VALUES (?, ?, ?, ?, ?)",
            (conversation_of(event), exchange, event.kind, event.at, write_event(event)),
        )
        if isinstance(event, ExchangeStarted) and noted:
            begin_exchange(connection, event)
        elif isinstance(event, ExchangeStarted):  # as earlier versions wrote it
            connection.execute(
                "INSERT INTO exchanges (exchange_id, conversation_id, agent, started_at) VALUES (?, ?, ?, ?)",
                (event.exchange_id, event.conversation_id, event.agent, event.at),
            )
        if isinstance(event, ExchangeEnded):
            end_exchange(connection, event)
        if noted:
            note_statistics(connection, event)


def stored(connection: sqlite3.Connection) -> Statistics:
    migrate(connection)
    store(
        connection,
        [event for event in EVENTS if hasattr(event, "exchange_id") or hasattr(event, "invocation")],
        noted=True,
    )
    return count(RANGE, connection)


def test_every_round_and_token_is_counted_once(connection: sqlite3.Connection) -> None:
    counted = stored(connection)
    ended = [event for event in EVENTS if isinstance(event, RoundEnded)]
    begun = sum(event.kind == "round_started" for event in EVENTS)
    assert sum(row.rounds for row in counted.rounds) == begun
    assert sum((row.usage for row in counted.rounds), Usage()) == sum((e.usage for e in ended if e.usage), Usage())
    broken = {event.exchange_id for event in EVENTS if isinstance(event, ExchangeEnded) and event.outcome == "failed"}
    whole = {(event.exchange_id, event.round) for event in ended}
    failed = [
        e
        for e in EVENTS
        if e.kind == "round_started" and e.exchange_id in broken and (e.exchange_id, e.round) not in whole
    ]
    assert sum(row.failed for row in counted.rounds) == len(failed)
    assert {row.agent for row in counted.rounds} >= {"claude-code", "codex"}


def test_every_call_is_counted_once_with_what_became_of_it(connection: sqlite3.Connection) -> None:
    counted = stored(connection)
    last = {e.invocation.id: e.invocation for e in EVENTS if isinstance(e, InvocationChanged)}
    over = [call for call in last.values() if not call.is_live]
    assert sum(row.calls for row in counted.calls) == len(over)
    assert sum(row.denied for row in counted.calls) == sum(call.refused for call in over)
    waited = [call for call in over if any(phase.state == "WaitingForConfirmation" for phase in call.phases)]
    assert len(counted.waits) == len(waited)
    spans = sorted(call.seconds_in("WaitingForConfirmation", 1e12) for call in waited)
    assert sorted(wait.seconds for wait in counted.waits) == pytest.approx(spans)


def test_an_older_file_is_counted_as_if_it_had_been_counted_all_along(connection: sqlite3.Connection) -> None:
    migrate(connection, STEP - 1)
    store(connection, EVENTS, noted=False)
    migrate(connection)
    older = count(RANGE, connection)
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    now = stored(fresh)
    fresh.close()
    assert (older.rounds, older.calls) == (now.rounds, now.calls)
    assert [wait.seconds for wait in older.waits] == pytest.approx([wait.seconds for wait in now.waits])


def test_slices_hold_what_began_in_them(connection: sqlite3.Connection) -> None:
    counted = stored(connection)
    first = min(event.at for event in EVENTS if event.kind == "round_started")
    assert counted.rounds[0].slice == int((first - RANGE.since) / RANGE.width)
    assert all(0 <= row.slice < RANGE.slices for row in (*counted.rounds, *counted.calls))
    assert count(TimeRange(0, 1, 1), connection).is_empty


def test_a_forgotten_conversation_counts_no_more(connection: sqlite3.Connection) -> None:
    before = stored(connection)
    forget_statistics(connection, "conv_0")
    after = count(RANGE, connection)
    assert sum(row.rounds for row in after.rounds) < sum(row.rounds for row in before.rounds)


def test_names_that_no_text_can_hold_are_stored_all_the_same(connection: sqlite3.Connection) -> None:
    migrate(connection)
    done = next(e for e in reversed(EVENTS) if isinstance(e, InvocationChanged) and not e.invocation.is_live)
    note_statistics(connection, replace(done, invocation=replace(done.invocation, tool="half\ud800")))
    assert count(RANGE, connection).calls[0].tool == "half?"


def test_tokens_that_nobody_counted_are_summed_apart(connection: sqlite3.Connection) -> None:
    migrate(connection)
    guessed = [
        replace(event, usage=replace(event.usage, estimated=event.usage.total))
        if isinstance(event, RoundEnded) and event.usage is not None and event.exchange_id == "ex_1"
        else event
        for event in EVENTS
    ]
    store(connection, guessed, noted=True)
    counted = sum((row.usage for row in count(RANGE, connection).rounds), Usage())
    told = [event.usage for event in guessed if isinstance(event, RoundEnded) and event.usage is not None]
    assert 0 < counted.estimated == sum(usage.estimated for usage in told) < counted.total
