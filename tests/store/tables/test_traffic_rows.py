"""The latest exchanges come back whole, without their deltas, page by page."""

import sqlite3
from functools import partial
from pathlib import Path

from tests.store.samples import a_conversation, started
from tests.store.test_journal import record_all, with_journal

from callgate.core.events import DeltaArrived, Event, ExchangeStarted, ToolOutput
from callgate.store.database import Database
from callgate.store.tables import traffic_rows


def recent(path: Path, limit: int, before: float | None = None) -> list[Event]:
    return with_journal(path, lambda journal: journal.recent_exchanges(limit, before))


def test_everything_but_deltas_and_output_comes_back_in_order(tmp_path: Path) -> None:
    events = a_conversation()
    record_all(tmp_path, events)
    assert recent(tmp_path, 10) == [event for event in events if not isinstance(event, DeltaArrived | ToolOutput)]


def test_the_latest_come_first_page_by_page_and_oldest_first_within_one(tmp_path: Path) -> None:
    record_all(tmp_path, [started(f"e{number}", f"c{number % 2}", at=float(number)) for number in range(7)])

    def starts(before: float | None = None) -> list[str]:
        return [event.exchange_id for event in recent(tmp_path, 3, before) if isinstance(event, ExchangeStarted)]

    assert starts() == ["e4", "e5", "e6"]
    assert starts(before=4.0) == ["e1", "e2", "e3"]
    assert starts(before=1.0) == ["e0"]
    assert starts(before=0.0) == []


def test_the_indexes_are_used(tmp_path: Path) -> None:
    """Without them every page would read the whole journal."""

    def plan(query: str, given: tuple[object, ...], connection: sqlite3.Connection) -> list[object]:
        return connection.execute(f"EXPLAIN QUERY PLAN {query}", given).fetchall()

    database = Database(tmp_path / "callgate.db")
    try:
        plans = [
            database.submit(partial(plan, query, given))
            for query, given in ((traffic_rows._PAGE, (1.0, 10)), (traffic_rows._EVENTS, ("e1",)))
        ]
        texts = [" ".join(str(row) for row in plan.result(timeout=5)) for plan in plans]
    finally:
        database.close()
    assert "exchanges_by_start" in texts[0] and "traffic_of_exchange" in texts[1]
