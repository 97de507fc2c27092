"""What it costs that an answer ends only once it is in the journal: the time that this adds to the last byte."""

import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from tests.crash.peers import peers
from tests.fakes.running import running

from callgate.runtime.runtime import Launch

pytestmark = pytest.mark.bench

MOST_MS = 3.0
REQUESTS = 150
"""Of each kind, in turns, so that whatever else the machine does meets both alike."""

CONFIG = """
[server]
rate_limit = ""

[[upstreams]]
name = "provider"
wire = "openai-chat"
base_url = "{provider}"

[[rules]]
verdict = "allow"
tool = "write_file"
"""


async def _at_once() -> None:
    """What nothing waits for."""


@pytest.mark.parametrize(("what", "tool"), [("a streamed text", ""), ("a text after a tool has run", "write_file")])
def test_the_last_byte_comes_hardly_later(tmp_path: Path, what: str, tool: str) -> None:
    (tmp_path / "workspace").mkdir()
    config = tmp_path / "callgate.toml"
    headers = {"x-callgate-tools": tool, "x-callgate-execution": "auto"} if tool else {}
    took: dict[bool, list[float]] = {True: [], False: []}
    with peers() as around:
        config.write_text(CONFIG.format(provider=around.provider), "utf-8")
        launch = Launch(config, 0, tmp_path / "workspace", tmp_path / "data")
        with running(launch) as runtime, httpx.Client(trust_env=False, timeout=20, headers=headers) as client:
            committed: Callable[[], Awaitable[None]] = runtime.runtime.journal.committed
            machinery = runtime.runtime.direct._parts
            for number in range(2 * REQUESTS + 20):
                waits = bool(number % 2)
                machinery.committed = committed if waits else _at_once
                task = f"task-{'file' if tool else 'text'}-{number:x}"
                body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": task}]}
                asked = time.perf_counter()
                answer = client.post(f"{runtime.address}/v1/chat/completions", json=body)
                if number >= 20:
                    took[waits].append(1000 * (time.perf_counter() - asked))
                assert "[DONE]" in answer.text
    with_commit, without = statistics.median(took[True]), statistics.median(took[False])
    added = with_commit - without
    print(f"\n{what}: p50 to the last byte {with_commit:.1f} ms, {without:.1f} ms without: {added:+.2f} ms")
    assert added <= MOST_MS
