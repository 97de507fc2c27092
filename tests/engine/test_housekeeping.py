"""What was kept long enough goes, and only that."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.store.samples import ended, started

from callgate.core.config.settings import JournalSettings
from callgate.core.events import Event, WireCaptured
from callgate.engine import housekeeping
from callgate.engine.housekeeping import Housekeeping
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 5
DAY = 86_400.0
NOW = 400 * DAY


def at(days_ago: float, name: str, size: int = 10) -> list[Event]:
    moment = NOW - days_ago * DAY
    return [
        started(f"e_{name}", name, moment),
        WireCaptured(f"e_{name}", name, 1, "client_request", b"x" * size, moment),
        ended(f"e_{name}", name, moment),
    ]


def left(folder: Path, settings: JournalSettings, events: list[Event]) -> tuple[set[str], set[str]]:
    """Conversations, and those of them with bytes, after tidying."""

    async def use() -> tuple[set[str], set[str]]:
        journal = Journal(database)
        for event in events:
            journal.record(event)
        await journal.settled()
        await Housekeeping(journal.shelf, settings, journal.forget).tidy(NOW)
        known = {summary.id for summary in await journal.conversations()}
        return known, {name for name in known if await journal.wire(f"e_{name}")}

    database = Database(folder / "callgate.db")
    try:
        return asyncio.run(asyncio.wait_for(use(), SECONDS))
    finally:
        database.close()


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "PAUSE_SECONDS", 0)


def test_by_default_bytes_stay_a_month_and_conversations_for_ever(tmp_path: Path) -> None:
    events = [*at(300, "ancient"), *at(31, "old"), *at(29, "young")]
    assert left(tmp_path, JournalSettings(), events) == ({"ancient", "old", "young"}, {"young"})


def test_conversations_go_only_where_the_person_said_so(tmp_path: Path) -> None:
    events = [*at(300, "ancient"), *at(29, "young")]
    assert left(tmp_path, JournalSettings(keep_days=100, wire_days=0), events) == ({"young"}, {"young"})


def test_zero_means_that_nothing_is_deleted(tmp_path: Path) -> None:
    events = [*at(300, "ancient")]
    settings = JournalSettings(keep_days=0, wire_days=0, wire_megabytes=0)
    assert left(tmp_path, settings, events) == ({"ancient"}, {"ancient"})


def test_too_many_bytes_lose_their_oldest_days(tmp_path: Path) -> None:
    chance = random.Random(1)  # what deflates to nothing does not count
    events = [
        replace(event, data=chance.randbytes(600_000)) if isinstance(event, WireCaptured) else event
        for days in (4, 3, 2)
        for event in at(days, f"d{days}")
    ]
    known, having = left(tmp_path, JournalSettings(wire_days=0, wire_megabytes=1), events)
    assert known == {"d4", "d3", "d2"}
    assert having == {"d2"}
