"""The page that a browser comes back to takes one visit and tells everything else that there is nothing here."""

import asyncio
import socket
from collections.abc import Coroutine
from typing import Any

from callgate.tools.mcp_source.login_page import HOST, Visit, address, free_port, login_page


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 5))


async def sent(port: int, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(data)
    writer.write_eof()
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


def test_the_browsers_visit_brings_code_state_and_issuer() -> None:
    async def work() -> None:
        port = free_port()
        async with login_page(port) as page:
            target = b"GET /callback?code=c1&state=s%2B1&iss=https%3A%2F%2Fa HTTP/1.1\r\nHost: x\r\n\r\n"
            answer = await sent(port, target)
            assert answer.startswith(b"HTTP/1.1 200 OK")
            assert b"You are logged in" in answer
            assert await page.visited() == Visit("c1", "s+1", "https://a")
        assert address(port) == f"http://127.0.0.1:{port}/callback"

    run(work())


def test_a_refusal_is_told_and_a_second_visit_changes_nothing() -> None:
    async def work() -> None:
        port = free_port()
        async with login_page(port) as page:
            assert b"refused" in await sent(port, b"GET /callback?error=access_denied&state=s HTTP/1.1\r\n\r\n")
            await sent(port, b"GET /callback?code=late&state=s HTTP/1.1\r\n\r\n")
            assert await page.visited() == Visit(state="s", error="access_denied")

    run(work())


def test_whatever_else_comes_is_no_visit() -> None:
    async def work() -> None:
        port = free_port()
        async with login_page(port) as page:
            assert b"404" in await sent(port, b"GET /favicon.ico HTTP/1.1\r\n\r\n")
            assert b"404" in await sent(port, b"POST /callback?code=x HTTP/1.1\r\n\r\n")
            assert await sent(port, b"not http at all") == b""
            assert await sent(port, b"") == b""
            waiting = asyncio.ensure_future(page.visited())
            await asyncio.sleep(0)
            assert not waiting.done()
            waiting.cancel()

    run(work())


def test_a_port_that_is_taken_is_not_chosen_again() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        assert free_port(taken.getsockname()[1]) != taken.getsockname()[1]
