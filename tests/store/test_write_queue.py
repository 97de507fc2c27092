"""While the disk keeps up every event is written as it came; else pieces are joined, and nothing is lost."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.samples import ended, started

from callgate.core.assembly import Assembly
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta, Finished, TextDelta
from callgate.core.events import DeltaArrived, Event, ToolOutput, WireCaptured
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.write_queue import WriteQueue

SECONDS = 5


class Held:
    """A writer that stands still until it is let go."""

    def __init__(self, database: Database) -> None:
        self._go, self.reached = threading.Event(), threading.Event()
        database.post(self._wait)
        assert self.reached.wait(SECONDS)

    def _wait(self, connection: sqlite3.Connection) -> None:
        self.reached.set()
        assert self._go.wait(SECONDS)

    def let_go(self) -> None:
        self._go.set()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    lost: list[Exception] = []
    database = Database(tmp_path / "callgate.db", lost.append)
    yield database
    assert database.close()
    assert lost == []


def said(text: str, at: float = 1.0, conversation: str = "c1") -> Event:
    return DeltaArrived("e_" + conversation, conversation, 1, TextDelta(0, text), at)


def wire(data: bytes, head: tuple[tuple[str, str], ...] = ()) -> Event:
    return WireCaptured("e_c1", "c1", 1, "upstream_response", data, 1.0, head)


def played(database: Database, events: list[Event], full: int) -> tuple[list[Event], int]:
    """What was stored of these, and how many were held at most, with a writer that stands still meanwhile."""
    stored: list[Event] = []
    queue = WriteQueue(database, lambda event, _: stored.append(event), full)
    writer = Held(database)
    for event in events:
        queue.offer(event)
    most = queue.held
    writer.let_go()
    asyncio.run(asyncio.wait_for(database.run(lambda _: None), SECONDS))
    return stored, most


def test_events_go_through_as_they_come_while_there_is_room(database: Database) -> None:
    events = [said("a"), said("b"), ended()]
    assert played(database, events, full=100) == (events, 0)


def test_ten_thousand_deltas_become_one_and_interleaved_bytes_another(database: Database) -> None:
    events: list[Event] = []
    for number in range(10_000):
        events += [wire(b"x" * 3, (("a", "b"),) if number == 0 else ()), said(str(number % 10), at=number)]
    stored, most = played(database, events, full=0)
    assert most == 2
    first, second = stored
    assert isinstance(first, WireCaptured) and first.data == b"x" * 30_000 and first.head == (("a", "b"),)
    assert second == said("0123456789" * 1000, at=9999)


def test_what_begins_or_ends_stays_in_its_order(database: Database) -> None:
    deltas: list[Delta] = [
        TextDelta(0, "I "), TextDelta(0, "look"), CallStarted(1, "call", "read"), ArgumentsDelta(1, "{"),
        ArgumentsDelta(1, "}"), CallEnded(1, "{}"), TextDelta(2, "do"), TextDelta(2, "ne"), Finished("stop"),
    ]  # fmt: skip
    events: list[Event] = [started("e_c1"), *(DeltaArrived("e_c1", "c1", 1, delta, 1.0) for delta in deltas), ended()]
    stored, most = played(database, events, full=0)
    assert most == 8
    before, after = Assembly(), Assembly()
    for delta in deltas:
        before.add(delta)
    for event in stored:
        if isinstance(event, DeltaArrived):
            after.add(event.delta)
    assert after.message() == before.message()
    assert [stored[0], stored[-1]] == [events[0], events[-1]]


def test_other_conversations_are_joined_apart(database: Database) -> None:
    events = [
        said("a"),
        said("x", conversation="c2"),
        said("b"),
        ToolOutput("i", "c3", "1", 1.0),
        said("y", conversation="c2"),
    ]
    stored, _ = played(database, events, full=0)
    assert stored == [said("ab"), said("xy", conversation="c2"), ToolOutput("i", "c3", "1", 1.0)]


def test_a_journal_behind_still_reads_what_was_recorded(tmp_path: Path) -> None:
    database = Database(tmp_path / "callgate.db")
    journal = Journal(database)
    journal._queue._full = 0
    writer = Held(database)

    async def use() -> list[Event]:
        for event in (started("e1"), said("a"), said("b")):
            journal.record(event)
        reading = asyncio.get_running_loop().create_task(journal.events("c1"))
        await asyncio.sleep(0)
        writer.let_go()
        return await asyncio.wait_for(reading, SECONDS)

    assert asyncio.run(use()) == [started("e1"), said("ab")]
    journal.record(said("c"))
    assert database.close()
