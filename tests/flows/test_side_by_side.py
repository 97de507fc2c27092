"""Several calls of one turn: those that only read run at the same time, the others one after the other, in order."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
from tests.fakes.running import running
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.core.messages import Json, Text
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.runtime.runtime import Launch
from callgate.tools.source import CallContext

MEET_SECONDS = 5.0


class Meeting:
    """`look` returns only once both of its calls are there; `change` tells when it comes and goes."""

    name = "meeting"

    def __init__(self) -> None:
        self.log: list[str] = []
        self._there = 0
        self._both = asyncio.Event()

    def tools(self) -> tuple[Tool, ...]:
        reads = Tool("look", "meeting", annotations=Annotations(read_only=True))
        return reads, Tool("change", "meeting")

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        who = str(arguments["who"])
        self.log.append(f"{who} in")
        if tool.name == "look":
            self._there += 1
            if self._there == 2:
                self._both.set()
            async with asyncio.timeout(MEET_SECONDS):
                await self._both.wait()
        else:
            await asyncio.sleep(0)
        self.log.append(f"{who} out")
        return Outcome((Text(f"{who} done"),))


def played(tmp_path: Path, tool: str) -> tuple[list[str], list[dict]]:
    """What the tools said when they were called twice in one turn, and the results that the model got."""
    calls = [
        *call_deltas(0, "call_1", tool, '{"who":"first"}'),
        *call_deltas(1, "call_2", tool, '{"who":"second"}'),
    ]
    replies = [Reply(chat_stream(*calls, finish="tool_calls")), Reply(chat_stream({"content": "Both done."}))]
    with provider(*replies) as up:
        config = tmp_path / "callgate.toml"
        upstream = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n'
        config.write_text(upstream, "utf-8")
        launch = Launch(config, 0, tmp_path, tmp_path / "data", windowed=False, on_ask="allow")
        with running(launch) as runtime:
            meeting = runtime.do(Meeting)
            runtime.do(lambda: runtime.runtime.catalog.add(meeting))
            body = {
                "model": "gpt-x",
                "messages": [{"role": "user", "content": "go"}],
                "use_tools": True,
                "tool_execution": "auto",
            }
            answer = httpx.post(f"{runtime.address}/v1/chat/completions", json=body, trust_env=False, timeout=10).json()
            assert answer["choices"][0]["message"]["content"] == "Both done."
        results = [message for message in up.asked[1].body["messages"] if message["role"] == "tool"]
        return meeting.log, results


def test_calls_that_only_read_run_at_the_same_time(tmp_path: Path) -> None:
    log, results = played(tmp_path, "look")
    assert log[:2] == ["first in", "second in"]
    assert [(result["tool_call_id"], result["content"]) for result in results] == [
        ("call_1", "first done"),
        ("call_2", "second done"),
    ]


def test_calls_that_may_change_something_run_in_order(tmp_path: Path) -> None:
    log, _ = played(tmp_path, "change")
    assert log == ["first in", "first out", "second in", "second out"]
