"""The server on its own: where it listens, and that small answers go out at once."""

import asyncio
import socket
import time

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from callgate.core.errors import UserFault
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.proxy.server import ProxyServer

DELAYED_ACK_SECONDS = 0.04
"""What every answer in two pieces costs where the kernel may wait for the first one to be acknowledged."""


async def two_pieces(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"o", "more_body": True})
    await send({"type": "http.response.body", "body": b"k"})


def test_answers_on_a_kept_connection_do_not_wait_for_an_acknowledgement() -> None:
    async def work() -> list[float]:
        tasks = Tasks(Bus())
        server = ProxyServer(two_pieces, tasks)
        address = await server.start("127.0.0.1", 0)
        spent: list[float] = []
        async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
            for _ in range(12):
                started = time.perf_counter()
                assert (await client.get(address)).text == "ok"
                spent.append(time.perf_counter() - started)
        await server.stop()
        await tasks.close()
        return spent[1:]  # the first is acknowledged at once whatever was set

    assert min(asyncio.run(asyncio.wait_for(work(), 20))) < DELAYED_ACK_SECONDS / 2


def test_a_port_that_is_taken_is_passed_over_and_said() -> None:
    async def work() -> None:
        tasks = Tasks(Bus())
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            server = ProxyServer(two_pieces, tasks)
            address = await server.start("127.0.0.1", port)
            assert address != f"http://127.0.0.1:{port}"
            assert server.note == f"Port {port} is taken; using {address.rpartition(':')[2]} instead."
            await server.stop()
        await tasks.close()

    asyncio.run(asyncio.wait_for(work(), 20))


def test_a_host_that_is_not_here_is_said() -> None:
    async def work() -> None:
        tasks = Tasks(Bus())
        with pytest.raises(UserFault, match=r"Cannot listen on 192\.0\.2\.1"):
            await ProxyServer(two_pieces, tasks).start("192.0.2.1", 8080)
        await tasks.close()

    asyncio.run(asyncio.wait_for(work(), 20))
