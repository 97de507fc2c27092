"""Old bytes go first, in slices; what is pinned or came from a file stays whole."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.store.samples import a_conversation, ended, started

from callgate.core.conversation import ConversationSummary
from callgate.core.events import ConversationMarked, Event, WireCaptured
from callgate.core.marks import Marks
from callgate.export.record import ConversationRecord
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.retention import DAY

SECONDS = 5
T = TypeVar("T")


def with_journal(path: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    database = Database(path / "callgate.db")
    try:
        return asyncio.run(asyncio.wait_for(use(Journal(database)), SECONDS))
    finally:
        assert database.close()


def piece(conversation: str, at: float, data: bytes = b"bytes") -> WireCaptured:
    return WireCaptured(f"e_{conversation}", conversation, 1, "client_request", data, at)


def filled() -> list[Event]:
    events: list[Event] = []
    for conversation in ("old", "pinned", "new"):
        at = 10 * DAY if conversation == "new" else DAY
        events += [started(f"e_{conversation}", conversation, at), ended(f"e_{conversation}", conversation, at + 1)]
        events += [piece(conversation, at + number) for number in range(3)]
    return [*events, ConversationMarked("pinned", Marks(pinned=True), 10 * DAY)]


async def fill(journal: Journal) -> None:
    for event in filled():
        journal.record(event)
    await journal.settled()


def test_bytes_from_before_a_time_are_deleted_but_for_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.store.retention.SLICE_ROWS", 2)

    async def use(journal: Journal) -> tuple[int, list[int]]:
        await fill(journal)
        after, deleted, slices, more = 0, 0, 0, True
        while more:
            step = await journal.shelf.thin("wire", 5 * DAY, after)
            after, more = step.after, step.more
            deleted, slices = deleted + step.deleted, slices + 1
        assert slices >= 3
        return deleted, [len(await journal.wire(f"e_{name}")) for name in ("old", "pinned", "new")]

    assert with_journal(tmp_path, use) == (3, [0, 3, 3])


def test_sizes_are_told_by_day(tmp_path: Path) -> None:
    async def use(journal: Journal) -> object:
        await fill(journal)
        return await journal.shelf.wire_size()

    assert with_journal(tmp_path, use) == [(DAY, 15), (10 * DAY, 15)]


def test_only_what_nobody_keeps_is_stale(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[str]:
        await fill(journal)
        imported = ConversationSummary("imported_1", started_at=1.0, updated_at=2.0, marks=Marks(origin="x"))
        await journal.shelf.put(ConversationRecord(imported, tuple(a_conversation("e9", "imported_1"))))
        return await journal.shelf.stale(5 * DAY)

    assert with_journal(tmp_path, use) == ["old"]


def test_an_empty_journal_has_nothing_to_thin(tmp_path: Path) -> None:
    async def use(journal: Journal) -> object:
        return await journal.shelf.thin("wire", 5 * DAY)

    assert with_journal(tmp_path, use).more is False  # type: ignore[attr-defined]
