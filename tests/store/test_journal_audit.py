"""The journal writes down each decision with its event, and keeps it when the conversation is forgotten."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.store.samples import a_conversation, invocation, started

from callgate.core.calls.invocation import Ask, Settle, advance
from callgate.core.events import InvocationChanged
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.audit import AuditEntry, Verified, verify, verify_lines
from callgate.core.rules.policy import Verdict
from callgate.store import journal as journal_module
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 5
T = TypeVar("T")
WAITING = advance(invocation(), Ask(Verdict("ask", "no rule matched"), 99.0), 4.0)
DENIED = advance(WAITING, Settle(ToolResult("call_1", (Text("no"),)), "Denied", "person"), 6.0)


def with_journal(path: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    lost: list[Exception] = []
    database = Database(path / "callgate.db", lost.append)

    async def bounded() -> T:
        return await asyncio.wait_for(use(Journal(database)), SECONDS)

    try:
        return asyncio.run(bounded())
    finally:
        assert database.close()
        assert lost == []


async def lines_of(journal: Journal) -> list[bytes]:
    return [line.encode("ascii") async for line in journal.export_audit()]


def test_a_conversation_with_one_decision_is_one_entry(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[AuditEntry]:
        for event in a_conversation():
            journal.record(event)
        return await journal.audit()

    (entry,) = with_journal(tmp_path, use)
    assert (entry.sequence, entry.tool, entry.verdict, entry.decided_by) == (1, "read_file", "allow", "rule")
    assert (entry.rule, entry.initiator, entry.state) == ("allow *", "card", "Executing")


def test_the_chain_goes_on_after_a_restart(tmp_path: Path) -> None:
    for number in range(3):

        async def use(journal: Journal, number: int = number) -> None:
            for event in a_conversation(f"e{number}"):
                journal.record(event)

        with_journal(tmp_path, use)
    entries = with_journal(tmp_path, lambda journal: journal.audit())
    assert verify(entries[::-1]) == Verified(3, entries[0].hash)


def test_forgetting_a_conversation_leaves_its_decisions_and_the_chain(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[bytes]:
        for event in [*a_conversation("e1", "c1"), *a_conversation("e2", "c2")]:
            journal.record(event)
        await journal.forget("c1")
        assert await journal.events("c1") == []
        for event in a_conversation("e3", "c3"):
            journal.record(event)
        return await lines_of(journal)

    found = verify_lines(with_journal(tmp_path, use))
    assert isinstance(found, Verified)
    assert found.count == 3


def test_a_decision_in_a_forgotten_conversation_is_a_decision_all_the_same(tmp_path: Path) -> None:
    async def use(journal: Journal) -> None:
        journal.record(started())
        journal.record(InvocationChanged(WAITING, 4.0))
        await journal.forget("c1")
        journal.record(InvocationChanged(DENIED, 6.0, "card"))
        (entry,) = await journal.audit()
        assert (entry.reason, entry.waited_seconds) == ("Denied", 2.0)
        assert await journal.events("c1") == []

    with_journal(tmp_path, use)


def test_a_call_that_a_crash_ended_is_an_entry_too(tmp_path: Path) -> None:
    async def before(journal: Journal) -> None:
        journal.record(started())
        journal.record(InvocationChanged(WAITING, 4.0))

    async def after(journal: Journal) -> list[AuditEntry]:
        await journal.recover(50.0)
        return await journal.audit()

    with_journal(tmp_path, before)
    (entry,) = with_journal(tmp_path, after)
    assert (entry.state, entry.decided_by, entry.waited_seconds) == ("Cancelled", "shutdown", 46.0)


def test_a_decision_that_alone_cannot_be_stored_leaves_a_gap_in_the_audit(tmp_path: Path) -> None:
    lost: list[Exception] = []
    database = Database(tmp_path / "callgate.db", lost.append)
    journal = Journal(database)

    def refuse(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END")

    async def use() -> list[AuditEntry]:
        await database.run(refuse)
        journal.record(InvocationChanged(DENIED, 6.0))
        await database.run(lambda connection: connection.execute("DROP TRIGGER full"))
        assert [str(error) for error in lost] == ["no room"]
        assert [(entry.stage, entry.missing) for entry in await journal.audit()] == [("gap", 1)]
        journal.record(InvocationChanged(DENIED, 6.0))
        return await journal.audit()

    try:
        assert [entry.sequence for entry in asyncio.run(asyncio.wait_for(use(), SECONDS))] == [2, 1]
    finally:
        assert database.close()


def test_an_export_longer_than_a_page_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "AUDIT_PAGE", 2)

    async def use(journal: Journal) -> list[bytes]:
        for number in range(5):
            for event in a_conversation(f"e{number}"):
                journal.record(event)
        return await lines_of(journal)

    found = verify_lines(with_journal(tmp_path, use))
    assert isinstance(found, Verified)
    assert found.count == 5
