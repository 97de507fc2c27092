"""Everything that happened is found again, exactly, also after the worst of ends."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from tests.store.samples import a_conversation, ended, invocation, of_the_program, started, wire_piece

from callgate.core.calls.invocation import Ask
from callgate.core.calls.invocation import advance as step
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import Failed
from callgate.core.errors import Fault
from callgate.core.events import (
    DeltaArrived,
    EndpointsChanged,
    Event,
    ExchangeEnded,
    FaultRaised,
    FileChangesFound,
    InvocationChanged,
    JournalChanged,
    SourceChanged,
)
from callgate.core.rules.policy import Verdict
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 5
T = TypeVar("T")


def with_journal(path: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    """Opens the file, uses the journal on a loop, and closes everything; a lost write fails the test."""
    lost: list[Exception] = []

    async def bounded() -> T:
        return await asyncio.wait_for(use(Journal(database)), SECONDS)

    database = Database(path / "callgate.db", lost.append)
    try:
        return asyncio.run(bounded())
    finally:
        assert database.close()
        assert lost == []


def record_all(path: Path, events: list[Event]) -> None:
    async def use(journal: Journal) -> None:
        for event in events:
            journal.record(event)
        await journal.settled()

    with_journal(path, use)


def events_of(path: Path, conversation: str = "c1") -> list[Event]:
    return with_journal(path, lambda journal: journal.events(conversation))


def summaries(path: Path) -> list[ConversationSummary]:
    return with_journal(path, lambda journal: journal.conversations())


def test_a_stored_conversation_is_exactly_the_events_that_happened(tmp_path: Path) -> None:
    record_all(tmp_path, a_conversation())
    assert events_of(tmp_path) == a_conversation()


def test_reading_sees_what_was_recorded_just_before(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[Event]:
        journal.record(started())
        return await journal.events("c1")

    assert with_journal(tmp_path, use) == [started()]


def test_conversations_are_kept_apart(tmp_path: Path) -> None:
    record_all(tmp_path, [started("e1", "c1"), started("e2", "c2"), ended("e1", "c1")])
    assert events_of(tmp_path, "c1") == [started("e1", "c1"), ended("e1", "c1")]
    assert events_of(tmp_path, "c2") == [started("e2", "c2")]


def test_the_stored_summary_is_the_fold_of_all_events(tmp_path: Path) -> None:
    summary: ConversationSummary | None = None
    for event in a_conversation():
        summary = summarize(summary, event)
    record_all(tmp_path, a_conversation())
    assert summaries(tmp_path) == [summary]


def test_the_conversation_touched_last_comes_first(tmp_path: Path) -> None:
    record_all(tmp_path, [started("e1", "old", 1), started("e2", "new", 2), ended("e1", "old", 3)])
    assert [summary.id for summary in summaries(tmp_path)] == ["old", "new"]


def test_events_of_the_whole_program_are_kept_under_no_conversation(tmp_path: Path) -> None:
    record_all(tmp_path, of_the_program())
    # how a source is doing is news for the moment: after a restart it is another
    news = (SourceChanged, EndpointsChanged, JournalChanged, FileChangesFound)
    assert events_of(tmp_path, "") == [event for event in of_the_program() if not isinstance(event, news)]
    assert summaries(tmp_path) == []


def test_captured_bytes_are_kept_apart_from_the_events(tmp_path: Path) -> None:
    pieces = [wire_piece(b"one"), wire_piece(b"two " * 500)]
    record_all(tmp_path, [started(), *pieces])
    assert events_of(tmp_path) == [started()]
    assert with_journal(tmp_path, lambda journal: journal.wire("e1")) == pieces


def test_no_secret_reaches_the_file(tmp_path: Path) -> None:
    secret = "sk-verysecret0123456789"
    head = (("X-Api-Key", secret), (":path", f"/v1?key={secret}"), ("cookie", f"a={secret}"))
    fault = Fault("upstream", f"400 for https://h/?key={secret}")
    record_all(
        tmp_path,
        [
            replace(wire_piece(), head=head),
            FaultRaised("upstream", f"Bearer {secret}", 1.0, f"x-api-key: {secret}"),
            replace(ended(), fault=fault),
            DeltaArrived("e1", "c1", 1, Failed(fault), 1.0),
        ],
    )
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_a_forgotten_conversation_leaves_nothing_behind(tmp_path: Path) -> None:
    async def use(journal: Journal) -> None:
        for event in [*a_conversation("e1", "c1"), wire_piece(), *a_conversation("e2", "c2")]:
            journal.record(event)
        await journal.forget("c1")
        journal.record(ended("e1", "c1"))
        journal.record(wire_piece())
        assert await journal.events("c1") == []
        assert await journal.wire("e1") == []
        assert [summary.id for summary in await journal.conversations()] == ["c2"]
        assert [row.exchange_id for row in await journal.lineages()] == ["e2"]

    with_journal(tmp_path, use)


def test_a_forgotten_conversation_begins_anew_with_its_next_exchange(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[Event]:
        journal.record(started("e1"))
        await journal.forget("c1")
        journal.record(ended("e1"))
        journal.record(started("e2"))
        journal.record(ended("e2"))
        return await journal.events("c1")

    assert with_journal(tmp_path, use) == [started("e2"), ended("e2")]


def test_a_later_request_finds_its_exchange_after_a_restart(tmp_path: Path) -> None:
    record_all(tmp_path, a_conversation())
    found = with_journal(tmp_path, lambda journal: journal.by_lineage(["b" * 32, "a" * 32]))
    assert found is not None
    assert (found.conversation_id, found.exchange_id, found.agent) == ("c1", "e1", "codex")
    assert found.hidden == ended().hidden
    assert found.answer == ended().answer
    assert with_journal(tmp_path, lambda journal: journal.lineages()) == [found]
    assert with_journal(tmp_path, lambda journal: journal.by_lineage(["b" * 32])) is None


def test_a_row_that_cannot_be_read_shows_as_a_fault_and_hides_nothing_else(tmp_path: Path) -> None:
    record_all(tmp_path, [started(), ended()])
    database = Database(tmp_path / "callgate.db")
    database.submit(lambda c: c.execute("UPDATE events SET body = '{}' WHERE id = 1")).result(SECONDS)
    database.close()
    first, second = events_of(tmp_path)
    assert isinstance(first, FaultRaised)
    assert "event 1 (exchange_started) cannot be read" in first.message
    assert second == ended()


def test_what_was_live_is_ended_by_recovery(tmp_path: Path) -> None:
    waiting = step(invocation(), Ask(Verdict("ask", "no rule matched"), 99.0), 4.0)
    running = invocation("inv_2")
    record_all(
        tmp_path,
        [
            *a_conversation("e0", "done"),
            started(),
            InvocationChanged(invocation(), 3.0),
            InvocationChanged(waiting, 4.0),
            InvocationChanged(running, 4.0),
        ],
    )
    added = with_journal(tmp_path, lambda journal: journal.recover(50.0))
    assert [event.kind for event in added] == ["invocation", "invocation", "exchange_ended"]
    ends = [event.invocation for event in added if isinstance(event, InvocationChanged)]
    assert [(end.id, end.state, end.decided_by) for end in ends] == [
        ("inv_1", "Cancelled", "shutdown"),
        ("inv_2", "Cancelled", "shutdown"),
    ]
    assert ends[0].phases == (*waiting.phases, replace(waiting.phases[-1], state="Cancelled", since=50.0))
    assert added[-1] == ExchangeEnded("e1", "c1", "cancelled", 50.0)
    assert events_of(tmp_path)[-3:] == added
    summary = summaries(tmp_path)[0]
    assert (summary.id, summary.live, summary.waiting, summary.running_calls) == (
        "c1",
        frozenset(),
        frozenset(),
        frozenset(),
    )


def test_recovery_of_a_clean_file_and_a_second_recovery_add_nothing(tmp_path: Path) -> None:
    record_all(tmp_path, [*a_conversation(), started("e2")])
    assert len(with_journal(tmp_path, lambda journal: journal.recover(50.0))) == 1
    assert with_journal(tmp_path, lambda journal: journal.recover(60.0)) == []


CHILD = """
import asyncio, sys
from pathlib import Path
from callgate.store.database import Database
from callgate.store.journal import Journal
from tests.store.samples import a_conversation, wire_piece

async def main():
    journal = Journal(Database(Path(sys.argv[1]) / "callgate.db"))
    for number in range(100000):
        for event in a_conversation(f"e{number}"):
            journal.record(event)
        journal.record(wire_piece(b"x" * 5000, f"e{number}"))
        if number % 3 == 0:
            await journal.settled()
            print(number, flush=True)

asyncio.run(main())
"""


def killed_while_writing(folder: Path, confirmations: int) -> int:
    """Runs a program that records without end, kills it in the middle; returns the last exchange it was sure of."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert child.stdout is not None
    bound = threading.Timer(SECONDS, child.kill)  # ends the reading below, should the child say nothing
    bound.start()
    confirmed = -1
    for _ in range(confirmations):
        confirmed = int(child.stdout.readline())
    bound.cancel()
    child.kill()
    confirmed = max([confirmed, *(int(line) for line in child.stdout if line.endswith("\n"))])
    child.stdout.close()
    assert child.wait(SECONDS) in (-signal.SIGKILL, 1)
    return confirmed


@pytest.mark.parametrize("confirmations", [1, 4, 30])
def test_killed_at_any_moment_everything_confirmed_is_found_again(tmp_path: Path, confirmations: int) -> None:
    confirmed = killed_while_writing(tmp_path, confirmations)
    database = Database(tmp_path / "callgate.db")
    assert database.moved_aside is None
    assert database.submit(lambda c: c.execute("PRAGMA integrity_check").fetchone()).result(SECONDS) == ("ok",)
    database.close()
    found = events_of(tmp_path)
    for number in range(confirmed + 1):
        whole = a_conversation(f"e{number}")
        assert found[number * len(whole) : (number + 1) * len(whole)] == whole
    last = with_journal(tmp_path, lambda journal: journal.wire(f"e{confirmed}"))
    assert last == [wire_piece(b"x" * 5000, f"e{confirmed}")]
    with_journal(tmp_path, lambda journal: journal.recover(99.0))
    assert summaries(tmp_path)[0].live == frozenset()
