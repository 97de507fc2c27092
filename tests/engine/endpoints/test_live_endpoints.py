"""Endpoints that change while requests come in: who answers, with which key, and what is remembered."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.memory_keyring import MemoryKeyring

from callgate.core.config.endpoint_draft import EndpointDraft
from callgate.core.config.settings import UpstreamSettings, VertexSettings
from callgate.core.errors import UserFault
from callgate.core.events import EndpointsChanged, Event
from callgate.engine.bus import Bus
from callgate.engine.endpoints.endpoint_book import EndpointBook
from callgate.engine.endpoints.endpoint_examiner import EndpointExaminer
from callgate.engine.endpoints.endpoint_keys import EndpointKeys
from callgate.engine.endpoints.live_endpoints import LiveEndpoints
from callgate.engine.endpoints.model_list import ModelList
from callgate.engine.tasks import Tasks
from callgate.store.files.endpoint_file import EndpointFile
from callgate.store.files.json_file import JsonFile
from callgate.store.secrets import Secrets
from callgate.upstream.client import UpstreamClient
from callgate.upstream.routing import Routing
from callgate.wire.registry import CODECS


def settings(name: str = "mine", address: str = "http://a.test/v1", **more: Any) -> UpstreamSettings:
    return UpstreamSettings(name=name, wire=("openai-chat",), base_url=address, **more)


class Service:
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


def play(service: Service, scene: Callable[[], Awaitable[None]]) -> None:
    async def go() -> None:
        try:
            await service.live.open(service.fault)
            await scene()
            if service.hold is not None:
                service.hold.set()
            await service.quiet()
        finally:
            await service.tasks.close()
            await service.upstream.close()

    asyncio.run(asyncio.wait_for(go(), 5))


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def test_what_is_added_answers_at_once_with_its_key_and_its_models_can_be_chosen(service: Service) -> None:
    async def scene() -> None:
        assert service.picked() == "demo"
        done = await service.live.add(settings(key="keyring"), " sk-1 ")
        assert (service.picked(), service.key(), done.note) == ("mine", "sk-1", "")
        assert service.ring.kept == {("callgate", "mine"): "sk-1"}
        await service.quiet()
        assert [entry.id for entry in service.model_list.known()] == ["callgate-demo", "small", "large"]
        view = service.live.endpoint("mine")
        assert view is not None and view.examination is not None and view.examination.outcome == "reached"
        assert (view.is_default, view.origin, view.key, view.has_kept_key) == (True, "added", "keyring", True)

    play(service, scene)
    assert service.asked[0].headers["authorization"] == "Bearer sk-1"
    assert "sk-1" not in (service.folder / "endpoints.json").read_text("utf-8")
    assert any(isinstance(event, EndpointsChanged) for event in service.events)
    assert Service(service.folder).live.endpoint("mine") is not None


def test_what_does_not_fit_is_refused_and_nothing_changes(service: Service) -> None:
    async def scene() -> None:
        with pytest.raises(UserFault, match="Callgate itself"):
            await service.live.add(settings(address="http://127.0.0.1:8080/v1"))
        await service.live.add(settings())
        with pytest.raises(UserFault, match="another endpoint named mine"):
            await service.live.add(settings())
        with pytest.raises(UserFault, match="another endpoint named demo"):
            await service.live.add(settings("demo"))
        assert [view.name for view in service.live.endpoints()] == ["mine", "demo"]
        assert service.live.free_name("mine") == "mine-2" and service.live.free_name("new") == "new"

    play(service, scene)


def test_a_renamed_endpoint_takes_its_key_along(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings(key="keyring"), "sk-1")
        await service.live.add(settings("second"))
        done = await service.live.add(settings("other", key="keyring"), replacing="mine")
        assert [view.name for view in service.live.endpoints()] == ["other", "second", "demo"]
        assert service.ring.kept == {("callgate", "other"): "sk-1"} and service.key() == "sk-1"
        await service.live.undo(done.change)
        assert [view.name for view in service.live.endpoints()] == ["mine", "second", "demo"]
        assert service.ring.kept == {("callgate", "mine"): "sk-1"} and service.key() == "sk-1"

    play(service, scene)


def test_an_endpoint_that_needs_its_key_no_longer_leaves_none_behind(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings(key="keyring"), "sk-1")
        done = await service.live.add(settings(), replacing="mine")
        assert (service.ring.kept, service.key()) == ({}, "")
        await service.live.undo(done.change)
        assert service.key() == "sk-1"

    play(service, scene)


def test_removing_takes_the_key_along_and_undo_brings_both_back_to_their_place(service: Service) -> None:
    async def scene() -> None:
        for name in ("a", "b", "c"):
            await service.live.add(settings(name, key="keyring"), f"key of {name}".replace(" ", "-"))
        done = await service.live.remove("b")
        assert [view.name for view in service.live.endpoints()] == ["a", "c", "demo"]
        assert ("callgate", "b") not in service.ring.kept
        await service.live.undo(done.change)
        assert [view.name for view in service.live.endpoints()] == ["a", "b", "c", "demo"]
        assert service.ring.kept["callgate", "b"] == "key-of-b"
        with pytest.raises(UserFault, match="can't be taken back"):
            await service.live.undo(done.change)

    play(service, scene)


def test_only_the_last_change_can_be_taken_back(service: Service) -> None:
    async def scene() -> None:
        first = await service.live.add(settings("a"))
        second = await service.live.add(settings("b"))
        with pytest.raises(UserFault, match="something else was changed"):
            await service.live.undo(first.change)
        await service.live.undo(second.change)
        assert [view.name for view in service.live.endpoints()] == ["a", "demo"]

    play(service, scene)


def test_a_request_under_way_to_a_removed_endpoint_gets_no_key(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings())
        under_way = service.routing.pick("m", "openai-chat").endpoint
        await service.live.remove("mine")
        with pytest.raises(UserFault):
            service.keys.key_for(under_way)

    play(service, scene)


def test_a_key_can_be_entered_for_an_endpoint_of_the_configuration(tmp_path: Path) -> None:
    service = Service(tmp_path, settings("filed", key="keyring"), settings("open", models=("open-*",)))

    async def scene() -> None:
        assert [where for where, _ in service.said] == ["key of filed"]
        assert "page Endpoints" in service.said[0][1]
        view = service.live.endpoint("filed")
        assert view is not None and view.problem and not view.editable
        done = await service.live.set_key("filed", "sk-2")
        assert service.key() == "sk-2"
        await service.live.undo(done.change)
        with pytest.raises(UserFault):
            service.key()
        await service.live.set_key("filed", "sk-3")
        done = await service.live.forget_key("filed")
        assert service.ring.kept == {}
        await service.live.undo(done.change)
        assert service.key() == "sk-3"
        for name in ("open", "demo"):
            with pytest.raises(UserFault, match="does not take its key from the keyring"):
                await service.live.set_key(name, "sk-4")
        with pytest.raises(UserFault, match="configuration file"):
            await service.live.remove("filed")

    play(service, scene)


def test_a_changed_configuration_counts_at_once_for_what_changed_only(tmp_path: Path) -> None:
    environ = {"A": "key-a", "B": "key-b"}
    same, other = settings("same", models=("same-*",)), settings("moves", key_env="A")
    service = Service(tmp_path, same, other, environ=environ)

    async def scene() -> None:
        await service.live.check("same")
        changed = settings("moves", "http://b.test/v1", key_env="B")
        await service.live.configure((same, changed, settings("keyless", key_env="C")), service.fault)
        assert service.key() == "key-b"
        view = service.live.endpoint("same")
        assert view is not None and view.examination is not None, "what did not change is not asked again"
        assert [where for where, _ in service.said] == ["key of keyless"]
        with pytest.raises(UserFault, match="klingon"):
            await service.live.configure((settings("x", dialect="klingon"),), service.fault)
        assert service.key() == "key-b"
        await service.live.configure((), service.fault)
        assert service.picked() == "demo"

    play(service, scene)


def test_a_configured_endpoint_takes_the_name_of_an_added_one(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings(key="keyring"), "sk-1")
        await service.live.configure((settings(address="http://filed.test/v1"),), service.fault)
        assert [(view.name, view.origin) for view in service.live.endpoints()] == [("mine", "config"), ("demo", "demo")]
        assert any("Rename one" in message for _, message in service.said)
        assert service.key() == ""

    play(service, scene)
    assert [entry["name"] for entry in service.kept()] == ["mine"]


def test_a_check_reads_the_key_again(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings(key="keyring"))
        assert "no key for the endpoint" in (await service.live.check("mine")).words
        service.ring.set_password("callgate", "mine", "sk-from-elsewhere")
        assert (await service.live.check("mine")).outcome == "reached"
        assert service.key() == "sk-from-elsewhere"
        with pytest.raises(UserFault, match="no endpoint 'demo'"):
            await service.live.check("demo")

    play(service, scene)


def test_a_check_of_a_draft_uses_what_was_typed_or_what_is_kept_and_keeps_nothing(service: Service) -> None:
    async def scene() -> None:
        await service.live.examine(settings("draft", key="keyring"), "sk-typed")
        assert service.asked[0].headers["authorization"] == "Bearer sk-typed"
        assert service.ring.kept == {} and service.live.endpoint("draft") is None
        await service.live.add(settings(key="keyring"), "sk-kept")
        await service.quiet()
        del service.asked[:]
        await service.live.examine(settings("renamed", key="keyring"), replacing="mine")
        assert service.asked[0].headers["authorization"] == "Bearer sk-kept"
        assert (await service.live.examine(settings("x", key_env="NOT_SET"))).outcome == "keyless"

    play(service, scene)


def test_a_check_that_began_by_itself_can_be_stopped(service: Service) -> None:
    async def scene() -> None:
        service.hold = asyncio.Event()
        await service.live.add(settings())
        while not service.asked:
            await asyncio.sleep(0)
        view = service.live.endpoint("mine")
        assert view is not None and view.checking
        service.live.stop_checking("mine")
        await service.quiet()
        view = service.live.endpoint("mine")
        assert view is not None and not view.checking and view.examination is None

    play(service, scene)


def test_models_are_asked_for_and_told_of_only_if_there_are_others(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings())
        await service.quiet()
        del service.events[:]
        await service.live.refresh_models()
        assert service.events == []
        service.models = ("newer",)
        await service.live.refresh_models()
        assert len(service.events) == 1 and "newer" in [entry.id for entry in service.model_list.known()]

    play(service, scene)


def test_no_secret_is_in_what_is_shown(tmp_path: Path) -> None:
    careless = settings(address="https://me:s3cret@host.test/v1?key=s3cret#s3cret")
    view = Service(tmp_path, careless).live.endpoint("mine")
    assert view is not None and view.address == "https://host.test/v1"
    vertex = UpstreamSettings(name="v", wire=("gemini",), vertex=VertexSettings(project="p", location="eu"))
    shown = Service(tmp_path, vertex).live.endpoint("v")
    assert shown is not None and (shown.address, shown.key) == ("Vertex AI, project p, eu", "google")


def test_the_configuration_of_one_can_be_copied(service: Service) -> None:
    async def scene() -> None:
        await service.live.add(settings(key="keyring"), "sk-1")
        assert service.live.configuration("mine").startswith(
            "[[upstreams]]\n"
        ) and "sk-1" not in service.live.configuration("mine")
        with pytest.raises(UserFault):
            service.live.configuration("demo")
        assert "ollama" in service.live.dialects()
        judged = service.live.judge(EndpointDraft("mine", ("gemini",), "http://x.test"), "mine")
        assert judged.settings is not None

    play(service, scene)


def test_a_variable_goes_before_the_keyring_and_the_view_says_which_counts(tmp_path: Path) -> None:
    both = settings(key="keyring", key_env="UP")
    view = Service(tmp_path, both, environ={"UP": "k"}).live.endpoint("mine")
    assert view is not None and view.key == "environment"
    view = Service(tmp_path, both).live.endpoint("mine")
    assert view is not None and view.key == "keyring"
