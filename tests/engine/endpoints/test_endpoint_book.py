import json
from pathlib import Path

import pytest

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.engine.endpoints.endpoint_book import EndpointBook
from callgate.store.files.endpoint_file import EndpointFile
from callgate.store.files.json_file import JsonFile
from callgate.upstream.demo.model import DEMO_MODEL


def settings(name: str, **more: str) -> UpstreamSettings:
    return UpstreamSettings(name=name, wire=("openai-chat",), base_url="http://127.0.0.1:1/v1", **more)  # type: ignore[arg-type]


def book(folder: Path, *configured: UpstreamSettings, added: tuple[UpstreamSettings, ...] = ()) -> EndpointBook:
    file = EndpointFile(JsonFile(folder / "endpoints.json"))
    if added:
        file.save(added)
    return EndpointBook(configured, file)


def test_the_demo_model_answers_everything_only_while_it_is_alone(tmp_path: Path) -> None:
    alone = book(tmp_path)
    assert [(one.name, one.models) for one in alone.endpoints()[0]] == [("demo", (DEMO_MODEL, "*"))]
    alone.keep([settings("mine")])
    assert [(one.name, one.models) for one in alone.endpoints()[0]] == [("mine", ("*",)), ("demo", (DEMO_MODEL,))]


def test_it_does_not_speak_for_a_provider_that_cannot_be_used(tmp_path: Path) -> None:
    able, unfit = book(tmp_path, added=(settings("odd", dialect="klingon"),)).endpoints()
    assert [(one.name, one.models) for one in able] == [("demo", (DEMO_MODEL,))]
    assert "klingon" in unfit["odd"]
    (tmp_path / "endpoints.json").write_text(json.dumps({"endpoints": ["?"]}), "utf-8")
    assert book(tmp_path).endpoints()[0][0].models == (DEMO_MODEL,)


def test_the_configuration_goes_first_and_wins_a_name(tmp_path: Path) -> None:
    both = book(tmp_path, settings("a"), added=(settings("b"), settings("a", key_env="K")))
    assert list(both.by_name()) == ["a", "b"] and both.by_name()["a"].key_env == ""
    assert [one.name for one in both.endpoints()[0]] == ["a", "b", "demo"]
    assert "'a' was added in the window" in both.problems()[0]
    assert both.names() == {"a", "b", "demo"}


def test_an_endpoint_of_ones_own_may_be_called_demo(tmp_path: Path) -> None:
    assert [one.base_url for one in book(tmp_path, settings("demo")).endpoints()[0]] == ["http://127.0.0.1:1/v1"]


def test_only_what_was_added_can_be_changed(tmp_path: Path) -> None:
    both = book(tmp_path, settings("a"), added=(settings("b"), settings("c")))
    assert both.place_of("c") == 1
    with pytest.raises(UserFault, match="stands in the configuration file"):
        both.place_of("a")
    with pytest.raises(UserFault, match="no endpoint 'x'"):
        both.place_of("x")


def test_a_configuration_that_cannot_be_used_changes_nothing(tmp_path: Path) -> None:
    one = book(tmp_path, settings("a"))
    with pytest.raises(UserFault, match="klingon"):
        one.configure([settings("b", dialect="klingon")])
    assert [endpoint.name for endpoint in one.endpoints()[0]] == ["a", "demo"]
    assert list(one.by_name()) == ["a"]
