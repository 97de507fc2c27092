"""With `histories = "repair"` a history that does not add up reaches any provider whole, and the client is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, provider

from callgate.core.events import RoundStarted
from callgate.core.mended_history import LOST
from callgate.station import Launch

ASKED = {"role": "user", "content": "hi"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
FUNCTION_CALL = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
USE = {"type": "tool_use", "id": "call_1", "name": "f", "input": {}}
ORPHAN = {"type": "tool_result", "tool_use_id": "call_9", "content": "?"}
BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": (
        "/v1/chat/completions",
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": None, "tool_calls": [CALL]},
                {"role": "tool", "tool_call_id": "call_9", "content": "?"},
                ASKED,
            ]
        },
    ),
    "openai-responses": (
        "/v1/responses",
        {"input": [ASKED, FUNCTION_CALL, {"type": "function_call_output", "call_id": "call_9", "output": "?"}, ASKED]},
    ),
    "anthropic": (
        "/v1/messages",
        {
            "max_tokens": 9,
            "messages": [
                ASKED,
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [ORPHAN, {"type": "text", "text": "hi"}]},
            ],
        },
    ),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "call_1", "name": "f", "args": {}}}]},
                {
                    "role": "user",
                    "parts": [{"functionResponse": {"id": "call_9", "name": "g", "response": {}}}, {"text": "hi"}],
                },
            ]
        },
    ),
}
CALLS = Reply(
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls",'
    b'"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",'
    b'"function":{"name":"f","arguments":"{}"}}]}}]}',
    content_type="application/json",
)


@pytest.fixture(scope="module")
def up() -> Iterator[ScriptedProvider]:
    with provider(CALLS) as scripted:
        yield scripted


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory, up: ScriptedProvider) -> Iterator[RunningStation]:
    folder: Path = tmp_path_factory.mktemp("mended")
    config = folder / "callgate.toml"
    config.write_text(
        '[server]\nhistories = "repair"\n'
        f'[[upstreams]]\nname = "u"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n',
        "utf-8",
    )
    with running(Launch(config, 0, folder, folder / "data", demo_pace_ms=0, windowed=False)) as opened:
        yield opened


def posted(station: RunningStation, path: str, body: dict[str, Any]) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=5) as client:
        return client.post(f"{station.address}{path}", json={"model": "m", **body})


@pytest.mark.parametrize("wire", BROKEN)
def test_a_lost_result_is_said_to_be_lost_and_one_for_no_call_is_left_out(
    station: RunningStation, up: ScriptedProvider, wire: str
) -> None:
    answer = posted(station, *BROKEN[wire])
    assert answer.status_code == 200, answer.text
    told = up.asked[-1].body["messages"]
    assert [message["role"] for message in told] == ["user", "assistant", "tool", "user"]
    assert (told[2]["tool_call_id"], told[2]["content"]) == ("call_1", LOST)
    warned = answer.headers["x-callgate-warnings"]
    assert "call_9 answers no open call" in warned and "call_1 of f had no result" in warned
    rounds = [event for event in station.events if isinstance(event, RoundStarted)]
    assert len(rounds[-1].warnings) == 2 and not rounds[-1].untouched, "the person sees it too"


def test_what_is_wrong_otherwise_is_refused_as_ever(station: RunningStation) -> None:
    nameless = {"messages": [ASKED], "tools": [{"type": "function", "function": {"name": "no name!"}}]}
    assert posted(station, "/v1/chat/completions", nameless).status_code == 400
    only_orphans = {"max_tokens": 9, "messages": [{"role": "user", "content": [ORPHAN]}]}
    refused = posted(station, "/v1/messages", only_orphans)
    assert refused.status_code == 400 and "unexpected `tool_use_id`" in refused.text


def test_a_chain_is_mended_where_it_goes_on_and_stays_so(station: RunningStation, up: ScriptedProvider) -> None:
    tools = [{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}]
    first = posted(station, "/v1/responses", {"input": "a", "tools": tools}).json()
    second = posted(station, "/v1/responses", {"input": "b", "previous_response_id": first["id"], "tools": tools})
    assert "call_1 of f had no result" in second.headers["x-callgate-warnings"]
    output = {"type": "function_call_output", "call_id": second.json()["output"][0]["call_id"], "output": "done"}
    third = posted(station, "/v1/responses", {"input": [output], "previous_response_id": second.json()["id"]})
    assert third.status_code == 200 and "had no result" not in third.headers.get("x-callgate-warnings", "")
    roles = [message["role"] for message in up.asked[-1].body["messages"]]
    assert roles == ["user", "assistant", "tool", "user", "assistant", "tool"]
