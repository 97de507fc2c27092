"""Whoever leaves a request, at whatever moment, leaves no socket behind; and httpx works as it does without this."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
import trustme
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from tests.fakes.loop import BoundLoop

from callgate.upstream.transport import SafeClient, SafeTransport

BOUND = 20.0
CHUNKS = 6
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Provider:
    """Streams a few chunks, one each turn of its loop, and counts the connections that are open."""

    def __init__(self) -> None:
        self.open = 0
        self.made = 0
        self.silent_after = CHUNKS
        self.url = ""
        self.closed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.made += 1
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(_HEAD)
                for number in range(CHUNKS):
                    if number == self.silent_after:
                        await reader.read()
                        return
                    writer.write(b"3\r\nabc\r\n")
                    await writer.drain()
                    await asyncio.sleep(0)
                writer.write(b"0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
            self.open -= 1
            self.closed.set()

    async def all_gone(self) -> None:
        async with asyncio.timeout(BOUND):
            while self.open:
                self.closed.clear()
                await self.closed.wait()


@asynccontextmanager
async def provider(tls: ssl.SSLContext | None = None) -> AsyncIterator[Provider]:
    serving = Provider()
    server = await asyncio.start_server(serving.serve, "127.0.0.1", 0, ssl=tls)
    serving.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield serving
    finally:
        server.close()


async def read(client: httpx.AsyncClient, url: str) -> int:
    async with client.stream("GET", url) as response:
        return sum([len(chunk) async for chunk in response.aiter_raw()])


@pytest.fixture
def qt_loop(qapp: QApplication) -> Iterator[BoundLoop]:
    inner = QEventLoop(qapp)
    asyncio.set_event_loop(inner)
    yield BoundLoop(inner)
    asyncio.events._set_running_loop(None)
    inner.close()
    asyncio.set_event_loop(None)


def pool_of(client: httpx.AsyncClient) -> object:
    transport = client._transport
    assert isinstance(transport, SafeTransport)
    return transport._transport._pool  # type: ignore[attr-defined]


async def left_after(client: httpx.AsyncClient, url: str, turns: int) -> bool:
    """Leaves after so many turns of the loop; False = the answer was whole by then."""
    reading = asyncio.get_running_loop().create_task(read(client, url))
    for _ in range(turns):
        await asyncio.sleep(0)
    if reading.done():
        return False
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    return True


def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)
    authority.configure_trust(client)
    return server, client


@pytest.mark.parametrize("qt", [False, True])
@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("reused", [False, True])
def test_a_client_that_leaves_at_any_turn_of_the_loop_leaves_no_connection(
    secure: bool, reused: bool, qt: bool, request: pytest.FixtureRequest
) -> None:
    async def scenario() -> None:
        server_tls, client_tls = certificates() if secure else (None, None)
        async with provider(server_tls) as serving:
            turns, left = 0, True
            while left:
                async with asyncio.timeout(BOUND), SafeClient(verify=client_tls or True, trust_env=False) as client:
                    if reused:
                        assert await read(client, serving.url) == 3 * CHUNKS
                    left = await left_after(client, serving.url, turns)
                    # what is left is closed beside; an answer that had been read whole keeps its connection
                    while len(pool_of(client)._requests):  # type: ignore[attr-defined]
                        await asyncio.sleep(0)
                    idle = [c.is_idle() for c in pool_of(client)._connections if not c.is_closed()]  # type: ignore[attr-defined]
                    assert all(idle) and len(idle) <= 1, turns
                await serving.all_gone()
                turns += 1
            assert turns > 10, "a request takes many turns"

    if qt:
        request.getfixturevalue("qt_loop").run(scenario(), BOUND)
    else:
        asyncio.run(scenario())


def test_an_answer_read_to_its_end_keeps_its_connection() -> None:
    async def scenario() -> None:
        async with provider() as serving, SafeClient(trust_env=False) as client:
            for _ in range(3):
                assert await read(client, serving.url) == 3 * CHUNKS
            assert serving.made == 1

    asyncio.run(scenario())


def test_a_provider_that_falls_silent_is_given_up_within_the_limit() -> None:
    async def scenario() -> None:
        async with provider() as serving, SafeClient(timeout=0.2, trust_env=False) as client:
            serving.silent_after = 2
            async with asyncio.timeout(BOUND):
                with pytest.raises(httpx.ReadTimeout):
                    await read(client, serving.url)
            await serving.all_gone()

    asyncio.run(scenario())


async def refusing() -> tuple[asyncio.Server, str]:
    server = await asyncio.start_server(lambda _reader, writer: writer.transport.abort(), "127.0.0.1", 0)
    return server, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


def test_failures_are_those_of_httpx() -> None:
    async def scenario() -> None:
        async with asyncio.timeout(BOUND), SafeClient(trust_env=False) as client:
            server, url = await refusing()
            with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
                await read(client, url)
            server.close()
            await server.wait_closed()
            with pytest.raises(httpx.ConnectError):
                await read(client, url)

    asyncio.run(scenario())


def test_a_certificate_of_an_unknown_authority_is_refused() -> None:
    async def scenario() -> None:
        server_tls, _ = certificates()
        async with provider(server_tls) as serving, SafeClient(trust_env=False) as client:
            async with asyncio.timeout(BOUND):
                with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                    await read(client, serving.url)
            await serving.all_gone()

    asyncio.run(scenario())


async def _tunnel(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: list[bytes], refuse: Callable[[], bool]
) -> None:
    """An HTTP proxy that takes CONNECT."""
    head = await reader.readuntil(b"\r\n\r\n")
    asked.append(head.split(b"\r\n")[0])
    if refuse():
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
        writer.close()
        return
    host, _, port = head.split(b" ")[1].partition(b":")
    there = await asyncio.open_connection(host.decode(), int(port))
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")

    async def pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                target.write(data)
        except ConnectionError:
            pass
        finally:
            target.close()

    await asyncio.gather(pipe(reader, there[1]), pipe(there[0], writer))


@pytest.mark.parametrize("refused", [False, True])
def test_a_proxy_of_the_environment_is_used_and_its_tunnels_are_closed(
    refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        asked: list[bytes] = []
        server_tls, client_tls = certificates()
        tunnels = await asyncio.start_server(lambda r, w: _tunnel(r, w, asked, lambda: refused), "127.0.0.1", 0)
        port = tunnels.sockets[0].getsockname()[1]
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        assert client_tls is not None
        async with provider(server_tls) as serving, asyncio.timeout(BOUND):
            async with SafeClient(verify=client_tls) as client:
                if refused:
                    with pytest.raises(httpx.ProxyError):
                        await read(client, serving.url)
                else:
                    assert await read(client, serving.url) == 3 * CHUNKS
            assert asked == [b"CONNECT " + serving.url[8:-1].encode() + b" HTTP/1.1"]
            await serving.all_gone()
        tunnels.close()

    asyncio.run(scenario())


def test_a_large_upload_is_slowed_down_by_its_reader_and_arrives_whole() -> None:
    async def scenario() -> None:
        body, got = b"x" * 8_000_000, bytearray()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            while len(got) < len(body):
                got.extend(await reader.read(10_000))
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 8000000\r\n\r\n" + bytes(got))
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=20_000)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with asyncio.timeout(BOUND), SafeClient(trust_env=False) as client:
            answer = await client.post(url, content=body)
            assert answer.content == body == bytes(got)
        server.close()

    asyncio.run(scenario())
