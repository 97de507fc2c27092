"""The tool desk of a running engine, over a real catalog, rule book and journal."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from tests.fakes.list_source import ListSource
from tests.fakes.rules import RuleList
from tests.fakes.samples import NOON, completed

from callgate.core.events import InvocationChanged, ToolsChanged
from callgate.core.rules.policy import Rule
from callgate.core.tool import Tool
from callgate.engine.offer.client_tools import ClientTools
from callgate.engine.offer.tool_service import Access, LiveToolService, Usage, rules_about
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.store.tables.definitions import Definitions
from callgate.store.tables.past_calls import PastCalls
from callgate.tools.catalog import Catalog

SECONDS = 5
T = TypeVar("T")
LOG, PUSH, READ = Tool("log", "git", "Shows."), Tool("push", "git", "Sends."), Tool("read", "files", "Reads.")


class Service:
    def __init__(self, path: Path) -> None:
        self.git = ListSource("git", LOG, PUSH)
        self.catalog = Catalog([self.git, ListSource("files", READ)])
        self.database = Database(path / "callgate.db")
        self.journal = Journal(self.database)
        self.rules = RuleList()
        self.told = 0
        self.catalog.on_change(self._count)
        self.service = LiveToolService(
            self.catalog,
            ClientTools(),
            self.rules,  # type: ignore[arg-type]  # has all that is asked of it
            PastCalls(self.database),
            Definitions(self.database),
        )

    def _count(self) -> None:
        self.told += 1

    def ask(self, question: Callable[[LiveToolService], Awaitable[T]]) -> T:
        async def bounded() -> T:
            return await asyncio.wait_for(question(self.service), SECONDS)

        return asyncio.run(bounded())


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Service]:
    stage = Service(tmp_path)
    yield stage
    assert stage.database.close()


def test_several_tools_are_switched_in_one_change(stage: Service) -> None:
    stage.service.switch(["log", "read"], False)
    assert stage.service.enabled_for("") == {"push"}
    assert stage.told == 1


def test_what_is_said_for_one_agent_is_read_back_for_it_alone(stage: Service) -> None:
    stage.service.switch(["push"], False, "codex")
    assert stage.service.enabled_for("codex") == {"log", "read"}
    assert stage.service.enabled_for("") == stage.service.enabled_for("other") == {"log", "push", "read"}
    assert stage.service.own_for("codex") == {"push"}
    assert stage.service.agents() == (Access("codex", None, True),)
    assert {tool.name for tool in stage.catalog.offered("codex")} == {"log", "read"}


def test_an_agent_becomes_as_all_others_again(stage: Service) -> None:
    stage.service.switch(["push"], False, "codex")
    stage.service.switch_source("files", False, "codex")
    stage.catalog.enable_agent("codex", False)
    assert stage.service.enabled_for("codex") == frozenset()
    stage.service.same_as_all("codex")
    assert stage.service.enabled_for("codex") == {"log", "push", "read"} and stage.service.agents() == ()


def test_a_source_that_is_off_keeps_its_later_tools_off(stage: Service) -> None:
    stage.service.switch_source("git", False)
    stage.git.replace(LOG, PUSH, Tool("new", "git"))
    assert stage.service.enabled_for("") == {"read"}


def test_one_tool_of_a_source_that_is_off_comes_on_alone(stage: Service) -> None:
    stage.service.switch_source("git", False)
    stage.service.switch(["log"], True)
    assert stage.service.enabled_for("") == {"log", "read"}


def test_switching_a_source_on_switches_all_of_its_tools_on(stage: Service) -> None:
    stage.service.switch(["log"], False)
    stage.service.switch_source("git", True)
    assert stage.service.enabled_for("") == {"log", "push", "read"}


def test_use_and_statistics_come_from_the_journal(stage: Service) -> None:
    done = replace(completed("log"), source="git")
    stage.journal.record(InvocationChanged(done, NOON + 5))
    assert stage.ask(lambda service: service.usage()) == {("git", "log"): Usage(1, NOON + 5)}
    found = stage.ask(lambda service: service.statistics(LOG))
    assert found.calls == 1 and found.latest[0].conversation_id == done.conversation_id
    assert stage.ask(lambda service: service.statistics(PUSH)).calls == 0


def test_a_history_tells_each_change_the_newest_first(stage: Service) -> None:
    later = replace(LOG, description="Shows all.")
    stage.journal.record(ToolsChanged((LOG,), 1.0))
    stage.journal.record(ToolsChanged((later,), 2.0))
    newest, first = stage.ask(lambda service: service.history(LOG))
    assert first.changes == () and first.before is None
    assert [change.path for change in newest.changes] == ["description"]
    assert newest.after["description"] == "Shows all."
    assert stage.ask(lambda service: service.changed()) == {("git", "log"): 2.0}


def test_the_rules_about_a_tool_are_those_whose_globs_fit(stage: Service) -> None:
    rules = (Rule("allow", "log"), Rule("deny", "pu*"), Rule("ask", source="git"), Rule("allow", "log", "files"))
    assert rules_about(LOG, rules) == (rules[0], rules[2])
    assert rules_about(PUSH, rules) == (rules[1], rules[2])
