"""Calls that are over, read tool by tool, by an index: a journal of many events must not be read as a whole."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from tests.fakes.samples import NOON, completed, denied, released, running

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.tool_statistics import past_call
from callgate.core.events import Event, InvocationChanged
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.tables.past_calls import _CALLS, _USES, PastCalls, ToolUse

SECONDS = 5
T = TypeVar("T")


def told(path: Path, events: list[Event], ask: Callable[[PastCalls], Awaitable[T]]) -> T:
    lost: list[Exception] = []
    database = Database(path / "callgate.db", lost.append)
    journal = Journal(database)
    for event in events:
        journal.record(event)

    async def bounded() -> T:
        return await asyncio.wait_for(ask(PastCalls(database)), SECONDS)

    try:
        return asyncio.run(bounded())
    finally:
        assert database.close()
        assert lost == []


def over(invocation: Invocation, at: float) -> Event:
    return InvocationChanged(invocation, at)


def test_calls_of_a_tool_are_found_the_newest_first(tmp_path: Path) -> None:
    first, second = completed("search_text", id="a"), denied("search_text", id="b")
    events = [
        over(running("search_text", id="a"), NOON + 1),
        over(first, NOON + 9),
        over(second, NOON + 20),
        over(completed("other", id="c"), NOON + 30),
    ]
    found = told(tmp_path, events, lambda calls: calls.of_tool("search_text", "built-in", 10))
    assert found == [past_call(second, NOON + 20), past_call(first, NOON + 9)]
    assert told(tmp_path, [], lambda calls: calls.of_tool("search_text", "elsewhere", 10)) == []


def test_no_more_are_read_than_asked_for(tmp_path: Path) -> None:
    events = [over(completed(id=f"i{number}"), NOON + number) for number in range(5)]
    found = told(tmp_path, events, lambda calls: calls.of_tool(completed().tool, "built-in", 2))
    assert [call.invocation_id for call in found] == ["i4", "i3"]


def test_the_use_of_every_tool_is_counted(tmp_path: Path) -> None:
    events = [
        over(running("a", id="1"), NOON),
        over(completed("a", id="1"), NOON + 1),
        over(released("a", id="2"), NOON + 5),
        over(completed("a", id="4"), NOON + 6),
        over(denied("b", id="3"), NOON + 3),
    ]
    found = told(tmp_path, events, lambda calls: calls.uses())
    assert sorted(found, key=lambda use: (use.tool, use.source)) == [
        ToolUse("a", "built-in", 2, NOON + 6),
        ToolUse("a", "client", 1, NOON + 5),
        ToolUse("b", "built-in", 1, NOON + 3),
    ]


def test_both_questions_are_answered_by_the_index(tmp_path: Path) -> None:
    told(tmp_path, [], lambda calls: calls.uses())
    connection = sqlite3.connect(tmp_path / "callgate.db")
    for query, given in ((_USES, ()), (_CALLS, ("a", "b", 5))):
        plan = " ".join(str(row) for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", given))
        assert "USING INDEX calls_by_tool" in plan
    connection.close()
