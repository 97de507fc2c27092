import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import orjson
import pytest
from tests.fakes.list_source import ListSource
from tests.fakes.loop import until
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision
from callgate.core.events import RoundStarted
from callgate.core.tool import Tool, ToolSpec
from callgate.engine.bus import Bus
from callgate.engine.exchange.direct_call import Caller
from callgate.engine.tasks import Tasks
from callgate.proxy.tools_endpoint import ToolsEndpoint
from callgate.runtime.runtime import Launch
from callgate.tools.catalog import Catalog
from callgate.tools.http_source import HttpSource
from callgate.tools.memory import Forgetful

CONFIG = """
[gate]
block_tools = ["delete_*"]

[[sources]]
name = "mine"
kind = "command"

[[sources.tools]]
name = "shout"
description = "Repeats a text."
argv = ["printf", "%s!", "{text}"]
schema = { type = "object", properties = { text = { type = "string" } }, required = ["text"] }
tags = ["text"]
annotations = { readOnlyHint = true }

[[rules]]
verdict = "allow"
tool = "shout"
"""


def launch(folder: Path, config: str = CONFIG) -> Launch:
    file = folder / "conf" / "callgate.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(config, "utf-8")
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return Launch(file, 0, work, folder / "data", demo_pace_ms=0, windowed=False)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[RunningStation]:
    with running(launch(tmp_path)) as runtime:
        yield runtime


def ask(runtime: RunningStation, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=20) as client:
        return client.request(method, f"{runtime.address}{path}", json=body, headers=headers)


def refused(response: httpx.Response, status: int = 400) -> dict:
    assert response.status_code == status, response.text
    return response.json()["error"]


ECHO = {
    "name": "look_up",
    "description": "Looks something up.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    "tags": ["Lookup"],
    "annotations": {"readOnlyHint": True, "idempotentHint": True},
    "callback_url": "http://127.0.0.1:9/cb",
}


def test_a_registered_tool_is_listed_found_and_removed(runtime: RunningStation) -> None:
    made = ask(runtime, "POST", "/v1/tools", ECHO)
    assert made.status_code == 201 and made.json()["name"] == "look_up"
    assert made.json()["annotations"] == {"readOnlyHint": True, "idempotentHint": True}
    listed = ask(runtime, "GET", "/v1/tools?tags=lookup").json()
    assert [tool["name"] for tool in listed["data"]] == ["look_up"] and listed["object"] == "list"
    assert ask(runtime, "GET", "/v1/tools/look_up").json() == made.json()
    assert ask(runtime, "POST", "/v1/tools", ECHO).status_code == 200, "the same again changes nothing"
    assert ask(runtime, "DELETE", "/v1/tools/look_up").json()["deleted"] is True
    assert refused(ask(runtime, "GET", "/v1/tools/look_up"), 404)["code"] == "tool_not_found"
    assert refused(ask(runtime, "DELETE", "/v1/tools/look_up"), 404)["code"] == "tool_not_found"


def test_names_that_are_taken_are_refused(runtime: RunningStation) -> None:
    ask(runtime, "POST", "/v1/tools", ECHO)
    for taken in ("read_file", "shout"):
        error = refused(ask(runtime, "POST", "/v1/tools", {**ECHO, "name": taken}))
        assert (error["code"], error["param"]) == ("tool_exists", "name")
    assert refused(ask(runtime, "POST", "/v1/tools", {**ECHO, "description": "x"}))["code"] == "tool_exists"


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"name": "with spaces"}, "name"),
        ({"name": "x" * 200}, "name"),
        ({"inputSchema": {"type": "wish"}}, "inputSchema"),
        ({"callback_url": "http://example.com/cb"}, "callback_url"),
        ({"callback_url": "http://169.254.169.254/"}, "callback_url"),
        ({"answered_by": "nobody"}, "answered_by"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_bad_registration_gets_a_400_that_names_the_field(runtime: RunningStation, change: dict, param: str) -> None:
    assert refused(ask(runtime, "POST", "/v1/tools", {**ECHO, **change}))["param"] == param


def test_a_schema_with_a_cycle_is_taken(runtime: RunningStation) -> None:
    schema = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    assert ask(runtime, "POST", "/v1/tools", {**ECHO, "inputSchema": schema}).status_code == 201
    assert ask(runtime, "GET", "/v1/tools/look_up").json()["inputSchema"] == schema


def test_what_was_not_registered_cannot_be_removed_and_a_page_cannot_register(runtime: RunningStation) -> None:
    assert refused(ask(runtime, "DELETE", "/v1/tools/read_file"), 403)["code"] == "not_removable"
    assert refused(ask(runtime, "POST", "/v1/tools", ECHO, origin="https://evil.example"), 403)
    with httpx.Client(trust_env=False) as client:
        answer = client.post(f"{runtime.address}/v1/tools", content=orjson.dumps(ECHO))
        assert refused(answer)["param"] == "content-type"


def test_only_tools_that_are_to_stay_are_there_after_a_restart(tmp_path: Path) -> None:
    with running(launch(tmp_path)) as first:
        ask(first, "POST", "/v1/tools", {**ECHO, "persist": True})
        ask(first, "POST", "/v1/tools", {**ECHO, "name": "passing"})
        first.do(lambda: first.runtime.console.enable_tool("search_text", False))
        first.do(lambda: first.runtime.console.enable_source("mine", False, "codex"))
    with running(launch(tmp_path)) as second:
        names = {tool["name"] for tool in ask(second, "GET", "/v1/tools").json()["data"]}
        assert "look_up" in names and not names & {"passing", "search_text"} and "shout" in names
        for_codex = ask(second, "GET", "/v1/tools", **{"x-callgate-agent": "codex"}).json()["data"]
        assert "shout" not in {tool["name"] for tool in for_codex}
        ask(second, "DELETE", "/v1/tools/look_up")
    with running(launch(tmp_path)) as third:
        assert refused(ask(third, "GET", "/v1/tools/look_up"), 404)


def test_a_blocked_tool_is_not_listed(runtime: RunningStation) -> None:
    assert refused(ask(runtime, "GET", "/v1/tools/delete_file"), 404)
    blocked = next(tool for tool in runtime.do(runtime.runtime.console.tools) if tool.name == "delete_file")
    assert blocked.unavailable == "gate.block_tools names it"


def direct(runtime: RunningStation, name: str, **arguments: str) -> tuple[str, bool]:
    async def call() -> tuple[str, bool]:
        outcome = await runtime.runtime.direct.call(name, arguments, Caller("test", "s"), lambda *_: None)
        return "".join(getattr(part, "text", "") for part in outcome.parts), outcome.is_error

    return runtime.call(call())


def test_a_command_of_the_configuration_runs(runtime: RunningStation) -> None:
    assert direct(runtime, "shout", text="a b; c") == ("a b; c!", False)


def test_a_registered_tool_is_called_back_after_approval(runtime: RunningStation) -> None:
    with provider(Reply(b'{"result": {"found": 1}}', content_type="application/json")) as callback:
        ask(runtime, "POST", "/v1/tools", {**ECHO, "callback_url": f"{callback.address}/cb"})
        answers: list[tuple[str, bool]] = []
        calling = threading.Thread(target=lambda: answers.append(direct(runtime, "look_up", q="x")))
        calling.start()
        waiting = runtime.wait_for_state("WaitingForConfirmation", "look_up")
        assert not callback.asked, "nothing goes out before somebody has agreed"
        assert runtime.decide(waiting, Decision("approve"))
        calling.join(10)
    assert answers == [('{"found":1}', False)]
    assert callback.asked[0].body["arguments"] == {"q": "x"} and callback.asked[0].body["call_id"]


def test_a_tool_for_a_person_is_answered_by_one(runtime: RunningStation) -> None:
    assert ask(runtime, "POST", "/v1/tools", {"name": "ask_me", "answered_by": "person"}).status_code == 201
    answers: list[tuple[str, bool]] = []
    calling = threading.Thread(target=lambda: answers.append(direct(runtime, "ask_me")))
    calling.start()
    waiting = runtime.wait_for_state("WaitingForConfirmation", "ask_me")
    assert runtime.decide(waiting, Decision("answer", result="blue"))
    calling.join(10)
    assert answers == [("blue", False)]


# ---- what a model is offered ---------------------------------------------------------------------------------------


def upstream(address: str, more: str = "") -> str:
    return f'{more}\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-*"]\n'


def chat(runtime: RunningStation, text: str = "hi", **headers: str) -> httpx.Response:
    body = {"model": "gpt-x", "messages": [{"role": "user", "content": text}], "stream": True}
    return ask(runtime, "POST", "/v1/chat/completions", body, **headers)


def test_a_client_chooses_tools_and_toolsets_by_header(tmp_path: Path) -> None:
    sets = '{ // mine\n "reading": {"tools": ["read_file", "look", "unknown",]}, "loop": {"tools": ["loop"]} }'
    with (
        provider(Reply(chat_stream({"content": "ok"}))) as up,
        running(launch(tmp_path, upstream(up.address))) as runtime,
    ):
        (tmp_path / "conf" / "my.toolsets.jsonc").write_text(sets, "utf-8")
        ask(runtime, "POST", "/v1/tools", {**ECHO, "referenceName": "look"})
        runtime.do(lambda: setattr(runtime.runtime.toolbox.toolsets, "_looked", None))
        chosen = chat(runtime, **{"x-callgate-tools": "reading, search_text", "x-callgate-execution": "auto"})
        assert chosen.status_code == 200, chosen.text
        offered = {tool["function"]["name"] for tool in up.asked[-1].body["tools"]}
        assert offered == {"read_file", "look_up", "search_text"}
        error = refused(chat(runtime, **{"x-callgate-tools": "reading,nothing"}))
        assert error["param"] == "x-callgate-tools" and "'nothing'" in error["message"]
        notes = runtime.do(runtime.runtime.toolbox.toolsets.notes)
        assert any("'unknown'" in note for note in notes) and any("circle" in note for note in notes)


def test_more_tools_than_fit_are_groups_that_the_model_opens(tmp_path: Path) -> None:
    opening = chat_stream(*call_deltas(0, "call_1", "activate_registered", "{}"), finish="tool_calls")
    config = upstream("{address}", "[gate]\ngroup_tools_above = 40\n")
    with provider(Reply(opening), Reply(chat_stream({"content": "done"}))) as up:
        with running(launch(tmp_path, config.replace("{address}", up.address))) as runtime:
            for number in range(29):
                made = {"name": f"extra_{number}", "answered_by": "callback", "callback_url": "http://127.0.0.1:9/"}
                assert ask(runtime, "POST", "/v1/tools", made).status_code == 201
            answer = chat(runtime, **{"x-callgate-tools": "all"})
            assert answer.status_code == 200 and b"done" in answer.content and b"activate_" not in answer.content
            first, second = ([tool["function"]["name"] for tool in asked.body["tools"]] for asked in up.asked)
            assert "activate_registered" in first and len(first) <= 40 and "extra_0" not in first
            assert len(second) <= 40 and second != first
            told = up.asked[1].body["messages"][-1]
            assert told["role"] == "tool" and "can be called from now on" in told["content"]
            assert "extra_28" in second and "activate_built-in" in second
            round_ = next(event for event in runtime.events if isinstance(event, RoundStarted))
            assert round_.available > len(round_.tools)


def test_the_tools_that_agents_bring_along_are_remembered(tmp_path: Path) -> None:
    body = {
        "model": "gpt-x",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"type": "function", "function": {"name": "theirs"}}],
    }
    with provider(Reply(chat_stream({"content": "ok"}))) as up:
        config = upstream(up.address)
        with running(launch(tmp_path, config)) as runtime:
            ask(runtime, "POST", "/v1/chat/completions", body | {"stream": True}, **{"x-callgate-agent": "codex"})
            known = runtime.do(runtime.runtime.console.client_tools)
        with running(launch(tmp_path, config)) as again:
            assert again.do(again.runtime.console.client_tools) == known
    assert [(tool.agent, tool.name, tool.tool) for tool in known] == [("codex", "theirs", ToolSpec("theirs"))]


def test_the_station_ends_with_a_callback_that_hangs(tmp_path: Path) -> None:
    hold = threading.Event()
    with provider(Reply(b'{"content":"late"}', hold=hold, content_type="application/json")) as callback:
        config = '[[rules]]\nverdict = "allow"\ntool = "look_up"\n'
        with running(launch(tmp_path, config)) as runtime:
            ask(runtime, "POST", "/v1/tools", {**ECHO, "callback_url": callback.address, "timeout_seconds": 0.3})
            text, is_error = direct(runtime, "look_up", q="x")
            assert is_error and "did not finish within 0.3 seconds" in text
            runtime.call(asyncio.to_thread(callback.hung_up.wait, 5))
            assert callback.hung_up.is_set()


def test_everything_that_is_known_of_a_tool_is_told(runtime: RunningStation) -> None:
    assert ask(runtime, "POST", "/v1/tools", ECHO).status_code == 201
    told = ask(runtime, "GET", "/v1/tools/look_up").json()
    assert (told["id"], told["owner"], told["when"], told["icons"]) == ("registered/look_up", "gate", "", [])
    assert told["annotations"] == {"readOnlyHint": True, "idempotentHint": True}
    assert set(told["tokenCost"]) == {"openai", "anthropic", "gemini"}
    assert len(told["fingerprint"]) == 32 and told["referenceName"] == "look_up"


def test_tools_are_spelled_before_anybody_asks_and_again_after_a_change() -> None:
    async def work() -> None:
        tasks = Tasks(Bus())
        source = ListSource("s", *(Tool(f"get_{number}", "s") for number in range(300)))
        catalog = Catalog([source])
        endpoint = ToolsEndpoint(catalog, HttpSource(Forgetful()), tasks)
        endpoint.open()
        await until(lambda: len(endpoint._spelled) == 300)
        source.replace(Tool("set_1", "s", "new"), Tool("get_1", "s", "changed"))
        await until(lambda: set(endpoint._spelled) == {"set_1", "get_1"})
        assert b"changed" in endpoint._spelled["get_1"][1]
        endpoint.close()
        source.replace()
        assert not endpoint._spelled
        await tasks.close()

    asyncio.run(asyncio.wait_for(work(), 10))
