"""What an outage keeps, in which order it is stored afterwards, and what the audit says of the rest."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.store.samples import a_conversation, ended

from callgate.core.events import DeltaArrived, Event, InvocationChanged, ToolOutput
from callgate.core.rules.audit import Verified, verify_lines
from callgate.store import outage as outage_module
from callgate.store.database import TransactionLostError
from callgate.store.outage import JournalState, Outage, is_decision
from callgate.store.sqlite_file import open_file
from callgate.store.tables.audit_rows import audit_lines


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = open_file(tmp_path / "callgate.db").connection
    opened.execute("BEGIN")
    yield opened
    opened.close()


def decisions(count: int) -> list[InvocationChanged]:
    one = next(event for event in a_conversation("e1") if isinstance(event, InvocationChanged) and is_decision(event))
    return [
        replace(one, at=float(100 + number), invocation=replace(one.invocation, id=f"inv_{number}"))
        for number in range(count)
    ]


def stored(outage_events: list[Event], connection: sqlite3.Connection, *, broken: str = "") -> list[Event]:
    found: list[Event] = []

    def store(event: Event, _: sqlite3.Connection) -> None:
        if event.kind == broken:
            raise ValueError("no")
        found.append(event)

    outage = Outage(store, lambda: 50.0)
    outage.failed(OSError("disk full"))
    for event in outage_events:
        outage.keep(event)
    outage.store(connection)
    outage.recovered()
    return found


def chain(connection: sqlite3.Connection) -> Verified:
    found = verify_lines([line.encode("ascii") for _, line in audit_lines(connection, 0, 1000)])
    assert isinstance(found, Verified)
    return found


def test_everything_but_pieces_of_streams_is_stored_in_its_order(connection: sqlite3.Connection) -> None:
    events = a_conversation("e1")
    kept = [event for event in events if not isinstance(event, DeltaArrived | ToolOutput)]
    assert len(kept) < len(events)
    assert stored(events, connection) == kept


def test_what_is_kept_of_a_conversation_can_be_shown() -> None:
    outage = Outage(lambda *_: None)
    outage.failed(OSError("disk full"))
    outage.keep(ended("e1", "c1"))
    outage.keep(ended("e2", "c2"))
    assert outage.kept_of("c1") == [ended("e1", "c1")]
    outage.recovered()
    assert outage.kept_of("c1") == []


def test_past_its_bytes_only_the_entries_of_decisions_are_kept(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage_module, "MOST_BYTES", 1)
    assert stored([*decisions(3), ended()], connection) == []
    assert (chain(connection).count, chain(connection).gaps) == (3, ())


def test_decisions_past_the_bound_leave_one_gap_after_those_that_were_kept(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage_module, "MOST_BYTES", 1)
    monkeypatch.setattr(outage_module, "MOST_DECISIONS", 2)
    states: list[JournalState] = []
    outage = Outage(lambda *_: None, lambda: 50.0)
    outage.changed = states.append
    outage.failed(OSError("disk full"))
    for event in decisions(5):
        outage.keep(event)
    outage.store(connection)
    outage.recovered()
    found = chain(connection)
    assert found.count == 3
    assert [(gap.sequence, gap.missing, gap.since, gap.at) for gap in found.gaps] == [(3, 3, 102.0, 104.0)]
    assert states == [JournalState(50.0, "disk full"), JournalState(missing=3)]


def test_an_event_that_cannot_be_stored_keeps_no_other_from_it(
    connection: sqlite3.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    assert stored([*decisions(1), ended()], connection, broken="invocation") == [ended()]
    assert [gap.missing for gap in chain(connection).gaps] == [1]
    assert "could not be stored" in caplog.text
    caplog.clear()


def test_a_store_that_fails_again_keeps_everything_for_the_next_try(connection: sqlite3.Connection) -> None:
    tries: list[Event] = []

    def store(event: Event, connection: sqlite3.Connection) -> None:
        tries.append(event)
        if len(tries) == 1:
            raise _full()

    outage = Outage(store)
    outage.failed(OSError("disk full"))
    outage.keep(ended())
    with pytest.raises(TransactionLostError):
        outage.store(connection)
    outage.store(connection)
    assert tries == [ended(), ended()]


def _full() -> sqlite3.Error:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def test_only_what_settles_a_decision_is_one() -> None:
    found = list(map(is_decision, a_conversation("e1")))
    assert any(found) and not all(found)
    assert not is_decision(ended())
