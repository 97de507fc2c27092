import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import keyring.backends.fail
import pytest
from tests.fakes.memory_keyring import MemoryKeyring

from callgate.core.config.settings import UpstreamSettings, VertexSettings
from callgate.core.errors import UserFault
from callgate.engine.endpoints.endpoint_keys import EndpointKeys
from callgate.store.secrets import Secrets
from callgate.upstream.demo.model import demo_endpoint
from callgate.upstream.endpoint import Endpoint

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 5))


def settings(name: str = "up", address: str = "http://a.test/v1", **more: Any) -> UpstreamSettings:
    return UpstreamSettings(name=name, wire=("openai-chat",), base_url=address, **more)


def endpoint(one: UpstreamSettings) -> Endpoint:
    return Endpoint.from_settings(one)


def test_keys_come_from_where_the_settings_say() -> None:
    ring = MemoryKeyring()
    keys = EndpointKeys(Secrets({"UP": "from the environment"}, ring))
    ring.set_password("callgate", "b", "from the ring")
    a, b, c = settings("a", key_env="UP"), settings("b", key="keyring"), settings("c")
    run(keys.read((a, b, c)))
    found = [keys.key_for(endpoint(one)) for one in (a, b, c)]
    assert found == ["from the environment", "from the ring", ""]
    assert [keys.problem(one.name) for one in (a, b, c)] == ["", "", ""]


def test_a_missing_key_is_a_problem_and_nothing_goes_out_in_its_place() -> None:
    keys = EndpointKeys(Secrets({}, MemoryKeyring()))
    one = settings(key_env="NOT_SET")
    run(keys.read((one,)))
    assert "NOT_SET" in keys.problem("up")
    with pytest.raises(UserFault, match="NOT_SET"):
        keys.key_for(endpoint(one))


@pytest.mark.parametrize(
    "moved",
    [settings(address="http://b.test/v1"), settings(vertex=VertexSettings(project="p", location="eu"), address="")],
)
def test_a_request_under_way_to_an_older_address_gets_no_key(moved: UpstreamSettings) -> None:
    keys = EndpointKeys(Secrets({"UP": "k"}, MemoryKeyring()))
    before = endpoint(settings(key_env="UP"))
    run(keys.read((moved.model_copy(update={"key_env": "UP"}),)))
    with pytest.raises(UserFault, match="was changed while"):
        keys.key_for(before)


def test_an_endpoint_that_has_gone_gets_no_key_not_even_its_clients() -> None:
    keys = EndpointKeys(Secrets({}, MemoryKeyring()))
    one = settings()
    run(keys.read((one,)))
    keys.dismiss("up")
    with pytest.raises(UserFault):
        keys.key_for(endpoint(one))


def test_the_demo_model_needs_none() -> None:
    keys = EndpointKeys(Secrets({}, MemoryKeyring()))
    keys.admit(demo_endpoint())
    assert keys.key_for(demo_endpoint()) == ""


def test_a_key_is_kept_read_back_and_forgotten() -> None:
    ring = MemoryKeyring()
    keys = EndpointKeys(Secrets({}, ring))

    async def go() -> None:
        assert await keys.kept("up") is None
        assert await keys.keep("up", " sk-1 ") == ""
        assert await keys.kept("up") == "sk-1"
        await keys.forget("up")
        assert await keys.kept("up") is None and ring.kept == {}
        with pytest.raises(UserFault, match="is empty"):
            await keys.keep("up", "  ")

    run(go())


def test_without_a_keyring_a_key_lasts_for_this_run() -> None:
    keys = EndpointKeys(Secrets({"UP": "of the environment"}, keyring.backends.fail.Keyring()))
    one, both = settings(key="keyring"), settings(key="keyring", key_env="UP")

    async def go() -> None:
        assert "no keyring" in await keys.obstacle()
        assert "until Callgate ends" in await keys.keep("up", "sk-1")
        await keys.read((one,))
        assert keys.key_for(endpoint(one)) == "sk-1"
        assert await keys.find(both) == "of the environment"
        assert await keys.find(settings("other", key="keyring"), "up") == "sk-1"
        assert await keys.kept("up") == "sk-1"
        await keys.forget("up")
        assert await keys.kept("up") is None
        await keys.read((one,))
        assert "no keyring" in keys.problem("up")

    run(go())


def test_whether_a_variable_is_set_is_told() -> None:
    keys = EndpointKeys(Secrets({"A": "1"}, MemoryKeyring()))
    assert keys.is_set("A") and not keys.is_set("B")
