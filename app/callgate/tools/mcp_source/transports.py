"""The three ways to a server: its process's pipes, streamable HTTP, and the older SSE."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import assert_never

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from callgate.tools.mcp_source.recorder import Streams
from callgate.tools.mcp_source.server_info import ServerInfo
from callgate.tools.mcp_source.server_process import ServerProcess
from callgate.tools.mcp_source.stderr_lines import StderrLines
from callgate.tools.mcp_source.stdio import StdinStream, StdoutStream
from callgate.tools.mcp_source.target import CommandTarget, HttpKind, UrlTarget

ANSWER_SECONDS = 30.0
"""To connect and to send. A server that is there does it at once, one behind a sleeping tunnel takes its time."""
SILENCE_SECONDS = 3600.0
"""Between two bytes of an answer: a tool may work long, and the gate has a time limit of its own."""
LARGEST_EVENT = 64 << 20
"""The SDK's 1 MiB is less than one screenshot."""


@asynccontextmanager
async def command_transport(target: CommandTarget, peer: ServerInfo, stderr: StderrLines) -> AsyncIterator[Streams]:
    stderr.begin()
    process = await ServerProcess.spawn(target.argv, target.env, target.cwd, stderr.feed)
    peer.process = process
    try:
        yield (
            StdoutStream(process, lambda line: stderr.add(f"[stdout, not MCP] {line}")),
            StdinStream(process),
        )
    finally:
        await process.stop()


def url_transport(
    target: UrlTarget, kind: HttpKind, peer: ServerInfo, auth: httpx2.Auth | None = None
) -> AbstractAsyncContextManager[Streams]:
    """`auth`: what signs the requests, where the server wants a login."""
    match kind:
        case "http":
            return _streamable(target, peer, auth)
        case "sse":
            return sse_client(
                target.url,
                timeout=ANSWER_SECONDS,
                sse_read_timeout=SILENCE_SECONDS,
                httpx_client_factory=lambda headers=None, timeout=None, auth=auth: _client(target, peer, auth),
                auth=auth,
            )
        case _:
            assert_never(kind)


@asynccontextmanager
async def _streamable(target: UrlTarget, peer: ServerInfo, auth: httpx2.Auth | None) -> AsyncIterator[Streams]:
    async with (
        _client(target, peer, auth) as client,
        streamable_http_client(target.url, http_client=client, max_sse_event_size=LARGEST_EVENT) as streams,
    ):
        yield streams


def _client(target: UrlTarget, peer: ServerInfo, auth: httpx2.Auth | None) -> httpx2.AsyncClient:
    async def note(response: httpx2.Response) -> None:
        # the SDK turns a refusal into "Server returned an error response": the status is what a person can act on
        peer.status = response.status_code if response.status_code >= 400 else None

    return httpx2.AsyncClient(
        headers=dict(target.headers),
        auth=auth,
        timeout=httpx2.Timeout(ANSWER_SECONDS, read=SILENCE_SECONDS),
        event_hooks={"response": [note]},
    )
