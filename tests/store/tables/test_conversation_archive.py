"""Whole conversations come out as they went in; those from files are no traffic and no decision of ours."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tests.store.samples import a_conversation, frame, marked, wire_piece

from callgate.core.conversation import ConversationSummary, Marks
from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeStarted, ToolOutput, WireCaptured
from callgate.core.messages import Message, Text
from callgate.export.imported import as_imported
from callgate.export.record import ConversationRecord
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.tables.conversation_archive import ConversationArchive

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


KEY = "sk-ant-api03-abcdefgh12345678"


def with_secrets() -> ConversationRecord:
    """A key in each place where one can be, in some of them cut."""
    asked, *rest = a_conversation()
    assert isinstance(asked, ExchangeStarted)
    asked = replace(asked, fresh=(Message("user", (Text(f"use {KEY} please"),)),))
    said = (" the key ", KEY[:14], KEY[14:], " it is")
    texts = [DeltaArrived("e1", "c1", 1, TextDelta(0, piece), 2.5) for piece in said]
    outputs = [ToolOutput("inv_e1", "c1", piece, 4.5) for piece in ("found ", KEY[:9], KEY[9:], " there")]
    wire = [wire_piece(b'data: {"delta":{"text":"%s"}}\n\n' % piece.encode()) for piece in said]
    request = WireCaptured("e1", "c1", 0, "client_request", b'{"text":"use %s"}' % KEY.encode(), 1.0)
    told = frame(1, text=f'{{"progress":"{KEY[:9]}"}}', role="notification", invocation_id="inv_e1")
    called = frame(2, text=f'{{"key":"{KEY}"}}', role="request", invocation_id="inv_e1")
    summary = ConversationSummary("c1", title=f"use {KEY} please", marks=Marks(f"about {KEY}", origin="talk.jsonl"))
    events = (asked, rest[0], *texts, *outputs, *rest[1:])
    return ConversationRecord(summary, events, (request, *wire), (told, called))


def all_that_is_stored(folder: Path) -> str:
    connection = sqlite3.connect(folder / "callgate.db")
    try:
        return "\n".join(connection.iterdump())
    finally:
        connection.close()


def test_a_secret_in_a_file_that_is_taken_in_is_not_stored(tmp_path: Path) -> None:
    async def use(journal: Journal) -> tuple[list[Event], list[WireCaptured], ConversationSummary]:
        summary = await journal.shelf.put(with_secrets())
        frames, _ = await journal.frames("inv_e1")
        assert "abcdefgh" not in repr(frames) and KEY[:9] not in repr(frames)
        return await journal.events("c1"), await journal.wire("e1"), summary

    events, wire, summary = with_journal(tmp_path, use)
    everything = repr((events, wire, summary)) + all_that_is_stored(tmp_path)
    assert "abcdefgh" not in everything and "12345678" not in everything and KEY[:14] not in everything
    assert summary.title.startswith("use ") and summary.title.endswith(" please")
    assert len(events) == len(with_secrets().events)


def test_secrets_are_kept_in_what_is_taken_in_where_the_person_wants_that(tmp_path: Path) -> None:
    async def use(shelf: ConversationArchive) -> ConversationRecord | None:
        await shelf.put(with_secrets())
        return await shelf.record("c1", wire=True)

    database = Database(tmp_path / "callgate.db")
    try:
        record = asyncio.run(use(ConversationArchive(database, keep_secrets=True)))
    finally:
        assert database.close()
    assert record is not None and record.wire == with_secrets().wire and record.events == with_secrets().events
