"""Servers behind an address: streamable HTTP in both eras, the older SSE, and what can go wrong on the way."""

import asyncio
import socket
import subprocess
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.fakes.mcp_sources import SECONDS, opened, settings, until, versatile

from callgate.core.config.settings import Era
from callgate.core.errors import PeerFault


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 50))


@contextmanager
def serving(kind: str, port: int = 0) -> Iterator[int]:
    """A server of its own process; gives its port."""
    process = subprocess.Popen(
        versatile(kind), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={"PORT": str(port)}
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stdout.close()


@pytest.fixture(scope="module")
def http_port() -> Iterator[int]:
    with serving("http") as port:
        yield port


@pytest.fixture(scope="module")
def sse_port() -> Iterator[int]:
    with serving("sse") as port:
        yield port


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_streamable_http_lists_calls_reports_and_hears_of_changes(http_port: int, tmp_path: Path, era: Era) -> None:
    async def work() -> None:
        async with opened(settings(url=address(http_port)), tmp_path, era=era) as server:
            await server.ready()
            assert server.source.era == era
            assert await server.text("echo", text="over HTTP") == "over HTTP"
            await server.call("progress")
            assert [report[0] for report in server.reports] == ["step 1", "step 2", "step 3"]
            if era == "modern":
                before = len(server.source.tools())
                await server.call("grow")
                await until(lambda: len(server.source.tools()) == before + 1)

    run(work())


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_call_over_http_that_is_cancelled_is_cancelled_at_the_server(
    http_port: int, tmp_path: Path, era: Era
) -> None:
    async def work() -> None:
        async with opened(settings(url=address(http_port)), tmp_path, era=era) as server:
            await server.ready()
            before = int(await server.text("cancelled_count"))
            sent = len(server.frames)
            call = asyncio.get_running_loop().create_task(server.call("hang"))
            await until(lambda: len(server.frames) > sent)
            await asyncio.sleep(0.1)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            async with asyncio.timeout(SECONDS):
                while int(await server.text("cancelled_count")) == before:
                    await asyncio.sleep(0.02)

    run(work())


@pytest.mark.parametrize("transport", ["sse", ""])
def test_a_server_of_the_older_transport_is_reached_with_and_without_a_hint(
    sse_port: int, tmp_path: Path, transport: str
) -> None:
    async def work() -> None:
        async with opened(settings(url=address(sse_port), transport=transport), tmp_path) as server:
            await server.ready()
            assert server.source.era == "legacy"
            assert await server.text("echo", text="over SSE") == "over SSE"

    run(work())


def test_a_server_that_goes_and_comes_back_is_connected_again(tmp_path: Path) -> None:
    async def work() -> None:
        with serving("http") as port:
            async with opened(settings(url=address(port)), tmp_path) as server:
                await server.ready()
                with pytest.raises(PeerFault, match="went away during the call"):
                    await server.call("die")
                await until(lambda: server.source.state == "restarting")
                with serving("http", port):
                    await server.ready()
                    assert await server.text("echo", text="back") == "back"

    run(work())


def test_an_address_where_nobody_listens_is_tried_again_and_said(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = address(unused.getsockname()[1])

        async def work() -> None:
            async with opened(settings(url=url), tmp_path) as server:
                await until(lambda: server.source.state == "failed")
                assert f"{url} can't be reached" in server.source.status.reason
                assert server.source.status.retry_at is not None

        run(work())


class Doorman:
    """Answers every request with one status, and remembers the headers."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.headers: list[dict[str, str]] = []

    async def __call__(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        if self.status == 200:
            return PlainTextResponse("<html>not MCP</html>", media_type="text/html")
        return JSONResponse({"error": "no"}, self.status)

    async def serve(self, listening: socket.socket, stop: asyncio.Event) -> None:
        app = Starlette(routes=[Route("/mcp", self.__call__, methods=["GET", "POST"])])
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        serving = asyncio.get_running_loop().create_task(server._serve([listening]))
        await stop.wait()
        server.should_exit = True
        await serving


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "wants a login (401 Unauthorized)"),
        (403, "refuses access"),
        (404, "no MCP server at that address"),
        (500, "HTTP status 500"),
        (200, "Unexpected content type"),
    ],
)
def test_a_refusal_is_told_in_words_and_configured_headers_are_sent(tmp_path: Path, status: int, words: str) -> None:
    async def work() -> None:
        doorman, stop, listening = Doorman(status), asyncio.Event(), socket.socket()
        listening.bind(("127.0.0.1", 0))
        door = asyncio.get_running_loop().create_task(doorman.serve(listening, stop))
        configured = settings(url=address(listening.getsockname()[1]), headers={"x-key": "${input:key}"})

        async def value(name: str) -> str:
            return f"value of {name}"

        async with opened(configured, tmp_path, input_value=value) as server:
            await until(lambda: server.source.state == "failed")
            assert words in server.source.status.reason
            assert {headers["x-key"] for headers in doorman.headers} == {"value of key"}
        stop.set()
        await door
        listening.close()

    run(work())
