"""Tokens as the window makes and revokes them, and what a revocation ends."""

import asyncio
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.core.events import AgentsChanged, Event
from callgate.engine.bus import Bus
from callgate.engine.console.agent_service import LiveAgentService
from callgate.engine.tasks import Tasks
from callgate.store.files.agent_tokens import agent_tokens


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.stopped: list[tuple[str, str, str]] = []
        bus = Bus()
        bus.subscribe(self.events.append)
        self.tasks = Tasks(bus)
        self.service = LiveAgentService(agent_tokens(folder), bus, self.tasks, lambda: 5.0)
        self.service.on_revoked(lambda *what: self.stopped.append(what))


def test_what_is_made_is_found_listed_and_announced(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    async def play() -> None:
        text = bench.service.add(" codex ")
        found = bench.service.find(text)
        assert found is not None and found.name == "codex"
        await bench.tasks.close()

    asyncio.run(play())
    (view,) = bench.service.tokens()
    assert view.name == "codex" and view.last_used is not None
    assert bench.service.is_registered("codex") and not bench.service.is_registered("other")
    assert bench.events == [AgentsChanged(("codex",), 5.0)]


def test_a_revocation_stops_what_came_with_that_token_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.service.add("a")
    bench.service.add("a")
    first, second = bench.service.tokens()
    bench.service.revoke(first.id)
    assert bench.stopped == [(first.id, "person", "the agent's token was revoked")]
    assert bench.service.tokens() == (second,)
    with pytest.raises(UserFault):
        bench.service.revoke(first.id)


def test_what_was_revoked_elsewhere_is_acted_on_when_the_file_is_looked_at(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    text = bench.service.add("a")
    agent_tokens(tmp_path).revoke("a")
    assert bench.service.find(text) is None
    assert len(bench.stopped) == 1
    asyncio.run(bench.service.reread())
    assert len(bench.stopped) == 1, "once"
    assert not bench.service.is_registered("a")


def test_when_a_token_was_used_survives_the_program(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    async def play() -> None:
        bench.service.find(bench.service.add("a"))
        await bench.tasks.close()

    asyncio.run(play())
    bench.service.close()
    (view,) = Bench(tmp_path).service.tokens()
    assert view.last_used is not None


def test_a_broken_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "agents.json").write_text('{"tokens":[1]}', "utf-8")
    assert "agents.json" in Bench(tmp_path).service.problem
