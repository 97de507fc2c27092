"""Every definition that was ever seen is found again, with the time of its use."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tests.store.samples import started

from callgate.core.catalog.definition_diff import diff
from callgate.core.events import Event, ToolsChanged
from callgate.core.tool import Tool, ToolSpec
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.tables.definitions import SEEN_SECONDS, Definition, Definitions

SECONDS = 5
T = TypeVar("T")
FIRST = Tool("read_file", "files", "Reads.", {"type": "object"})
SECOND = replace(FIRST, description="Reads, and tells me all.")


def told(path: Path, events: list[Event], ask: Callable[[Definitions], Awaitable[T]]) -> T:
    """What is known after these events."""
    lost: list[Exception] = []
    database = Database(path / "callgate.db", lost.append)
    journal = Journal(database)
    for event in events:
        journal.record(event)

    async def bounded() -> T:
        return await asyncio.wait_for(ask(Definitions(database)), SECONDS)

    try:
        return asyncio.run(bounded())
    finally:
        assert database.close()
        assert lost == []


def history(path: Path, events: list[Event], name: str = "read_file", source: str = "files") -> list[Definition]:
    return told(path, events, lambda definitions: definitions.history(name, source))


def offered(*specs: ToolSpec, agent: str = "codex", at: float = 1.0) -> Event:
    return replace(started(at=at), tools=specs, agent=agent)


def test_a_tool_is_remembered_as_it_was_defined(tmp_path: Path) -> None:
    (known,) = history(tmp_path, [ToolsChanged((FIRST,), 5.0)])
    assert known == Definition("read_file", "files", "", FIRST.fingerprint, FIRST.definition, 5.0, 5.0)


def test_a_changed_definition_is_added_and_the_old_one_kept(tmp_path: Path) -> None:
    old, new = history(tmp_path, [ToolsChanged((FIRST,), 1.0), ToolsChanged((SECOND,), 2.0)])
    assert (old.fingerprint, new.fingerprint) == (FIRST.fingerprint, SECOND.fingerprint)
    (change,) = diff(old.definition, new.definition)
    assert change.path == "description"


def test_a_definition_that_comes_back_is_the_one_in_use(tmp_path: Path) -> None:
    events = [ToolsChanged((tool,), at) for at, tool in ((1.0, FIRST), (2.0, SECOND), (3.0, FIRST))]
    *_, current = history(tmp_path, events)
    assert (current.fingerprint, current.first_seen, current.last_seen) == (FIRST.fingerprint, 1.0, 3.0)


def test_sources_and_names_are_kept_apart(tmp_path: Path) -> None:
    elsewhere = replace(FIRST, source="other")
    events: list[Event] = [ToolsChanged((FIRST, elsewhere, replace(FIRST, name="x")), 1.0)]
    assert [known.source for known in history(tmp_path, events, source="other")] == ["other"]
    assert len(history(tmp_path, [])) == 1


def test_what_is_seen_all_the_time_is_noted_now_and_then_only(tmp_path: Path) -> None:
    (known,) = history(tmp_path, [ToolsChanged((FIRST,), 1.0), ToolsChanged((FIRST,), SEEN_SECONDS)])
    assert known.last_seen == 1.0
    (known,) = history(tmp_path, [ToolsChanged((FIRST,), SEEN_SECONDS + 1)])
    assert (known.first_seen, known.last_seen) == (1.0, SEEN_SECONDS + 1)


def test_tools_that_clients_bring_are_remembered_for_each_agent(tmp_path: Path) -> None:
    mine, theirs = ToolSpec("bash", "Runs."), ToolSpec("bash", "Runs anything.")
    events = [offered(mine), offered(theirs, agent="cline", at=2.0), offered(mine, at=3.0)]
    assert [known.agent for known in history(tmp_path, events, "bash", "client")] == ["codex", "cline"]
    (own,) = told(tmp_path, [], lambda definitions: definitions.history("bash", "client", "cline"))
    assert own.definition == theirs.definition


def test_hosted_tools_have_no_definition_to_remember(tmp_path: Path) -> None:
    assert history(tmp_path, [started()], "web_search", "client") == []


def test_what_a_grant_was_given_for_is_found_by_its_fingerprint(tmp_path: Path) -> None:
    events: list[Event] = [ToolsChanged((FIRST,), 1.0), ToolsChanged((SECOND,), 2.0)]
    found = told(tmp_path, events, lambda definitions: definitions.find(FIRST.fingerprint))
    assert found is not None
    assert found.definition == FIRST.definition
    assert told(tmp_path, [], lambda definitions: definitions.find("0" * 32)) is None


def test_no_definition_is_too_odd_to_be_kept(tmp_path: Path) -> None:
    for odd in (ToolSpec("half\ud83d", "half \ud83d", {"x": "\ud83d"}), ToolSpec("huge", schema={"maximum": 2**70})):
        (known,) = history(tmp_path, [offered(odd)], odd.name, "client")
        assert known.definition == odd.definition
        assert known.fingerprint == odd.fingerprint


def test_definitions_outlive_a_forgotten_conversation(tmp_path: Path) -> None:
    database = Database(tmp_path / "callgate.db")
    journal = Journal(database)
    journal.record(offered(ToolSpec("bash")))

    async def forget() -> int:
        await journal.forget("c1")
        return await database.run(count)

    def count(connection: sqlite3.Connection) -> int:
        return connection.execute("SELECT count(*) FROM definitions").fetchone()[0]

    try:
        assert asyncio.run(asyncio.wait_for(forget(), SECONDS)) == 1
    finally:
        assert database.close()


def test_tools_that_were_once_defined_otherwise_are_known_with_the_time_of_the_change(tmp_path: Path) -> None:
    other = Tool("write_file", "files", "Writes.")
    events: list[Event] = [
        ToolsChanged((FIRST, other), 1.0),
        ToolsChanged((SECOND, other), 7.0),
        offered(ToolSpec("mine", "One."), at=8.0),
        offered(ToolSpec("mine", "Two."), at=9.0),
    ]
    assert told(tmp_path, events, lambda definitions: definitions.changed()) == {("files", "read_file"): 7.0}
