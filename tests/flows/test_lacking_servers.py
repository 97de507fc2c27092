"""A Chat server that lacks what OpenAI's own has, before a client that counts on it: seen over raw HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.runtime.runtime import Launch

ASK = {"model": "m-1", "messages": [{"role": "user", "content": "go"}]}
LOOK = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


@contextmanager
def serving(folder: Path, dialect: str, *replies: Reply) -> Iterator[tuple[RunningStation, ScriptedProvider]]:
    with provider(*replies) as up:
        (folder / "callgate.toml").write_text(
            '[gate]\nclient_tools = "observe"\n'
            f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\ndialect = "{dialect}"\n',
            "utf-8",
        )
        launch = Launch(folder / "callgate.toml", 0, folder, folder / "data", demo_pace_ms=0, windowed=False)
        with running(launch) as runtime:
            yield runtime, up


def post(runtime: RunningStation, **more: Any) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=10) as client:
        return client.post(f"{runtime.address}/v1/chat/completions", json={**ASK, **more})


def whole(*calls: tuple[str, str, str]) -> Reply:
    made = [
        {"id": name, "type": "function", "function": {"name": tool, "arguments": arguments}}
        for name, tool, arguments in calls
    ]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, "tool_calls": made},
        "finish_reason": "tool_calls",
    }
    body = {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice]}
    return Reply(orjson.dumps(body), content_type="application/json")


@pytest.mark.timeout(60)
def test_free_form_calls_come_back_as_text_from_a_server_that_knows_functions_only(tmp_path: Path) -> None:
    streamed = Reply(chat_stream(*call_deltas(0, "call_2", "patch", '{"input":"+ ü"}'), finish="tool_calls"))
    with serving(tmp_path, "vllm", whole(("call_1", "patch", '{"input":"+ a"}')), streamed) as (runtime, up):
        tools = [{"type": "custom", "custom": {"name": "patch"}}]
        plain = post(runtime, tools=tools).json()["choices"][0]["message"]["tool_calls"]
        events = post(runtime, tools=tools, stream=True).text
    assert [tool["type"] for asked in up.asked for tool in asked.body["tools"]] == ["function", "function"]
    assert plain == [{"id": "call_1", "type": "custom", "custom": {"name": "patch", "input": "+ a"}}]
    assert '"custom":{' in events and '"function":{' not in events
    assert "+ ü" in events and '\\"input\\"' not in events


@pytest.mark.timeout(60)
def test_one_call_at_a_time_is_kept_where_the_server_has_no_switch_for_it(tmp_path: Path) -> None:
    two = whole(("call_1", "look", "{}"), ("call_2", "look", "{}"))
    with serving(tmp_path, "ollama", two) as (runtime, up):
        answered = post(runtime, tools=[LOOK], parallel_tool_calls=False)
        calls = answered.json()["choices"][0]["message"]["tool_calls"]
    assert "parallel_tool_calls" not in up.asked[0].body
    assert "x-callgate-warnings" not in answered.headers
    assert [call["id"] for call in calls] == ["call_1"]


@pytest.mark.timeout(60)
def test_a_list_without_any_tools_is_not_passed_on(tmp_path: Path) -> None:
    with serving(tmp_path, "openai", whole()) as (runtime, up):
        assert post(runtime, tools=[], tool_choice="auto", parallel_tool_calls=True).status_code == 200
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(up.asked[0].body)
