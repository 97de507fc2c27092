"""What clients ask of stored responses, whoever gave them; and what only a provider of this wire can answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import openai
import orjson
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, provider

from callgate.runtime.runtime import Launch

FINE = Reply(b'{"ok":true}', content_type="application/json")
CHAT = Reply(
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
    content_type="application/json",
)
TOLD = {
    "id": "resp_up1",
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "model": "r",
    "output": [
        {
            "type": "message",
            "id": "msg_up1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hello", "annotations": []}],
        }
    ],
}


@contextmanager
def station_before(folder: Path, chat: str, responses: str = "") -> Iterator[RunningStation]:
    """A Chat provider first; then, where an address is given, one that speaks Responses."""
    text = f'[[upstreams]]\nname = "c"\nwire = "openai-chat"\nbase_url = "{chat}/v1"\nmodels = ["m"]\n'
    if responses:
        text += f'[[upstreams]]\nname = "r"\nwire = "openai-responses"\nbase_url = "{responses}/v1"\nmodels = ["r"]\n'
    config = folder / "callgate.toml"
    config.write_text(text, "utf-8")
    with running(Launch(config, 0, folder, folder / "data", demo_pace_ms=0)) as runtime:
        yield runtime


@pytest.fixture
def chat() -> Iterator[ScriptedProvider]:
    with provider(CHAT) as up:
        yield up


@contextmanager
def sdk_of(runtime: RunningStation) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
        yield sdk


def test_a_stored_response_says_what_it_continued(tmp_path: Path, chat: ScriptedProvider) -> None:
    with station_before(tmp_path, chat.address) as runtime, sdk_of(runtime) as sdk:
        first = sdk.responses.create(model="m", input="a")
        second = sdk.responses.create(model="m", input="b", previous_response_id=first.id)
        assert second.previous_response_id == first.id
        assert sdk.responses.retrieve(second.id).previous_response_id == first.id


def test_the_items_before_a_response_are_listed_along_its_chain_by_pages(
    tmp_path: Path, chat: ScriptedProvider
) -> None:
    with station_before(tmp_path, chat.address) as runtime, sdk_of(runtime) as sdk:
        first = sdk.responses.create(model="m", input="a", instructions="no item")
        second = sdk.responses.create(
            model="m", input=[{"role": "user", "content": "b"}], previous_response_id=first.id
        )
        listed = list(sdk.responses.input_items.list(second.id, order="asc"))
        said: list[Any] = [(item.role, item.content[0].text) for item in listed]  # type: ignore[union-attr]
        assert said == [("user", "a"), ("assistant", "Hi"), ("user", "b")]
        assert listed[1].id == first.output[0].id, "under the id that it was given out with"
        paged = list(sdk.responses.input_items.list(second.id, limit=1))
        assert [item.id for item in paged] == [item.id for item in reversed(listed)]
        with pytest.raises(openai.BadRequestError, match="between 1 and 100"):
            sdk.responses.input_items.list(second.id, limit=0)


def test_a_deleted_response_is_gone_but_what_continued_it_stays_whole(tmp_path: Path, chat: ScriptedProvider) -> None:
    with station_before(tmp_path, chat.address) as runtime, sdk_of(runtime) as sdk:
        first = sdk.responses.create(model="m", input="a")
        second = sdk.responses.create(model="m", input="b", previous_response_id=first.id)
        sdk.responses.delete(first.id)
    with station_before(tmp_path, chat.address) as runtime, sdk_of(runtime) as sdk:
        for gone in (sdk.responses.retrieve, sdk.responses.delete):
            with pytest.raises(openai.NotFoundError):
                gone(first.id)
        with pytest.raises(openai.BadRequestError, match="not found"):
            sdk.responses.create(model="m", input="c", previous_response_id=first.id)
        with pytest.raises(openai.BadRequestError, match="not found"):
            sdk.responses.create(model="m", input=[{"type": "item_reference", "id": first.output[0].id}])
        sdk.responses.create(model="m", input="c", previous_response_id=second.id)
        assert [message["content"] for message in chat.asked[-1].body["messages"]] == ["a", "Hi", "b", "Hi", "c"]


def test_a_response_that_its_provider_keeps_is_deleted_there_too(tmp_path: Path, chat: ScriptedProvider) -> None:
    deleted = Reply(b'{"id":"resp_up1","object":"response","deleted":true}', content_type="application/json")
    gone = Reply(b'{"error":{"message":"gone"}}', 404, "application/json")
    with provider(Reply(orjson.dumps(TOLD), content_type="application/json"), deleted, gone) as up:
        with station_before(tmp_path, chat.address, up.address) as runtime, sdk_of(runtime) as sdk:
            told = sdk.responses.create(model="r", input="a")
            sdk.responses.delete(told.id)
            assert up.asked[-1].path == "/v1/responses/resp_up1"
            with pytest.raises(openai.NotFoundError, match="gone"):
                sdk.responses.retrieve(told.id)


def test_only_the_provider_can_cancel_and_what_it_does_not_know_cannot_be(
    tmp_path: Path, chat: ScriptedProvider
) -> None:
    with station_before(tmp_path, chat.address) as runtime, sdk_of(runtime) as sdk:
        told = sdk.responses.create(model="m", input="a")
        with pytest.raises(openai.BadRequestError, match="synchronous"):
            sdk.responses.cancel(told.id)
        with pytest.raises(openai.NotFoundError):
            sdk.responses.cancel("resp_none")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/responses/resp_bg"),
        ("DELETE", "/v1/responses/resp_bg"),
        ("POST", "/v1/responses/resp_bg/cancel"),
        ("GET", "/v1/responses/resp_bg/input_items?limit=5"),
    ],
)
def test_what_is_unknown_here_is_asked_of_whoever_speaks_responses_not_of_the_first(
    tmp_path: Path, chat: ScriptedProvider, method: str, path: str
) -> None:
    with provider(FINE) as up, station_before(tmp_path, chat.address, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            assert client.request(method, f"{runtime.address}{path}").json() == {"ok": True}
        assert [asked.path for asked in up.asked] == [path]


def test_codex_can_have_its_history_compacted_by_the_models_own_provider(
    tmp_path: Path, chat: ScriptedProvider
) -> None:
    with provider(FINE) as up, station_before(tmp_path, chat.address, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            url = f"{runtime.address}/v1/responses/compact"
            assert client.post(url, json={"model": "r/r", "input": []}).json() == {"ok": True}
            assert (up.asked[0].path, up.asked[0].body["model"]) == ("/v1/responses/compact", "r")
            refused = client.post(url, json={"model": "m", "input": []})
        assert refused.status_code == 404 and "cannot compact" in refused.json()["error"]["message"]


@pytest.mark.parametrize("spelled", [{"type": "item_reference"}, {"type": None}, {}])
def test_an_item_is_found_by_a_reference_however_it_is_spelled(
    tmp_path: Path, chat: ScriptedProvider, spelled: dict[str, Any]
) -> None:
    with station_before(tmp_path, chat.address) as runtime, httpx.Client(trust_env=False, timeout=5) as client:
        url = f"{runtime.address}/v1/responses"
        told = client.post(url, json={"model": "m", "input": "a"}).json()
        reference = {**spelled, "id": told["output"][0]["id"]}
        answer = client.post(url, json={"model": "m", "input": [reference, {"role": "user", "content": "b"}]})
        assert answer.status_code == 200, answer.text
        assert [message["content"] for message in chat.asked[-1].body["messages"]] == ["Hi", "b"]
