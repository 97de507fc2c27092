"""Tokens as the window makes and revokes them, and what a revocation ends."""

import asyncio
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.core.events import AgentsChanged, Event
from callgate.engine.agent_desk import LiveAgentDesk
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.store.agent_tokens import agent_tokens


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.stopped: list[tuple[str, str, str]] = []
        bus = Bus()
        bus.subscribe(self.events.append)
        self.tasks = Tasks(bus)
        self.desk = LiveAgentDesk(agent_tokens(folder), bus, self.tasks, lambda: 5.0)
        self.desk.on_revoked(lambda *what: self.stopped.append(what))


def test_what_is_made_is_found_listed_and_announced(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    async def play() -> None:
        text = bench.desk.add(" codex ")
        found = bench.desk.find(text)
        assert found is not None and found.name == "codex"
        await bench.tasks.close()

    asyncio.run(play())
    (view,) = bench.desk.tokens()
    assert view.name == "codex" and view.last_used is not None
    assert bench.desk.is_registered("codex") and not bench.desk.is_registered("other")
    assert bench.events == [AgentsChanged(("codex",), 5.0)]


def test_a_revocation_stops_what_came_with_that_token_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.desk.add("a")
    bench.desk.add("a")
    first, second = bench.desk.tokens()
    bench.desk.revoke(first.id)
    assert bench.stopped == [(first.id, "person", "the agent's token was revoked")]
    assert bench.desk.tokens() == (second,)
    with pytest.raises(UserFault):
        bench.desk.revoke(first.id)


def test_what_was_revoked_elsewhere_is_acted_on_when_the_file_is_looked_at(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    text = bench.desk.add("a")
    agent_tokens(tmp_path).revoke("a")
    assert bench.desk.find(text) is None
    assert len(bench.stopped) == 1
    asyncio.run(bench.desk.reread())
    assert len(bench.stopped) == 1, "once"
    assert not bench.desk.is_registered("a")


def test_when_a_token_was_used_survives_the_program(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    async def play() -> None:
        bench.desk.find(bench.desk.add("a"))
        await bench.tasks.close()

    asyncio.run(play())
    bench.desk.close()
    (view,) = Bench(tmp_path).desk.tokens()
    assert view.last_used is not None


def test_a_broken_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "agents.json").write_text('{"tokens":[1]}', "utf-8")
    assert "agents.json" in Bench(tmp_path).desk.problem
