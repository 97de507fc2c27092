"""The source desk with real servers as processes: their lives, their words, and sources that come and go."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import alive, rude, until
from tests.fakes.on_loop import on_loop
from tests.fakes.secret_shelf import SecretShelf

from callgate.core.config.doctor import DoctorStep
from callgate.core.config.settings import Settings, SourceSettings
from callgate.core.errors import UserFault
from callgate.core.events import Event, SourceChanged
from callgate.engine.bus import Bus
from callgate.engine.offer.live_toolset_service import LiveToolsetService
from callgate.engine.sources.live_sources import LiveSources
from callgate.engine.sources.questions import Questions
from callgate.engine.sources.source_secrets import SourceSecrets
from callgate.engine.tasks import Tasks
from callgate.runtime.build_mcp import McpBuilder
from callgate.runtime.build_sources import SourceBuilder
from callgate.runtime.build_tools import ToolRegistry
from callgate.store.files.json_file import JsonFile
from callgate.store.files.source_file import SourceFile
from callgate.tools.confinement import Confinement

SHOUT = {"name": "shout", "argv": ["echo", "hi"]}


def server(name: str, manner: str = "polite", *words: str, **more: object) -> SourceSettings:
    said = {"name": name, "kind": "mcp", "command": list(rude(manner, *words)), "era": "legacy", **more}
    return SourceSettings.model_validate(said)


class Room:
    """A desk over a catalog, built from what a folder holds."""

    def __init__(self, folder: Path, shelf: SecretShelf, *configured: SourceSettings) -> None:
        self.folder = folder
        work = folder / "work"
        work.mkdir(exist_ok=True)
        settings = Settings(sources=configured)
        workspace = Confinement(work)
        self.bus = Bus()
        self.tasks = Tasks(self.bus)
        self.events: list[Event] = []
        self.faults: list[str] = []
        self.bus.subscribe(self.events.append)
        questions = Questions(self.bus)
        questions.close()  # nobody answers
        servers = McpBuilder(work, folder, self.tasks, questions)
        maker = SourceBuilder(settings, workspace, folder, servers)
        file = SourceFile(JsonFile(folder / "sources.json"))
        self.service = LiveSources(configured, file, SourceSecrets(shelf), maker, self.bus, self.tasks, work)
        self.toolbox = ToolRegistry(
            settings, workspace, folder, [folder], self.service.slots("config"), self.service.slots("added")
        )
        self.catalog = self.toolbox.catalog
        sets = LiveToolsetService(self.toolbox.toolsets, folder, lambda: None)
        self.service.attach(self.catalog, sets, lambda where, message: self.faults.append(f"{where}: {message}"))

    def state(self, name: str) -> str:
        view = self.service.source(name)
        return view.state if view is not None else "gone"

    async def ready(self, name: str, state: str = "ready") -> None:
        await until(lambda: self.state(name) == state)

    def tools_of(self, name: str) -> list[str]:
        return [tool.name for tool in self.catalog.tools() if tool.source == name]

    def said(self, name: str) -> list[str]:
        return [event.state for event in self.events if isinstance(event, SourceChanged) and event.source == name]


@asynccontextmanager
async def room(folder: Path, *configured: SourceSettings, shelf: SecretShelf | None = None) -> AsyncIterator[Room]:
    opened = Room(folder, shelf or SecretShelf(), *configured)
    await opened.catalog.open()
    try:
        yield opened
    finally:
        pids = [one.pid for one in opened.service.servers()]
        await opened.catalog.close()
        await opened.tasks.close()
        for pid in pids:
            assert pid is None or not alive(pid)


@on_loop
async def test_sources_are_listed_with_all_that_is_known_of_them(tmp_path: Path) -> None:
    commands = SourceSettings.model_validate({"name": "mine", "kind": "command", "tools": [SHOUT]})
    off = server("off").model_copy(update={"enabled": False})
    async with room(tmp_path, commands, server("polite"), server("gone", "quits"), off) as here:
        await here.ready("polite")
        await here.ready("gone", "failed")
        views = {view.name: view for view in here.service.sources()}
        assert list(views) == ["built-in", "polite", "gone", "off", "mine", "registered"]
        polite = views["polite"]
        assert (polite.kind, polite.origin, polite.transport, polite.era) == ("mcp", "config", "stdio", "legacy")
        assert (polite.server, polite.protocol, polite.tools) == ("polite", "2025-06-18", 3)
        assert polite.pid is not None
        assert "no licence found" in views["gone"].reason and views["gone"].last_error
        assert (views["off"].state, views["off"].enabled, views["off"].tools) == ("off", False, 0)
        assert (views["mine"].state, views["mine"].tools, views["mine"].where) == ("ready", 1, "echo")
        assert [views[name].origin for name in ("built-in", "registered")] == ["builtin", "http"]
        assert here.said("polite")[-1] == "ready"
        assert len(here.faults) == 1 and "MCP server gone" in here.faults[0]


@on_loop
async def test_a_source_is_stopped_started_and_restarted(tmp_path: Path) -> None:
    async with room(tmp_path, server("polite")) as here:
        await here.ready("polite")
        first = here.service.servers()[0].pid
        await here.service.stop("polite")
        assert (here.state("polite"), here.tools_of("polite")) == ("stopped", [])
        assert first is not None and not alive(first)
        await here.service.start("polite")
        await here.ready("polite")
        second = here.service.servers()[0].pid
        assert second not in (None, first)
        await here.service.restart("polite")
        await until(lambda: here.service.servers()[0].pid not in (None, second))
        await here.ready("polite")
        assert len(here.tools_of("polite")) == 3
        with pytest.raises(UserFault, match="no source 'nobody'"):
            await here.service.start("nobody")


@on_loop
async def test_switching_off_outlives_the_program_for_every_kind_and_origin(tmp_path: Path) -> None:
    configured = (
        server("polite"),
        SourceSettings.model_validate({"name": "mine", "kind": "command", "tools": [SHOUT]}),
    )
    async with room(tmp_path, *configured) as here:
        await here.ready("polite")
        await here.service.enable("polite", False)
        await here.service.enable("mine", False)
        assert (here.state("polite"), here.state("mine")) == ("off", "off")
        assert here.tools_of("mine") == []
    async with room(tmp_path, *configured) as here:
        assert (here.state("polite"), here.state("mine"), here.service.servers()) == ("off", "off", ())
        await here.service.enable("polite", True)
        await here.ready("polite")
    async with room(tmp_path, *configured) as here:
        await here.ready("polite")


@on_loop
async def test_log_and_frames_come_as_they_are_said(tmp_path: Path) -> None:
    async with room(tmp_path, server("noisy", "garbage")) as here:
        news: list[str] = []
        hearing = here.service.on_news(news.append)
        await here.ready("noisy")
        assert set(news) == {"noisy"}
        assert any("<html>" in line.text for line in here.service.log("noisy"))
        frames = here.service.frames("noisy")
        assert [json.loads(frame.text).get("method") for frame in frames if frame.direction == "out"] == [
            "initialize",
            "notifications/initialized",
            "tools/list",
        ]
        assert here.service.frames("noisy", frames[-2].number) == frames[-1:]
        hearing.close()
        here.service.clear("noisy")
        assert (here.service.log("noisy"), here.service.frames("noisy")) == ((), ())
        assert here.service.log("nobody") == ()


@on_loop
async def test_a_source_is_added_at_run_time_kept_and_there_again_at_the_next_start(tmp_path: Path) -> None:
    async with room(tmp_path, server("polite")) as here:
        await here.ready("polite")
        before = here.tools_of("polite")
        assert await here.service.add(server("extra")) == ""
        await here.ready("extra")
        assert here.tools_of("polite") == before
        assert here.tools_of("extra") == ["extra__environment", "extra__big", "extra__echo"]
        for name in ("polite", "extra", "registered"):
            with pytest.raises(UserFault, match=f"already a source named {name}"):
                await here.service.add(server(name))
    async with room(tmp_path, server("polite")) as here:
        await here.ready("extra")
        await here.ready("polite")
        assert here.tools_of("extra") == ["extra__environment", "extra__big", "extra__echo"]
        assert here.service.sources()[-1].origin == "added"


@on_loop
async def test_a_removed_source_comes_back_as_it_was(tmp_path: Path) -> None:
    shelf = SecretShelf()
    async with room(tmp_path, server("fixed"), shelf=shelf) as here:
        for name in ("a", "b"):
            await here.service.add(server(name, env={"API_KEY": f"secret-{name}"}))
            await here.ready(name)
        order = [view.name for view in here.service.sources()]
        pid = here.service.servers()[1].pid
        await here.service.remove("a")
        assert pid is not None and not alive(pid)
        assert here.state("a") == "gone" and here.tools_of("a") == []
        assert here.said("a")[-1] == "removed"
        assert list(shelf.kept) == ["source:b:API_KEY"]
        await here.service.restore("a")
        await here.ready("a")
        assert [view.name for view in here.service.sources()] == order
        assert shelf.kept["source:a:API_KEY"] == "secret-a"
        with pytest.raises(UserFault, match="configuration file"):
            await here.service.remove("fixed")
        with pytest.raises(UserFault, match="any more"):
            await here.service.restore("never")


@on_loop
async def test_secrets_reach_the_server_and_no_file(tmp_path: Path) -> None:
    shelf = SecretShelf()
    async with room(tmp_path, shelf=shelf) as here:
        await here.service.add(server("keyed", "polite", "--token", "s3cret-one", env={"API_KEY": "s3cret-two"}))
        await here.ready("keyed")
        assert set(shelf.kept.values()) == {"s3cret-one", "s3cret-two"}
        view = here.service.source("keyed")
        assert view is not None and "s3cret" not in view.where
        assert "s3cret" not in here.service.configuration("keyed") + here.service.configuration("keyed", "toml")
    assert "s3cret" not in (tmp_path / "sources.json").read_text("utf-8")
    async with room(tmp_path, shelf=shelf) as here:
        await here.ready("keyed")
        proc = Path(f"/proc/{here.service.servers()[0].pid}")
        assert b"s3cret-one" in (proc / "cmdline").read_bytes()
        assert b"API_KEY=s3cret-two" in (proc / "environ").read_bytes()


@on_loop
async def test_without_a_keyring_it_works_for_this_run_and_says_so(tmp_path: Path) -> None:
    shelf = SecretShelf(locked=True)
    async with room(tmp_path, shelf=shelf) as here:
        note = await here.service.add(server("keyed", env={"API_KEY": "s3cret"}))
        assert "API_KEY will be asked for" in note
        await here.ready("keyed")
    async with room(tmp_path, shelf=shelf) as here:
        await here.ready("keyed", "failed")
        assert "No value was given for the input 'API_KEY'" in here.faults[0]


@on_loop
async def test_a_source_is_changed_in_its_place_and_its_secrets_move_with_its_name(tmp_path: Path) -> None:
    shelf = SecretShelf()
    async with room(tmp_path, shelf=shelf) as here:
        await here.service.add(server("old", env={"API_KEY": "s3cret"}))
        await here.service.add(server("last"))
        await here.ready("old")
        settings = here.service.settings("old")
        assert settings is not None
        await here.service.add(settings.model_copy(update={"name": "new"}), replacing="old")
        await here.ready("new")
        assert [view.name for view in here.service.sources()][-2:] == ["new", "last"]
        assert shelf.kept == {"source:new:API_KEY": "s3cret"}
        assert here.said("old")[-1] == "removed"
        assert {tool.source for tool in here.catalog.tools()} >= {"new", "last"}


@on_loop
async def test_command_tools_are_added_and_examined(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        mine = SourceSettings.model_validate({"name": "mine", "kind": "command", "tools": [SHOUT]})
        await here.service.add(mine)
        assert here.tools_of("mine") == ["shout"]
        steps: list[DoctorStep] = []
        assert (await here.service.examine(mine, steps.append)).works
        assert steps[-1].state == "ok"


@on_loop
async def test_an_examination_uses_kept_secrets_and_disturbs_nobody(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.service.add(server("keyed", env={"API_KEY": "s3cret"}))
        await here.ready("keyed")
        pid = here.service.servers()[0].pid
        settings = here.service.settings("keyed")
        assert settings is not None
        assert (await here.service.examine(settings, lambda step: None)).works
        assert here.service.servers()[0].pid == pid
        await until(lambda: len(here.tasks) == 1)


@on_loop
async def test_an_added_source_yields_to_one_of_the_configuration(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.service.add(server("twin"))
    async with room(tmp_path, server("twin")) as here:
        assert [view.origin for view in here.service.sources() if view.name == "twin"] == ["config"]
        assert "configuration file has one of that name" in here.service.problems[0]


@on_loop
async def test_values_are_kept_for_the_source_that_asks_for_them_only(tmp_path: Path) -> None:
    shelf = SecretShelf()
    async with room(tmp_path, shelf=shelf) as here:
        given = {"word": "w", "other": "o", "empty": ""}
        await here.service.add(server("a", "polite", "${input:word}", "${input:empty}x").model_copy(), given)
        assert shelf.kept == {"source:a:word": "w"}
        await here.ready("a", "failed")
        await here.service.remove("a")
        assert shelf.kept == {}
