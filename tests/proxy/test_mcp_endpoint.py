"""Real MCP clients of both eras at the endpoint, over a real port."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from tests.fakes.loop import until

from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.exchange.direct_call import Caller, Report
from callgate.engine.tasks import Tasks
from callgate.proxy import mcp_server
from callgate.proxy.mcp_endpoint import McpEndpoint
from callgate.proxy.server import ProxyServer
from callgate.tools.catalog import Catalog, UnknownTool
from callgate.tools.source import CallContext

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


class Tools:
    name = "src"

    def __init__(self) -> None:
        self.listed = (Tool("greet", "src", "greets", {"type": "object"}), Tool("off", "src", enabled=False))
        self._listeners: list[Callable[[], None]] = []

    def tools(self) -> tuple[Tool, ...]:
        return self.listed

    def replace(self, *tools: Tool) -> None:
        self.listed = tools
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        raise AssertionError("calls go through the gate, never straight to the source")


class Gatekeeper:
    """Answers calls as the test says."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Json], Caller]] = []
        self.decided = asyncio.Event()
        self.decided.set()
        self.withdrawn = 0

    async def call(self, name: str, arguments: Mapping[str, Json], caller: Caller, report: Report) -> Outcome:
        self.calls.append((name, arguments, caller))
        if name == "gone":
            raise UnknownTool(name)
        report("waiting for a decision", None, None)
        try:
            await self.decided.wait()
        except asyncio.CancelledError:
            self.withdrawn += 1
            raise
        report("working", 1.0, 2.0)
        return Outcome((Text(f"hello {arguments.get('who')}"),), is_error=arguments.get("who") == "nobody")


class Stage:
    def __init__(self) -> None:
        self.tools = Tools()
        self.gate = Gatekeeper()
        self.tasks = Tasks(Bus())
        self.endpoint = McpEndpoint(Catalog([self.tools]), self.gate, self.tasks)
        self.server = ProxyServer(Starlette(routes=[Route("/mcp", _Handler(self.endpoint))]), self.tasks)
        self.url = ""


class _Handler:
    """What the routes do with a handler, without the guard."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._endpoint.serve(Request(scope, receive))
        await answer(scope, receive, send)


@asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    stage = Stage()
    await stage.endpoint.open()
    stage.url = await stage.server.start("127.0.0.1", 0) + "/mcp"
    try:
        yield stage
    finally:
        await stage.endpoint.close()
        await stage.server.stop()
        await stage.tasks.close()
        await until(lambda: len(stage.tasks) == 0)


@asynccontextmanager
async def client(stage: Stage, mode: str, headers: dict[str, str] | None = None, **more: Any) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(5)) as http:
        transport = streamable_http_client(stage.url, http_client=http)
        info = mcp.Implementation(name="test-client", version="1")
        async with Client(transport, mode=mode, cache=None, client_info=info, **more) as connected:
            yield connected


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


@ERAS
def test_offered_tools_are_listed_and_called_by_both_eras(mode: str) -> None:
    async def work() -> None:
        async with staged() as stage, client(stage, mode) as connected:
            assert [tool.name for tool in (await connected.list_tools()).tools] == ["greet"]
            assert connected.server_capabilities.tools is not None
            assert connected.server_capabilities.tools.list_changed is True
            result = await connected.call_tool("greet", {"who": "Ada"})
            assert result.content == [mcp.TextContent(text="hello Ada")]
            assert not result.is_error
            assert (await connected.call_tool("greet", {"who": "nobody"})).is_error
            name, arguments, caller = stage.gate.calls[0]
            assert (name, arguments, caller.agent) == ("greet", {"who": "Ada"}, "test-client")

    run(work())


@ERAS
def test_calls_of_one_session_are_told_apart_from_those_of_another(mode: str) -> None:
    async def work() -> None:
        async with staged() as stage:
            for number in ("1", "2"):
                async with client(stage, mode, {"x-callgate-conversation": number} if mode == "auto" else None) as one:
                    await one.call_tool("greet", {})
                    await one.call_tool("greet", {})
            sessions = [caller.session for _, _, caller in stage.gate.calls]
            assert sessions[0] == sessions[1] != sessions[2] == sessions[3]

    run(work())


@ERAS
def test_a_call_that_waits_shows_signs_of_life(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server.Heartbeat.__init__, "__defaults__", (0.02,))

    async def work() -> None:
        async with staged() as stage, client(stage, mode) as connected:
            stage.gate.decided.clear()
            beats: list[tuple[float, str | None]] = []

            async def progress(done: float, total: float | None, message: str | None) -> None:
                beats.append((done, message))
                if len(beats) == 4:
                    stage.gate.decided.set()

            await connected.call_tool("greet", {}, progress_callback=progress)
            await until(lambda: beats[-1] == (1.0, "working"))
            assert beats[0][1] == "waiting for a decision"
            assert [done for done, _ in beats] == sorted(done for done, _ in beats)

    run(work())


@ERAS
def test_a_client_that_cancels_withdraws_its_call(mode: str) -> None:
    async def work() -> None:
        async with staged() as stage, client(stage, mode) as connected:
            stage.gate.decided.clear()
            call = asyncio.ensure_future(connected.call_tool("greet", {}))
            await until(lambda: len(stage.gate.calls) == 1)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await until(lambda: stage.gate.withdrawn == 1)
            stage.gate.decided.set()
            assert (await connected.call_tool("greet", {"who": "Bob"})).content == [mcp.TextContent(text="hello Bob")]

    run(work())


@ERAS
def test_a_change_of_the_catalog_reaches_the_client(mode: str) -> None:
    async def work() -> None:
        heard = asyncio.Event()

        async def handler(message: object) -> None:
            if isinstance(message, mcp.ToolListChangedNotification):
                heard.set()

        async def listen(connected: Client) -> None:
            async with connected.listen(tools_list_changed=True) as subscription:
                listening.set()
                async for _ in subscription:
                    heard.set()

        listening = asyncio.Event()
        async with staged() as stage, client(stage, mode, message_handler=handler) as connected:
            await connected.list_tools()
            task = None
            if mode == "auto":
                task = asyncio.ensure_future(listen(connected))
                await asyncio.wait_for(listening.wait(), 5)
            while not heard.is_set():
                # a client of the older era opens its stream when it likes; what was said before is lost
                stage.tools.replace(Tool("other", "src", schema={"type": "object"}))
                await asyncio.sleep(0.02)
            assert [tool.name for tool in (await connected.list_tools()).tools] == ["other"]
            if task is not None:
                task.cancel()

    run(work())


@ERAS
def test_an_unknown_tool_is_an_error_of_the_protocol(mode: str) -> None:
    async def work() -> None:
        async with staged() as stage, client(stage, mode) as connected:
            with pytest.raises(MCPError, match="Unknown tool: gone"):
                await connected.call_tool("gone", {})

    run(work())


def test_closing_with_a_call_that_waits_is_quick_and_withdraws_it() -> None:
    async def work() -> None:
        async with staged() as stage:
            stage.gate.decided.clear()
            with socket.socket() as raw:
                raw.connect(("127.0.0.1", int(stage.url.rsplit(":", 1)[1].split("/")[0])))
                body = (
                    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","_meta":{'
                    '"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
                    '"io.modelcontextprotocol/clientCapabilities":{}}}}'
                )
                head = (
                    "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
                    "accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n"
                    f"mcp-method: tools/call\r\nmcp-name: greet\r\ncontent-length: {len(body)}\r\n\r\n"
                )
                raw.sendall((head + body).encode())
                await until(lambda: len(stage.gate.calls) == 1)
                began = asyncio.get_running_loop().time()
                await stage.endpoint.close()
                await stage.server.stop()
                assert asyncio.get_running_loop().time() - began < 2.5
                await until(lambda: stage.gate.withdrawn == 1)

    run(work())


def test_the_server_is_made_for_the_first_client_which_waits_for_it() -> None:
    async def work() -> None:
        async with staged() as stage:
            assert not stage.endpoint.is_ready
            async with client(stage, "auto") as first:
                assert await first.list_tools()
                assert stage.endpoint.is_ready

    run(work())


def test_one_that_nobody_asked_for_closes_at_once_and_refuses_whoever_comes_then() -> None:
    async def work() -> None:
        unasked = McpEndpoint(Catalog(), Gatekeeper(), tasks := Tasks(Bus()))
        await unasked.open()
        await unasked.close()
        with pytest.raises(RuntimeError, match="not open"):
            await unasked.serve(Request({"type": "http", "method": "POST", "path": "/mcp", "headers": []}))
        await tasks.close()

    run(work())
