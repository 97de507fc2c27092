"""Mixed load with faults for `CALLGATE_SOAK_MINUTES`: at the end everything is as it was at the start."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest

MINUTES = float(os.environ.get("CALLGATE_SOAK_MINUTES", "0.2"))
AT_ONCE = 12
CALM_SECONDS = 20.0
SETTLED = 0.4
"""From this share of the time on memory must be level: caches have filled by then."""
MOST_GROWTH = 0.10
KINDS = ("plain", "plain", "tool", "tool", "long", "cut", "noise", "refuse", "limit", "garbage", "hang up")
pytestmark = pytest.mark.timeout(MINUTES * 60 + 120)

ALLOWED = '[[rules]]\nverdict = "allow"\ntool = "read_file"\n'


class Station:
    def __init__(self, folder: Path) -> None:
        here = Path(__file__).parent
        self._provider = subprocess.Popen([sys.executable, here / "faulty_provider.py"], stdout=subprocess.PIPE)
        port = int(_out(self._provider).readline())
        config = folder / "soak.toml"
        config.write_text(
            f'[server]\nrate_limit = ""\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\n'
            f'base_url = "http://127.0.0.1:{port}/v1"\nmodels = ["*"]\n{ALLOWED}',
            "utf-8",
        )
        (folder / "work").mkdir()
        (folder / "work" / "notes.txt").write_text("buy milk\n", "utf-8")
        self._log = (folder / "station.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.station_process", config, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=here.parents[1],
        )
        self.address = _out(self._process).readline().decode().strip()

    def holdings(self) -> dict:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return json.loads(_out(self._process).readline())

    def close(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait(20)
        self._provider.terminate()
        self._provider.wait(10)
        self._log.close()
        for stream in (self._process.stdout, self._provider.stdout):
            assert stream is not None
            stream.close()
        return code


def _out(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Station]:
    started = Station(tmp_path)
    yield started
    assert started.close() == 0


def request(rng: random.Random) -> tuple[str, dict, dict]:
    """A chat request on any of the wires: path, body, headers."""
    words = f"{rng.choice(KINDS)} {rng.random()}"
    stream = rng.random() < 0.6
    run_here = {"x-callgate-tools": "all", "x-callgate-execution": "auto"} if rng.random() < 0.5 else {}
    match rng.randrange(4):
        case 0:
            body = {"model": "gpt-s", "stream": stream, "messages": [{"role": "user", "content": words}]}
            return "/v1/chat/completions", body, run_here
        case 1:
            return "/v1/responses", {"model": "gpt-s", "stream": stream, "input": words}, run_here
        case 2:
            body = {"model": "c", "max_tokens": 90, "stream": stream, "messages": [{"role": "user", "content": words}]}
            return "/v1/messages", body, run_here | {"anthropic-version": "2023-06-01"}
        case _:
            method = "streamGenerateContent?alt=sse" if stream else "generateContent"
            body = {"contents": [{"role": "user", "parts": [{"text": words}]}]}
            return f"/v1beta/models/g:{method}", body, run_here


async def one(client: httpx.AsyncClient, rng: random.Random, seen: Counter[str]) -> None:
    """A request that is read to its end, or left, or is no request at all."""
    path, body, headers = request(rng)
    try:
        match rng.randrange(10):
            case 0:
                answer = await client.post("/v1/chat/completions", content=rng.randbytes(rng.randrange(200)))
                assert 400 <= answer.status_code < 500
                seen["nonsense"] += 1
            case 1:
                seen["tools"] += (await client.get("/v1/tools")).status_code == 200
            case 2 | 3:
                async with client.stream("POST", path, json=body, headers=headers) as answer:
                    async for _ in answer.aiter_raw():
                        if rng.random() < 0.4:
                            break
                seen["left"] += 1
            case _:
                answer = await client.post(path, json=body, headers=headers)
                seen[str(answer.status_code)] += 1
    except httpx.RemoteProtocolError:
        seen["cut off"] += 1  # what the provider broke off is broken off here


async def load(runtime: Station, seconds: float, rng: random.Random, seen: Counter[str]) -> list[float]:
    """The memory in megabytes, looked at now and then."""
    end, memory = time.monotonic() + seconds, []
    async with httpx.AsyncClient(base_url=runtime.address, trust_env=False, timeout=30) as client:

        async def worker() -> None:
            while time.monotonic() < end:
                await one(client, rng, seen)

        async def watcher() -> None:
            while time.monotonic() < end:
                memory.append(await asyncio.to_thread(lambda: runtime.holdings()["megabytes"]))
                await asyncio.sleep(seconds / 30)

        await asyncio.gather(watcher(), *[worker() for _ in range(AT_ONCE)])
    return memory


def calm(runtime: Station, before: dict) -> dict:
    """What is held once nothing is asked any more; connections to providers are kept for a few seconds."""
    end = time.monotonic() + CALM_SECONDS
    while True:
        now = runtime.holdings()
        settled = all(now[kind] <= before[kind] for kind in ("sockets", "tasks", "children"))
        if settled or time.monotonic() > end:
            return now
        time.sleep(0.2)  # another process is waited for, which tells nobody when it is done


def test_after_a_mixed_load_with_faults_nothing_is_left(runtime: Station) -> None:
    seed = random.randrange(2**32)
    rng, seen = random.Random(seed), Counter[str]()
    asyncio.run(load(runtime, 2, rng, seen))  # what is loaded on demand is loaded
    before = calm(runtime, {"sockets": 0, "tasks": 0, "children": 0} | runtime.holdings())
    memory = asyncio.run(load(runtime, MINUTES * 60, rng, seen))
    after = calm(runtime, before)
    print(f"\nsoak, seed {seed}: {sum(seen.values()):,} requests {dict(seen.most_common())}\n{before}\n{after}")
    print("megabytes:", " ".join(f"{value:.0f}" for value in memory))
    for kind in ("sockets", "files", "tasks", "threads", "children"):
        assert after[kind] <= before[kind] + (kind == "threads") * 4, kind  # a pool of threads fills by and by
    assert {"200", "left", "nonsense", "tools"} <= set(seen)
    assert not {"500"} & set(seen), "an error of ours"
    if MINUTES >= 5:
        level = memory[round(len(memory) * SETTLED) :]
        assert max(level) <= level[0] * (1 + MOST_GROWTH), "memory keeps growing"
