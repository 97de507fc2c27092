"""Messages of MCP servers are kept with all that is known of them, found by call, and forgotten with their talk."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from tests.store.samples import a_conversation, frame

from callgate.core.config.settings import JournalSettings
from callgate.core.events import ConversationMarked, FrameCaptured, ToolOutput
from callgate.core.marks import Marks
from callgate.engine import housekeeping
from callgate.engine.housekeeping import Housekeeping
from callgate.export.record import SPREAD_FRAMES
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.reading import open_for_reading
from callgate.store.sqlite_file import APPLICATION_ID
from callgate.store.tables.frame_rows import frames_of_conversation
from callgate.store.tables.migrations import MIGRATIONS, migrate
from callgate.store.tables.record_rows import read_record

SECONDS = 5
T = TypeVar("T")
DAY = 86_400.0
FRAMES = [name for name, _ in MIGRATIONS].index("frames") + 1


def with_journal(folder: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    database = Database(folder / "callgate.db")
    try:
        return asyncio.run(asyncio.wait_for(use(Journal(database)), SECONDS))
    finally:
        assert database.close()


def recorded(folder: Path, *frames: FrameCaptured) -> None:
    async def use(journal: Journal) -> None:
        for event in (*a_conversation("e1", "c1"), *frames):
            journal.record(event)
        await journal.settled()

    with_journal(folder, use)


def test_frames_come_back_as_they_were_after_a_restart(tmp_path: Path) -> None:
    long = frame(2, direction="in", role="response", asked_at=11.0, text="x" * 5000, size=6000, rpc_id="ü", at=12.5)
    odd = frame(3, text='{"half": "\ud83d"}', invocation_id="inv_2")
    nobodys = frame(4, method="initialize", invocation_id="", conversation_id="", joined="", source="other")
    recorded(tmp_path, frame(1), long, odd, nobodys)

    async def use(journal: Journal) -> None:
        await journal.recover(99.0)
        assert await journal.frames("inv_1") == ([frame(1), long], 2)
        assert (await journal.frames("inv_2"))[0][0].text == '{"half": "?"}'
        assert await journal.frames("") == ([], 0), "those of no call are not those of the call without a name"
        assert journal.mcp_sources == {"git", "other"}
        assert await journal.source_frames("other", 5) == [nobodys]
        assert [one.id for one in await journal.source_frames("git", 2)] == ["frame_2", "frame_3"]
        course = await journal.course("c1")
        heads = [event for event in course if isinstance(event, FrameCaptured)]
        assert heads[:2] == [replace(frame(1), text=""), replace(long, text="")]
        assert len(course) == len(await journal.events("c1")) + 3

    with_journal(tmp_path, use)


def test_of_very_many_the_first_and_the_last_are_read(tmp_path: Path) -> None:
    recorded(tmp_path, *(frame(number) for number in range(20)))

    async def use(journal: Journal) -> tuple[list[str], int]:
        frames, count = await journal.frames("inv_1", 5)
        return [one.rpc_id for one in frames], count

    assert with_journal(tmp_path, use) == (["0", "1", "17", "18", "19"], 20)


def test_they_go_with_their_conversation_and_by_age_but_for_pinned_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "PAUSE_SECONDS", 0)
    old = frame(1, at=1 * DAY, conversation_id="", invocation_id="")
    young = frame(3, at=300 * DAY, conversation_id="", invocation_id="")
    recorded(tmp_path, old, frame(2, at=2 * DAY), frame(4, at=2 * DAY, conversation_id="c2"), young)

    async def left(journal: Journal) -> list[str]:
        return [one.rpc_id for one in await journal.source_frames("git", 99)]

    async def thinned(journal: Journal) -> list[str]:
        for event in (*a_conversation("e2", "c2"), ConversationMarked("c2", Marks(pinned=True), 2 * DAY)):
            journal.record(event)
        await journal.settled()
        await Housekeeping(journal.shelf, JournalSettings(), journal.forget).tidy(301 * DAY)
        return await left(journal)

    assert with_journal(tmp_path, thinned) == ["4", "3"], "a month is the usual time"

    async def forgotten(journal: Journal) -> list[str]:
        journal.record(frame(5, at=301 * DAY))
        await journal.settled()
        await journal.forget("c1")
        journal.record(frame(6, at=301 * DAY))
        await journal.settled()
        return await left(journal)

    assert with_journal(tmp_path, forgotten) == ["4", "3"], "what still comes of what was deleted is not kept either"


def test_their_size_counts_for_the_room_that_captures_may_take(tmp_path: Path) -> None:
    recorded(tmp_path, frame(1, text="a" * 100, at=5 * DAY))

    async def use(journal: Journal) -> list[tuple[float, int]]:
        return [(day, size) for day, size in await journal.shelf.wire_size() if day == 5 * DAY]

    assert with_journal(tmp_path, use) == [(5 * DAY, 100)]


def test_a_file_of_an_older_program_is_read_without_them(tmp_path: Path) -> None:
    path = tmp_path / "callgate.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(connection, FRAMES - 1)
    connection.close()
    reading = open_for_reading(path)
    try:
        assert read_record(reading, "c1") is None
        with pytest.raises(sqlite3.OperationalError):
            frames_of_conversation(reading, "c1")
    finally:
        reading.close()
    recorded(tmp_path, frame(1))
    reading = open_for_reading(path)
    record = read_record(reading, "c1")
    reading.close()
    assert record is not None and record.frames == (frame(1),), "opened by this program it has room for them"


def test_progress_of_a_tool_that_spreads_a_key_over_its_messages_is_not_kept(tmp_path: Path) -> None:
    pieces = ("ghp_abcdef", "ghijklmnop0123", " that was it, and now some words follow")

    async def use(journal: Journal) -> list[FrameCaptured]:
        for number, piece in enumerate(pieces):
            note = frame(number, role="notification", text=f'{{"message":"{piece}"}}', invocation_id="i1")
            journal.record(note)
            journal.record(ToolOutput("i1", "c1", piece, 1.0))
        journal.record(frame(9, invocation_id="i1"))
        return (await journal.frames("i1"))[0]

    texts = [one.text for one in with_journal(tmp_path, use)]
    assert texts[:3] == [SPREAD_FRAMES] * 3 and "tools/call" in texts[3]
