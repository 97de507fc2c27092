"""A request with very many messages or tools holds up neither the window nor any other exchange."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import orjson
import pytest

from callgate.core.messages import Json
from callgate.proxy.chat_endpoint import MOST_ENTRIES, MOST_TOOLS
from callgate.runtime.runtime import Launch, Runtime

LONGEST_TURN = 0.05
BOUND = 50.0
ANSWER = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-l",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}],
}


def message(number: int) -> Json:
    return {"role": "user" if number % 2 == 0 else "assistant", "content": f"message {number}"}


def tool(number: int) -> Json:
    schema: Json = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    return {"type": "function", "function": {"name": f"tool_{number}", "description": "t", "parameters": schema}}


def request(messages: int, tools: int) -> bytes:
    body = {"model": "gpt-l", "messages": [message(number) for number in range(messages)]}
    return orjson.dumps(body | ({"tools": [tool(number) for number in range(tools)]} if tools else {}))


@asynccontextmanager
async def runtime(folder: Path) -> AsyncIterator[Runtime]:
    async def provide(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        left = int(next(line for line in head.split(b"\r\n") if line.startswith(b"content-length")).split(b":")[1])
        while left:
            left -= len(await reader.read(left))
        body = orjson.dumps(ANSWER)
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        writer.close()

    server = await asyncio.start_server(provide, "127.0.0.1", 0)
    config = folder / "large.toml"
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    config.write_text(f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{url}"\nmodels = ["gpt-*"]\n')
    (folder / "work").mkdir()
    opened = Runtime(Launch(config, 0, folder / "work", folder / "data", windowed=False))
    await opened.open()
    try:
        yield opened
    finally:
        await opened.close()
        server.close()


async def _longest_turn(longest: list[float]) -> None:
    """Of the loop's own computing time: a busy machine, or another thread that works, makes no turn longer."""
    while True:
        before = time.thread_time()
        await asyncio.sleep(0)
        longest[0] = max(longest[0], time.thread_time() - before)


@pytest.mark.parametrize(("messages", "tools"), [(MOST_ENTRIES - 1, 0), (1, MOST_TOOLS)])
def test_no_turn_of_the_loop_is_long(messages: int, tools: int, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with runtime(tmp_path) as opened, httpx.AsyncClient(trust_env=False, timeout=BOUND) as client:
            longest = [0.0]
            body = request(messages, tools)
            watching = asyncio.get_running_loop().create_task(_longest_turn(longest))
            answer = await client.post(
                f"{opened.address}/v1/chat/completions", content=body, headers={"content-type": "application/json"}
            )
            watching.cancel()
            assert answer.json() == ANSWER
            assert longest[0] < LONGEST_TURN

    asyncio.run(asyncio.wait_for(scenario(), BOUND))


@pytest.mark.parametrize(
    ("messages", "tools", "field"), [(MOST_ENTRIES + 1, 0, "messages"), (1, MOST_TOOLS + 1, "tools")]
)
def test_more_than_anyone_means_is_refused_by_name(messages: int, tools: int, field: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with runtime(tmp_path) as opened, httpx.AsyncClient(trust_env=False, timeout=BOUND) as client:
            answer = await client.post(
                f"{opened.address}/v1/chat/completions",
                content=request(messages, tools),
                headers={"content-type": "application/json"},
            )
            assert answer.status_code == 400
            assert answer.json()["error"]["param"] == field

    asyncio.run(asyncio.wait_for(scenario(), BOUND))


def _send(address: str, body: bytes) -> bytes:
    head = {"content-type": "application/json"}
    with httpx.Client(trust_env=False, timeout=2 * BOUND) as client:
        return client.post(f"{address}/v1/chat/completions", content=body, headers=head).content


@pytest.mark.timeout(4 * BOUND)
def test_a_message_of_many_megabytes_makes_no_turn_of_the_loop_long(tmp_path: Path) -> None:
    """Sent by a thread: the loop's own work is what counts."""
    body = orjson.dumps({"model": "gpt-l", "messages": [{"role": "user", "content": "x" * 60_000_000}]})

    async def scenario() -> None:
        async with runtime(tmp_path) as opened:
            longest = [0.0]
            watching = asyncio.get_running_loop().create_task(_longest_turn(longest))
            answer = await asyncio.to_thread(_send, opened.address, body)
            watching.cancel()
            assert orjson.loads(answer) == ANSWER
            assert longest[0] < LONGEST_TURN / 2
            await opened.journal.settled()  # closing waits for a second only

    asyncio.run(asyncio.wait_for(scenario(), 3 * BOUND))
