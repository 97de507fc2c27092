"""Only calls that the person made without a model count as tries, and only those that are over."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

from tests.store.samples import invocation, started

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.events import Event, ExchangeStarted, InvocationChanged
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.tables.trial_calls import _TRIES, TrialCalls

SECONDS = 5


def direct(exchange: str, at: float) -> ExchangeStarted:
    return replace(started(exchange, at=at), wire="mcp", agent="callgate")


def over(exchange: str, at: float, **more: object) -> InvocationChanged:
    phases = (Phase("Streaming", at), Phase("Completed", at))
    call = replace(invocation(f"inv_{exchange}", exchange), agent="callgate", state="Completed", phases=phases)
    return InvocationChanged(replace(call, **more), at)  # type: ignore[arg-type]


def found(path: Path, events: list[Event], limit: int = 10) -> list[Invocation]:
    lost: list[Exception] = []
    database = Database(path / "callgate.db", lost.append)
    journal = Journal(database)
    for event in events:
        journal.record(event)

    async def ask() -> list[Invocation]:
        return await asyncio.wait_for(TrialCalls(database).of_tool("files", "read_file", "callgate", limit), SECONDS)

    try:
        return asyncio.run(ask())
    finally:
        assert database.close()
        assert lost == []


def test_tries_come_newest_first_and_no_more_than_wanted(tmp_path: Path) -> None:
    events: list[Event] = []
    for number in range(5):
        events += [direct(f"e{number}", number), over(f"e{number}", number + 0.5)]
    assert [one.exchange_id for one in found(tmp_path, events, 3)] == ["e4", "e3", "e2"]


def test_calls_of_models_of_others_and_of_other_tools_are_no_tries(tmp_path: Path) -> None:
    chat = replace(started("chat", at=1.0), agent="callgate")
    events: list[Event] = [
        chat,
        over("chat", 2.0),
        direct("mine", 3.0),
        over("mine", 4.0),
        replace(direct("theirs", 5.0), agent="codex"),
        over("theirs", 6.0, agent="codex"),
        direct("other", 7.0),
        over("other", 8.0, tool="write_file"),
        direct("source", 9.0),
        over("source", 10.0, source="elsewhere"),
        direct("live", 11.0),
        over("live", 12.0, state="Executing"),
    ]
    assert [one.exchange_id for one in found(tmp_path, events)] == ["mine"]


def test_they_are_found_by_index_and_not_by_reading_the_whole_journal(tmp_path: Path) -> None:
    found(tmp_path, [direct("e", 1.0), over("e", 2.0)])
    with sqlite3.connect(tmp_path / "callgate.db") as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {_TRIES}", ("t", "s", "a", 1))]
    connection.close()
    assert any("calls_by_tool" in step for step in plan), plan
    assert not any(step.startswith("SCAN") for step in plan), plan
