"""Decisions are chained as they are recorded, and outlive what they were about."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.store.samples import invocation

from callgate.core.calls.invocation import Allow, Return, Review, Settle, advance
from callgate.core.events import InvocationChanged
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.audit import Verified, verify, verify_lines
from callgate.core.rules.policy import Verdict
from callgate.store.tables.audit_rows import audit_lines, audit_page, insert_decision
from callgate.store.tables.migrations import migrate

RESULT = ToolResult("call_1", (Text("no"),), is_error=True)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    yield connection
    connection.close()


def denied(number: int, why: str = "") -> InvocationChanged:
    after = advance(invocation(f"inv_{number}"), Settle(RESULT, "Denied", "person", explanation=why), number)
    return InvocationChanged(after, float(number), "card")


def lines(connection: sqlite3.Connection) -> list[bytes]:
    return [line.encode("ascii") for _, line in audit_lines(connection, 0, 100)]


def test_entries_are_numbered_from_one_and_chained(connection: sqlite3.Connection) -> None:
    for number in (1, 2, 3):
        insert_decision(connection, denied(number))
    newest_first = audit_page(connection, 100, None)
    assert [entry.sequence for entry in newest_first] == [3, 2, 1]
    assert verify(newest_first[::-1]) == Verified(3, newest_first[0].hash)
    assert verify_lines(lines(connection)) == Verified(3, newest_first[0].hash)


def test_the_same_decision_told_twice_is_one_entry(connection: sqlite3.Connection) -> None:
    insert_decision(connection, denied(1))
    insert_decision(connection, denied(1))
    assert len(lines(connection)) == 1


def test_a_call_and_the_review_of_its_result_are_two_entries(connection: sqlite3.Connection) -> None:
    running = advance(invocation(), Allow("Setting", "rule"), 4.0)
    returned = advance(running, Return(RESULT, review=Verdict("ask", "a rule wants the result reviewed")), 5.0)
    for value in (invocation(), running, returned, advance(returned, Review(RESULT), 6.0)):
        insert_decision(connection, InvocationChanged(value, 6.0))
    assert [entry.stage for entry in audit_page(connection, 9, None)] == ["result", "call"]


def test_pages_go_back_in_time(connection: sqlite3.Connection) -> None:
    for number in range(1, 6):
        insert_decision(connection, denied(number))
    assert [entry.sequence for entry in audit_page(connection, 2, None)] == [5, 4]
    assert [entry.sequence for entry in audit_page(connection, 2, 4)] == [3, 2]
    assert [entry.sequence for entry in audit_page(connection, 2, 2)] == [1]
    assert [sequence for sequence, _ in audit_lines(connection, 3, 1)] == [4]


def test_a_secret_in_the_words_of_a_decision_is_hidden_and_the_chain_holds(connection: sqlite3.Connection) -> None:
    insert_decision(connection, denied(1, "it would send sk-verysecret0123456789 away"))
    (line,) = lines(connection)
    assert b"verysecret" not in line
    assert b"it would send ***" in line
    assert isinstance(verify_lines([line]), Verified)


def test_arguments_are_never_kept(connection: sqlite3.Connection) -> None:
    event = denied(1)
    hush = replace(event.invocation, arguments='{"q": "hush"}', edited_arguments='{"q": "hushhush"}')
    insert_decision(connection, replace(event, invocation=hush))
    assert b"hush" not in lines(connection)[0]


def test_a_cut_off_end_shows_as_a_gap_once_something_is_decided(connection: sqlite3.Connection) -> None:
    for number in (1, 2, 3):
        insert_decision(connection, denied(number))
    connection.execute("DELETE FROM audit WHERE sequence >= 2")
    insert_decision(connection, denied(4))
    assert str(verify_lines(lines(connection))) == (
        "Broken(line=2, why='removed: entries 2 to 3 are missing before this one')"
    )


def test_an_entry_that_was_changed_in_the_file_shows_in_its_place(connection: sqlite3.Connection) -> None:
    for number in (1, 2):
        insert_decision(connection, denied(number))
    connection.execute("UPDATE audit SET body = '{}' WHERE sequence = 1")
    second, first = audit_page(connection, 9, None)
    assert second.sequence == 2
    assert (first.sequence, first.invocation_id) == (1, "inv_1")
    assert "cannot be read" in first.explanation
