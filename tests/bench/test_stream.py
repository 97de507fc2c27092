"""What the window's loop costs a stream: the same provider read directly and through Callgate, in one run."""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import orjson
import pytest
from tests.flows.conftest import Program, make_program  # noqa: F401  the fixture of the flows

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

FAST = 5_000
PACED = 1_000
PAUSE = 0.001


@pytest.fixture
def provider_port() -> Iterator[int]:
    script = Path(__file__).with_name("provider_process.py")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.terminate()


def read(address: str, count: int, pause: float) -> tuple[float, list[float]]:
    """Seconds for the whole stream, and each chunk's microseconds from sending to receiving."""
    body = {"model": "gpt-b", "stream": True, "messages": [{"role": "user", "content": f"{count} {pause}"}]}
    delays: list[float] = []
    started = time.perf_counter()
    with (
        httpx.Client(trust_env=False, timeout=60) as client,
        client.stream("POST", f"{address}/v1/chat/completions", json=body) as response,
    ):
        buffer = b""
        for data in response.iter_raw():
            now = time.monotonic_ns()
            buffer += data
            *events, buffer = buffer.split(b"\n\n")
            for event in events:
                if event.startswith(b"data: {"):
                    delta = orjson.loads(event[6:])["choices"][0]["delta"]
                    if delta.get("content"):
                        delays.append((now - int(delta["content"])) / 1000)
    assert len(delays) == count
    return time.perf_counter() - started, delays


def test_chunks_through_the_windows_loop_next_to_the_same_provider_read_directly(
    make_program: Callable[..., Program],  # noqa: F811
    provider_port: int,
) -> None:
    direct = f"http://127.0.0.1:{provider_port}"
    program = make_program(
        f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{direct}/v1"\nmodels = ["gpt-*"]\n'
    )
    stalls: list[float] = []

    async def measured() -> dict[str, tuple[float, list[float]]]:
        watching = asyncio.ensure_future(_watch(stalls))
        out = {}
        for name, address in (("direct", direct), ("callgate", program.runtime.address)):
            out[f"{name} fast"] = await asyncio.to_thread(read, address, FAST, 0)
            out[f"{name} paced"] = await asyncio.to_thread(read, address, PACED, PAUSE)
        watching.cancel()
        return out

    results = program.loop.run_until_complete(asyncio.wait_for(measured(), 150))
    rate = {name: FAST / results[f"{name} fast"][0] for name in ("direct", "callgate")}
    delay = {name: statistics.median(results[f"{name} paced"][1]) for name in ("direct", "callgate")}
    print(
        f"\nchunk throughput: direct {rate['direct']:,.0f}/s, through the window's loop {rate['callgate']:,.0f}/s,"
        f" ratio {rate['callgate'] / rate['direct']:.2f}"
        f"\nadded latency a chunk (median, 1 per ms): {delay['callgate'] - delay['direct']:,.0f} µs"
        f" (direct {delay['direct']:,.0f} µs, through {delay['callgate']:,.0f} µs,"
        f" ratio {delay['callgate'] / delay['direct']:.1f})"
        f"\nlongest stall of the loop: {max(stalls) * 1000:.0f} ms"
    )
    assert rate["callgate"] > 1000, "a thousand deltas a second must pass"
    assert delay["callgate"] - delay["direct"] < 20_000


async def _watch(stalls: list[float]) -> None:
    """How late the loop's own timer comes: a stall is what the person feels."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        stalls.append(time.perf_counter() - before - 0.005)
