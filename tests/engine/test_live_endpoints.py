"""Endpoints that change while requests come in: who answers, with which key, and what is remembered."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.memory_keyring import MemoryKeyring

from callgate.core.endpoint_draft import EndpointDraft
from callgate.core.errors import UserFault
from callgate.core.events import EndpointsChanged, Event
from callgate.core.settings import UpstreamSettings, VertexSettings
from callgate.engine.bus import Bus
from callgate.engine.endpoint_book import EndpointBook
from callgate.engine.endpoint_examiner import EndpointExaminer
from callgate.engine.endpoint_keys import EndpointKeys
from callgate.engine.live_endpoints import LiveEndpoints
from callgate.engine.model_list import ModelList
from callgate.engine.tasks import Tasks
from callgate.store.endpoint_file import EndpointFile
from callgate.store.json_file import JsonFile
from callgate.store.secrets import Secrets
from callgate.upstream.client import UpstreamClient
from callgate.upstream.routing import Routing
from callgate.wire.registry import CODECS


def settings(name: str = "mine", address: str = "http://a.test/v1", **more: Any) -> UpstreamSettings:
    return UpstreamSettings(name=name, wire=("openai-chat",), base_url=address, **more)


class Desk:
    """A live desk over a provider that is a function."""

    def __init__(self, folder: Path, *configured: UpstreamSettings, environ: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.ring = MemoryKeyring()
        self.asked: list[httpx.Request] = []
        self.events: list[Event] = []
        self.said: list[tuple[str, str]] = []
        self.models = ("small", "large")
        self.hold: asyncio.Event | None = None
        bus = Bus()
        bus.subscribe(self.events.append)
        self.tasks = Tasks(bus)
        self.upstream = UpstreamClient(CODECS, transport=httpx.MockTransport(self._answer))
        self.routing, self.keys = Routing(), EndpointKeys(Secrets(environ or {}, self.ring))
        self.model_list = ModelList(self.routing, self.upstream, self.keys.key_for)
        book = EndpointBook(configured, EndpointFile(JsonFile(folder / "endpoints.json")))
        self.live = LiveEndpoints(
            book,
            self.keys,
            self.routing,
            self.model_list,
            EndpointExaminer(self.upstream),
            bus,
            self.tasks,
            lambda: "http://127.0.0.1:8080",
        )

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if self.hold is not None:
            await self.hold.wait()
        return httpx.Response(200, json={"data": [{"id": model} for model in self.models]})

    def fault(self, where: str, message: str) -> None:
        self.said.append((where, message))

    def picked(self, model: str = "m") -> str:
        return self.routing.pick(model, "openai-chat").endpoint.name

    def key(self, model: str = "m") -> str:
        return self.keys.key_for(self.routing.pick(model, "openai-chat").endpoint)

    async def quiet(self) -> None:
        """Until nobody is being asked."""
        while any(view.checking for view in self.live.endpoints()) or len(self.tasks):
            await asyncio.sleep(0)

    def kept(self) -> list[dict[str, Any]]:
        return json.loads((self.folder / "endpoints.json").read_text("utf-8"))["endpoints"]


def play(desk: Desk, scene: Callable[[], Awaitable[None]]) -> None:
    async def go() -> None:
        try:
            await desk.live.open(desk.fault)
            await scene()
            if desk.hold is not None:
                desk.hold.set()
            await desk.quiet()
        finally:
            await desk.tasks.close()
            await desk.upstream.close()

    asyncio.run(asyncio.wait_for(go(), 5))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_is_added_answers_at_once_with_its_key_and_its_models_can_be_chosen(desk: Desk) -> None:
    async def scene() -> None:
        assert desk.picked() == "demo"
        done = await desk.live.add(settings(key="keyring"), " sk-1 ")
        assert (desk.picked(), desk.key(), done.note) == ("mine", "sk-1", "")
        assert desk.ring.kept == {("callgate", "mine"): "sk-1"}
        await desk.quiet()
        assert [entry.id for entry in desk.model_list.known()] == ["callgate-demo", "small", "large"]
        view = desk.live.endpoint("mine")
        assert view is not None and view.examination is not None and view.examination.outcome == "reached"
        assert (view.is_default, view.origin, view.key, view.has_kept_key) == (True, "added", "keyring", True)

    play(desk, scene)
    assert desk.asked[0].headers["authorization"] == "Bearer sk-1"
    assert "sk-1" not in (desk.folder / "endpoints.json").read_text("utf-8")
    assert any(isinstance(event, EndpointsChanged) for event in desk.events)
    assert Desk(desk.folder).live.endpoint("mine") is not None


def test_what_does_not_fit_is_refused_and_nothing_changes(desk: Desk) -> None:
    async def scene() -> None:
        with pytest.raises(UserFault, match="Callgate itself"):
            await desk.live.add(settings(address="http://127.0.0.1:8080/v1"))
        await desk.live.add(settings())
        with pytest.raises(UserFault, match="another endpoint named mine"):
            await desk.live.add(settings())
        with pytest.raises(UserFault, match="another endpoint named demo"):
            await desk.live.add(settings("demo"))
        assert [view.name for view in desk.live.endpoints()] == ["mine", "demo"]
        assert desk.live.free_name("mine") == "mine-2" and desk.live.free_name("new") == "new"

    play(desk, scene)


def test_a_renamed_endpoint_takes_its_key_along(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings(key="keyring"), "sk-1")
        await desk.live.add(settings("second"))
        done = await desk.live.add(settings("other", key="keyring"), replacing="mine")
        assert [view.name for view in desk.live.endpoints()] == ["other", "second", "demo"]
        assert desk.ring.kept == {("callgate", "other"): "sk-1"} and desk.key() == "sk-1"
        await desk.live.undo(done.change)
        assert [view.name for view in desk.live.endpoints()] == ["mine", "second", "demo"]
        assert desk.ring.kept == {("callgate", "mine"): "sk-1"} and desk.key() == "sk-1"

    play(desk, scene)


def test_an_endpoint_that_needs_its_key_no_longer_leaves_none_behind(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings(key="keyring"), "sk-1")
        done = await desk.live.add(settings(), replacing="mine")
        assert (desk.ring.kept, desk.key()) == ({}, "")
        await desk.live.undo(done.change)
        assert desk.key() == "sk-1"

    play(desk, scene)


def test_removing_takes_the_key_along_and_undo_brings_both_back_to_their_place(desk: Desk) -> None:
    async def scene() -> None:
        for name in ("a", "b", "c"):
            await desk.live.add(settings(name, key="keyring"), f"key of {name}".replace(" ", "-"))
        done = await desk.live.remove("b")
        assert [view.name for view in desk.live.endpoints()] == ["a", "c", "demo"]
        assert ("callgate", "b") not in desk.ring.kept
        await desk.live.undo(done.change)
        assert [view.name for view in desk.live.endpoints()] == ["a", "b", "c", "demo"]
        assert desk.ring.kept["callgate", "b"] == "key-of-b"
        with pytest.raises(UserFault, match="can't be taken back"):
            await desk.live.undo(done.change)

    play(desk, scene)


def test_only_the_last_change_can_be_taken_back(desk: Desk) -> None:
    async def scene() -> None:
        first = await desk.live.add(settings("a"))
        second = await desk.live.add(settings("b"))
        with pytest.raises(UserFault, match="something else was changed"):
            await desk.live.undo(first.change)
        await desk.live.undo(second.change)
        assert [view.name for view in desk.live.endpoints()] == ["a", "demo"]

    play(desk, scene)


def test_a_request_under_way_to_a_removed_endpoint_gets_no_key(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings())
        under_way = desk.routing.pick("m", "openai-chat").endpoint
        await desk.live.remove("mine")
        with pytest.raises(UserFault):
            desk.keys.key_for(under_way)

    play(desk, scene)


def test_a_key_can_be_entered_for_an_endpoint_of_the_configuration(tmp_path: Path) -> None:
    desk = Desk(tmp_path, settings("filed", key="keyring"), settings("open", models=("open-*",)))

    async def scene() -> None:
        assert [where for where, _ in desk.said] == ["key of filed"]
        assert "page Endpoints" in desk.said[0][1]
        view = desk.live.endpoint("filed")
        assert view is not None and view.problem and not view.editable
        done = await desk.live.set_key("filed", "sk-2")
        assert desk.key() == "sk-2"
        await desk.live.undo(done.change)
        with pytest.raises(UserFault):
            desk.key()
        await desk.live.set_key("filed", "sk-3")
        done = await desk.live.forget_key("filed")
        assert desk.ring.kept == {}
        await desk.live.undo(done.change)
        assert desk.key() == "sk-3"
        for name in ("open", "demo"):
            with pytest.raises(UserFault, match="does not take its key from the keyring"):
                await desk.live.set_key(name, "sk-4")
        with pytest.raises(UserFault, match="configuration file"):
            await desk.live.remove("filed")

    play(desk, scene)


def test_a_changed_configuration_counts_at_once_for_what_changed_only(tmp_path: Path) -> None:
    environ = {"A": "key-a", "B": "key-b"}
    same, other = settings("same", models=("same-*",)), settings("moves", key_env="A")
    desk = Desk(tmp_path, same, other, environ=environ)

    async def scene() -> None:
        await desk.live.check("same")
        changed = settings("moves", "http://b.test/v1", key_env="B")
        await desk.live.configure((same, changed, settings("keyless", key_env="C")), desk.fault)
        assert desk.key() == "key-b"
        view = desk.live.endpoint("same")
        assert view is not None and view.examination is not None, "what did not change is not asked again"
        assert [where for where, _ in desk.said] == ["key of keyless"]
        with pytest.raises(UserFault, match="klingon"):
            await desk.live.configure((settings("x", dialect="klingon"),), desk.fault)
        assert desk.key() == "key-b"
        await desk.live.configure((), desk.fault)
        assert desk.picked() == "demo"

    play(desk, scene)


def test_a_configured_endpoint_takes_the_name_of_an_added_one(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings(key="keyring"), "sk-1")
        await desk.live.configure((settings(address="http://filed.test/v1"),), desk.fault)
        assert [(view.name, view.origin) for view in desk.live.endpoints()] == [("mine", "config"), ("demo", "demo")]
        assert any("Rename one" in message for _, message in desk.said)
        assert desk.key() == ""

    play(desk, scene)
    assert [entry["name"] for entry in desk.kept()] == ["mine"]


def test_a_check_reads_the_key_again(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings(key="keyring"))
        assert "no key for the endpoint" in (await desk.live.check("mine")).words
        desk.ring.set_password("callgate", "mine", "sk-from-elsewhere")
        assert (await desk.live.check("mine")).outcome == "reached"
        assert desk.key() == "sk-from-elsewhere"
        with pytest.raises(UserFault, match="no endpoint 'demo'"):
            await desk.live.check("demo")

    play(desk, scene)


def test_a_check_of_a_draft_uses_what_was_typed_or_what_is_kept_and_keeps_nothing(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.examine(settings("draft", key="keyring"), "sk-typed")
        assert desk.asked[0].headers["authorization"] == "Bearer sk-typed"
        assert desk.ring.kept == {} and desk.live.endpoint("draft") is None
        await desk.live.add(settings(key="keyring"), "sk-kept")
        await desk.quiet()
        del desk.asked[:]
        await desk.live.examine(settings("renamed", key="keyring"), replacing="mine")
        assert desk.asked[0].headers["authorization"] == "Bearer sk-kept"
        assert (await desk.live.examine(settings("x", key_env="NOT_SET"))).outcome == "keyless"

    play(desk, scene)


def test_a_check_that_began_by_itself_can_be_stopped(desk: Desk) -> None:
    async def scene() -> None:
        desk.hold = asyncio.Event()
        await desk.live.add(settings())
        while not desk.asked:
            await asyncio.sleep(0)
        view = desk.live.endpoint("mine")
        assert view is not None and view.checking
        desk.live.stop_checking("mine")
        await desk.quiet()
        view = desk.live.endpoint("mine")
        assert view is not None and not view.checking and view.examination is None

    play(desk, scene)


def test_models_are_asked_for_and_told_of_only_if_there_are_others(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings())
        await desk.quiet()
        del desk.events[:]
        await desk.live.refresh_models()
        assert desk.events == []
        desk.models = ("newer",)
        await desk.live.refresh_models()
        assert len(desk.events) == 1 and "newer" in [entry.id for entry in desk.model_list.known()]

    play(desk, scene)


def test_no_secret_is_in_what_is_shown(tmp_path: Path) -> None:
    careless = settings(address="https://me:s3cret@host.test/v1?key=s3cret#s3cret")
    view = Desk(tmp_path, careless).live.endpoint("mine")
    assert view is not None and view.address == "https://host.test/v1"
    vertex = UpstreamSettings(name="v", wire=("gemini",), vertex=VertexSettings(project="p", location="eu"))
    shown = Desk(tmp_path, vertex).live.endpoint("v")
    assert shown is not None and (shown.address, shown.key) == ("Vertex AI, project p, eu", "google")


def test_the_configuration_of_one_can_be_copied(desk: Desk) -> None:
    async def scene() -> None:
        await desk.live.add(settings(key="keyring"), "sk-1")
        assert desk.live.configuration("mine").startswith("[[upstreams]]\n") and "sk-1" not in desk.live.configuration(
            "mine"
        )
        with pytest.raises(UserFault):
            desk.live.configuration("demo")
        assert "ollama" in desk.live.dialects()
        judged = desk.live.judge(EndpointDraft("mine", ("gemini",), "http://x.test"), "mine")
        assert judged.settings is not None

    play(desk, scene)


def test_a_variable_goes_before_the_keyring_and_the_view_says_which_counts(tmp_path: Path) -> None:
    both = settings(key="keyring", key_env="UP")
    view = Desk(tmp_path, both, environ={"UP": "k"}).live.endpoint("mine")
    assert view is not None and view.key == "environment"
    view = Desk(tmp_path, both).live.endpoint("mine")
    assert view is not None and view.key == "keyring"
