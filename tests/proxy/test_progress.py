from pathlib import Path

import httpx
import orjson
import pytest
from tests.fakes.running import running
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Invocation, State
from callgate.core.events import InvocationChanged, ToolOutput
from callgate.engine.bus import Bus
from callgate.proxy import progress
from callgate.proxy.progress import ProgressLines
from callgate.runtime.runtime import Launch


def changed(invocation: str, exchange: str, state: State = "Executing") -> InvocationChanged:
    return InvocationChanged(
        Invocation(invocation, exchange, "c", 1, 0, "call_1", "t", "gate", "s", "a", "m", state), 1
    )


def lines(data: bytes) -> list[dict]:
    prefix = b": callgate-progress "
    return [orjson.loads(line.removeprefix(prefix)) for line in data.split(b"\n") if line.startswith(prefix)]


def test_only_the_calls_of_an_exchange_are_told_and_each_thing_once() -> None:
    bus = Bus()
    told = ProgressLines(bus, "mine")
    for event in (
        changed("i1", "mine"),
        changed("i1", "mine"),
        changed("i2", "other"),
        ToolOutput("i1", "c", "half\n", 2, 1, 2),
        ToolOutput("i2", "c", "not this", 2),
    ):
        bus.publish(event)
    assert told
    assert lines(told.take()) == [
        {"call_id": "call_1", "tool": "t", "state": "Executing"},
        {"call_id": "call_1", "tool": "t", "text": "half\n", "progress": 1, "total": 2},
    ]
    assert not told and told.take() == b""
    told.close()
    bus.publish(ToolOutput("i1", "c", "late", 3))
    assert not told


def test_what_nobody_reads_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_WAITING", 1000)
    bus = Bus()
    told = ProgressLines(bus, "mine")
    bus.publish(changed("i1", "mine"))
    for _ in range(100):
        bus.publish(ToolOutput("i1", "c", "x" * 50, 2))
    assert 0 < len(told.take()) <= 1000


RUN = '{"command": "echo one; sleep 0.6; echo two"}'


@pytest.mark.parametrize("wanted", [True, False])
def test_a_client_that_asks_sees_what_a_tool_says_while_it_runs(tmp_path: Path, wanted: bool) -> None:
    calls = chat_stream(*call_deltas(0, "call_1", "run_command", RUN), finish="tool_calls")
    with provider(Reply(calls), Reply(chat_stream({"content": "done"}))) as up:
        config = tmp_path / "callgate.toml"
        config.write_text(
            f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["*"]\n'
            '[[rules]]\nverdict = "allow"\n',
            "utf-8",
        )
        with running(Launch(config, 0, tmp_path, tmp_path / "data", windowed=False, on_ask="allow")) as runtime:
            headers = {"x-callgate-tools": "run_command", "x-callgate-execution": "auto"}
            body = {"model": "gpt-x", "messages": [{"role": "user", "content": "hi"}], "stream": True}
            with httpx.Client(trust_env=False, timeout=20) as client:
                answer = client.post(
                    f"{runtime.address}/v1/chat/completions",
                    json=body,
                    headers=headers | ({"x-callgate-progress": "1"} if wanted else {}),
                )
    assert answer.status_code == 200 and b'"done"' in answer.content
    told = lines(answer.content)
    if not wanted:
        assert told == []
        return
    assert "one" in "".join(line.get("text", "") for line in told)
    states = [line["state"] for line in told if "state" in line]
    assert states[:2] == ["Streaming", "Executing"] and states[-1] == "Completed"
    assert answer.content.index(b"callgate-progress") < answer.content.index(b'"done"')
