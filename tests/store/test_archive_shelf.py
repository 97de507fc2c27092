"""Whole conversations come out as they went in; those from files are no traffic and no decision of ours."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from tests.store.samples import a_conversation, marked, wire_piece

from callgate.core.events import Event
from callgate.core.imported import as_imported
from callgate.core.record import ConversationRecord
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 5
T = TypeVar("T")


def with_journal(path: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    database = Database(path / "callgate.db")
    try:
        return asyncio.run(asyncio.wait_for(use(Journal(database)), SECONDS))
    finally:
        assert database.close()


async def filled(journal: Journal) -> ConversationRecord:
    events: list[Event] = [*a_conversation(), marked()]
    for event in (*events, wire_piece()):
        journal.record(event)
    record = await journal.shelf.record("c1", wire=True)
    assert record is not None
    assert record.events == tuple(events) and record.wire == (wire_piece(),)
    return record


def test_a_record_is_everything_that_was_recorded(tmp_path: Path) -> None:
    async def use(journal: Journal) -> None:
        record = await filled(journal)
        (summary,) = await journal.conversations()
        assert record.summary == summary
        assert await journal.shelf.record("none", wire=True) is None
        bare = await journal.shelf.record("c1", wire=False)
        assert bare is not None and bare.wire == ()
        assert await journal.shelf.ids() == ["c1"]
        assert await journal.shelf.ids(since=1000.0) == []

    with_journal(tmp_path, use)


def test_what_was_imported_is_read_like_any_other_and_counts_for_nothing_else(tmp_path: Path) -> None:
    async def use(journal: Journal) -> None:
        record = await filled(journal)
        before = (await journal.audit(), await journal.lineages(), await journal.recent_exchanges(99))
        names = iter(range(99))
        taken = as_imported(record, "talk.jsonl", 20.0, lambda prefix: f"{prefix}_{next(names)}")
        summary = await journal.shelf.put(taken)
        assert await journal.events(summary.id) == list(taken.events)
        assert await journal.wire("exch_1") == list(taken.wire)
        assert {known.id for known in await journal.conversations()} == {"c1", "imported_0"}
        assert (await journal.audit(), await journal.lineages(), await journal.recent_exchanges(99)) == before
        assert len(await journal.invocations(99)) == 1
        assert await journal.recover(99.0) == []
        found = await journal.shelf.search("content", 9)
        assert {hit.conversation_id for hit in found} == {"c1", "imported_0"}
        await journal.forget("imported_0")
        assert await journal.events("imported_0") == [] and await journal.wire("exch_1") == []

    with_journal(tmp_path, use)
