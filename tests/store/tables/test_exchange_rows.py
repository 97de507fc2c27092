"""How a later request finds the exchange that it extends."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.store.samples import ended, started

from callgate.core.lineage import START
from callgate.store.tables.exchange_rows import (
    LineageRow,
    all_lineages,
    begin_exchange,
    end_exchange,
    find_lineage,
    unended_exchanges,
)
from callgate.store.tables.migrations import migrate


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    yield connection
    connection.close()


def exchange(connection: sqlite3.Connection, name: str, lineage: str, at: float = 9.0, agent: str = "codex") -> None:
    begin_exchange(connection, replace(started(name), agent=agent))
    end_exchange(connection, ended(name, at=at, lineage=lineage))


def test_an_ended_exchange_is_found_with_all_that_a_later_request_needs(connection: sqlite3.Connection) -> None:
    exchange(connection, "e1", "abc")
    found = LineageRow("abc", "c1", "e1", "codex", ended().hidden, ended().answer)
    assert find_lineage(connection, ["abc"], "") == found
    assert all_lineages(connection) == [found]


def test_the_first_hash_given_wins_over_a_newer_exchange(connection: sqlite3.Connection) -> None:
    exchange(connection, "long", "longest", at=1)
    exchange(connection, "short", "shorter", at=2)
    found = find_lineage(connection, ["unknown", "longest", "shorter"], "")
    assert found is not None
    assert found.exchange_id == "long"


def test_of_several_with_the_same_hash_the_newest_is_found(connection: sqlite3.Connection) -> None:
    exchange(connection, "old", "same", at=1)
    exchange(connection, "new", "same", at=3)
    exchange(connection, "middle", "same", at=2)
    found = find_lineage(connection, ["same"], "")
    assert found is not None
    assert found.exchange_id == "new"
    assert [row.exchange_id for row in all_lineages(connection)] == ["old", "middle", "new"]


def test_an_agent_finds_only_its_own(connection: sqlite3.Connection) -> None:
    exchange(connection, "e1", "same", agent="codex")
    assert find_lineage(connection, ["same"], "aider") is None
    assert find_lineage(connection, ["same"], "codex") is not None


@pytest.mark.parametrize("lineage", ["", START])
def test_an_exchange_in_which_nothing_was_said_is_never_found(connection: sqlite3.Connection, lineage: str) -> None:
    exchange(connection, "e1", lineage)
    assert find_lineage(connection, [lineage], "") is None
    assert all_lineages(connection) == []


def test_an_exchange_without_hidden_turns_or_answer_is_found_without_them(connection: sqlite3.Connection) -> None:
    end_exchange(connection, replace(ended(lineage="abc"), hidden=(), answer=None))
    assert find_lineage(connection, ["abc"], "") == LineageRow("abc", "c1", "e1", "")


def test_what_never_ended_is_listed_oldest_first(connection: sqlite3.Connection) -> None:
    begin_exchange(connection, started("second", at=2))
    begin_exchange(connection, started("first", "c2", at=1))
    exchange(connection, "done", "abc")
    assert unended_exchanges(connection) == [("first", "c2"), ("second", "c1")]


def test_lookups_use_the_index(connection: sqlite3.Connection) -> None:
    steps: list[str] = []
    connection.set_trace_callback(steps.append)
    find_lineage(connection, ["abc"], "")
    connection.set_trace_callback(None)
    plan = connection.execute(f"EXPLAIN QUERY PLAN {steps[-1]}").fetchall()
    assert "exchanges_by_lineage" in str(plan)
