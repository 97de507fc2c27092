"""Histories that are put together here are held to their wire's rules, as those that a client sends whole."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.running import running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, provider

from callgate.runtime.runtime import Launch

CALLS = Reply(
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls",'
    b'"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",'
    b'"function":{"name":"f","arguments":"{}"}}]}}]}',
    content_type="application/json",
)
FUNCTION = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False}
SCHEMA = {"name": "f", "input_schema": {"type": "object"}}


def output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "done"}


def result(call_id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "done"}


class Asking:
    """A client of either wire that goes on from a reply with a call, over a provider that keeps nothing."""

    def __init__(self, client: httpx.Client, address: str, up: ScriptedProvider) -> None:
        self._client, self._address, self._up = client, address, up

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self._client.post(f"{self._address}{path}", json={"model": "m", **body})

    def chain(self, *items: dict[str, Any]) -> httpx.Response:
        first = self._post("/v1/responses", {"input": "a", "tools": [FUNCTION]}).json()
        body = {"input": list(items), "previous_response_id": first["id"], "tools": [FUNCTION]}
        return self._post("/v1/responses", body)

    def thread(self, *blocks: dict[str, Any]) -> httpx.Response:
        begun = {"max_tokens": 9, "messages": [{"role": "user", "content": "a"}], "thread": {"type": "create"}}
        first = self._post("/v1/messages", {**begun, "tools": [SCHEMA]}).json()
        goes_on = {"type": "continue", "previous_message_id": first["id"]}
        said = [{"role": "user", "content": list(blocks)}]
        return self._post("/v1/messages", {"max_tokens": 9, "messages": said, "thread": goes_on})

    def responded(self, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._post("/v1/responses", body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def offered(self) -> list[str]:
        """The tools that the provider was last told of."""
        return [tool["function"]["name"] for tool in self._up.asked[-1].body.get("tools", [])]

    @property
    def roles(self) -> list[str]:
        """Of the last history that the provider got."""
        return [message["role"] for message in self._up.asked[-1].body["messages"]]


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    config = tmp_path / "callgate.toml"
    with provider(CALLS) as up:
        config.write_text(f'[[upstreams]]\nname = "u"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0, windowed=False)) as runtime:
            with httpx.Client(trust_env=False, timeout=5) as client:
                yield Asking(client, runtime.address, up)


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([{"role": "user", "content": "b"}], "No tool output found for function call call_1."),
        ([output("call_1"), output("call_9")], "No tool call found for function call output with call_id call_9."),
        ([output("call_1"), output("call_1")], "Duplicate function_call_output for call_id call_1."),
    ],
)
def test_a_chain_that_does_not_add_up_is_refused_in_openais_words(
    asking: Asking, items: list[dict[str, Any]], words: str
) -> None:
    refused = asking.chain(*items)
    assert refused.status_code == 400
    assert refused.json()["error"] == {
        "message": words,
        "type": "invalid_request_error",
        "param": "input",
        "code": None,
    }
    assert asking.roles == ["user"], "the provider was asked only for the first reply"


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([{"type": "text", "text": "b"}], "messages.0: `tool_use` ids were found without `tool_result` blocks"),
        ([result("call_1"), result("call_9")], "messages.0.content.1: unexpected `tool_use_id` found"),
        ([result("call_1"), result("call_1")], "messages.0.content.1: each `tool_use` must have a single result"),
    ],
)
def test_a_thread_that_does_not_add_up_is_refused_in_anthropics_words(
    asking: Asking, blocks: list[dict[str, Any]], words: str
) -> None:
    refused = asking.thread(*blocks)
    assert refused.status_code == 400 and refused.json()["error"]["message"].startswith(words)
    assert asking.roles == ["user"]


def test_an_output_stands_behind_its_call_wherever_in_the_request_it_was(asking: Asking) -> None:
    assert asking.chain({"role": "user", "content": "b"}, output("call_1")).status_code == 200
    assert asking.roles == ["user", "assistant", "tool", "user"]
    assert asking.thread({"type": "text", "text": "b"}, result("call_1")).status_code == 200
    assert asking.roles == ["user", "assistant", "tool", "user"]


def test_tools_that_came_as_items_are_offered_for_as_long_as_the_chain_has_them(asking: Asking) -> None:
    brought = {"type": "additional_tools", "tools": [{"type": "namespace", "name": "ns", "tools": [FUNCTION]}]}
    first = asking.responded({"input": [brought, {"role": "user", "content": "a"}]})
    assert asking.offered == ["ns__f"]
    second = asking.responded({"input": [output("call_1")], "previous_response_id": first["id"]})
    assert asking.offered == ["ns__f"]
    own = {**FUNCTION, "name": "g"}
    again = {"input": [output(second["output"][0]["call_id"])], "previous_response_id": second["id"], "tools": [own]}
    asking.responded(again)
    assert asking.offered == ["g", "ns__f"], "each once"


def test_tools_of_the_field_are_not_carried_on(asking: Asking) -> None:
    first = asking.responded({"input": "a", "tools": [FUNCTION]})
    asking.responded({"input": [output("call_1")], "previous_response_id": first["id"]})
    assert asking.offered == []
