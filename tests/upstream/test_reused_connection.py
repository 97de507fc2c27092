"""A connection that the provider closes just as it is used again costs nobody an answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.fakes.provider import run

from callgate.core.errors import PeerFault
from callgate.upstream.client import ReusedConnection, UpstreamClient
from callgate.upstream.endpoint import Endpoint
from callgate.wire.openai_chat import OpenAIChat

BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'
WHOLE = (
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}'
)


class Forgetful:
    """Answers the first request of each connection and hangs up at the second, having read it."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._read(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(WHOLE), WHOLE))
        await self._read(reader)
        writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        self.requests.append(await reader.readexactly(int(length.split(b":")[1])))


@asynccontextmanager
async def forgetful() -> AsyncIterator[Forgetful]:
    provider = Forgetful()
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0)
    provider.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield provider
    finally:
        server.close()


async def asked(upstream: UpstreamClient, url: str) -> int:
    async with upstream.open(Endpoint("prov", ("openai-chat",), url), "openai-chat", "m", BODY, False, {}) as reply:
        assert [frame async for frame in reply.frames()]
        return reply.attempts


def test_a_provider_that_hangs_up_on_a_kept_connection_is_asked_over_another() -> None:
    async def scenario() -> list[bytes]:
        async with forgetful() as provider:
            upstream = UpstreamClient({"openai-chat": OpenAIChat()})
            assert [await asked(upstream, provider.url) for _ in range(2)] == [1, 1]
            await upstream.close()
            return provider.requests

    assert run(scenario()) == [BODY, BODY, BODY], "the very same, over another connection"


def test_what_is_relayed_is_sent_again_too_but_not_what_can_be_read_only_once() -> None:
    async def once() -> AsyncIterator[bytes]:
        yield b"{}"

    async def scenario() -> None:
        async with forgetful() as provider:
            upstream = UpstreamClient({"openai-chat": OpenAIChat()})
            endpoint = Endpoint("prov", ("openai-chat",), provider.url)

            async def relay(body: bytes | AsyncIterator[bytes]) -> bytes:
                given = {"content-length": "2"} if not isinstance(body, bytes) else {}
                async with upstream.raw(endpoint, "POST", "/v1/embeddings", body=body, client_headers=given) as reply:
                    return b"".join([chunk async for chunk in reply.chunks()])

            assert [await relay(b"{}"), await relay(b"{}")] == [WHOLE, WHOLE]
            with pytest.raises(PeerFault, match="broke off"):
                await relay(once())
            await upstream.close()

    run(scenario())


def test_a_transport_that_tells_nothing_has_kept_nothing() -> None:
    line = ReusedConnection()
    assert not line.was_kept
    run(line.hear("http11.send_request_headers.started", {}))
    assert line.was_kept
    run(line.hear("connection.connect_tcp.started", {}))
    assert not line.was_kept


def test_the_transport_tells_of_what_is_listened_to() -> None:
    """The names of these events are httpcore's; another name would make every connection a new one."""

    async def scenario() -> list[str]:
        heard: list[str] = []

        async def hear(event: str, info: object) -> None:
            heard.append(event)

        async with forgetful() as provider, httpx.AsyncClient(trust_env=False) as client:
            await client.post(provider.url, content=BODY, extensions={"trace": hear})
        return heard

    assert {"connection.connect_tcp.started", "http11.send_request_headers.started"} <= set(run(scenario()))
