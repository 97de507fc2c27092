"""One connection within its limits, over real sockets: sizes, times, and what a request is aimed at."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from tests.fakes.raw_http import connection, one_answer, rest_of, sent, status_of

from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.proxy.connection_limits import ConnectionLimits
from callgate.proxy.http_protocol import MOST_HEADERS, MOST_PIPELINED, MOST_TARGET
from callgate.proxy.server import ProxyServer

QUICK = ConnectionLimits(50, 8 * 1024, 0.4, 0.4, 0.4)
CLOSE = "host: localhost\r\nconnection: close\r\n"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, and answers with the path, the length of the body, and the header lines."""
    if scope["path"] == "/early":
        await _answer(send, b"early")
        return
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message["body"])
        if not message["more_body"]:
            break
    names = b",".join(sorted(name for name, _ in scope["headers"]))
    await _answer(send, f"{scope['path']} {size} ".encode() + names)


async def _answer(send: Send, body: bytes) -> None:
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def serving(limits: ConnectionLimits = QUICK) -> Iterator[str]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    tasks = Tasks(Bus())
    server = ProxyServer(echo, tasks, limits=limits)

    async def stop() -> None:
        await server.stop()
        await tasks.close()

    try:
        yield asyncio.run_coroutine_threadsafe(server.start("127.0.0.1", 0), loop).result(10)
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


def test_an_ordinary_request_is_answered(address: str) -> None:
    answer = sent(address, f"POST /x HTTP/1.1\r\n{CLOSE}content-length: 3\r\n\r\nabc".encode())
    assert status_of(answer) == 200 and answer.endswith(b"/x 3 connection,content-length,host")


@pytest.mark.parametrize(
    "lines",
    [
        "x-a: b\r\n" * (MOST_HEADERS + 1),
        f"x-long: {'a' * 9000}\r\n",
        f"{'n' * 9000}: a\r\n",
        "".join(f"x-{number}: {'a' * 1000}\r\n" for number in range(9)),
    ],
    ids=["many lines", "a long value", "a long name", "large together"],
)
def test_headers_beyond_their_limit_are_refused_and_the_connection_closed(address: str, lines: str) -> None:
    assert status_of(sent(address, f"GET / HTTP/1.1\r\n{CLOSE}{lines}\r\n".encode())) == 431


@pytest.mark.parametrize("piece", [b"x-a: b\r\n", b"a" * 1000, b"x: \r\n\t"], ids=["lines", "one line", "folded"])
def test_endless_headers_are_cut_off(address: str, piece: bytes) -> None:
    """On a server without a limit this sends tens of megabytes."""
    taken = 0
    with connection(address) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-")
        try:
            while taken < 30_000_000:
                opened.sendall(piece * 100)
                taken += len(piece) * 100
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert taken < 30_000_000


def test_a_target_beyond_its_limit_is_refused(address: str) -> None:
    assert status_of(sent(address, f"GET /{'a' * MOST_TARGET} HTTP/1.1\r\n{CLOSE}\r\n".encode())) == 414
    assert status_of(sent(address, f"GET /{'a' * 8000} HTTP/1.1\r\n{CLOSE}\r\n".encode())) == 200
    with connection(address) as opened:  # one that never ends
        opened.sendall(b"GET /" + b"a" * 100_000)
        assert status_of(rest_of(opened)) in (414, 431)


def test_trailers_are_no_headers_and_have_the_same_limit(address: str) -> None:
    head = f"POST /t HTTP/1.1\r\n{CLOSE}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
    answer = sent(address, f"{head}x-callgate-agent: trusted\r\n\r\n".encode())
    assert answer.endswith(b"/t 3 connection,host,transfer-encoding")
    assert status_of(sent(address, f"{head}x-long: {'a' * 9000}\r\n\r\n".encode())) in (0, 431)
    for endless in (f"{head}x-long: {'a' * 3_000_000}", f"{head[:-3]}1;{'e' * 3_000_000}"):
        assert status_of(sent(address, endless.encode())) in (0, 431)


@pytest.mark.parametrize(
    ("request_line", "hosts", "status"),
    [
        ("GET / HTTP/1.1", [], 400),
        ("GET / HTTP/1.1", ["localhost", "localhost"], 400),
        ("GET / HTTP/1.1", ["localhost", "evil.com"], 400),
        ("GET / HTTP/1.0", ["localhost", "evil.com"], 400),
        ("GET / HTTP/1.0", ["localhost"], 200),
        ("GET http://localhost/ HTTP/1.1", ["localhost"], 200),
        ("GET HTTP://LOCALHOST:80/a HTTP/1.1", ["localhost:80"], 200),
        ("GET http://evil.com/ HTTP/1.1", ["localhost"], 400),
        ("GET http://localhost@evil.com/ HTTP/1.1", ["localhost"], 400),
        ("GET http://localhost#.evil.com/ HTTP/1.1", ["localhost"], 400),
        ("GET http://localhost:81/ HTTP/1.1", ["localhost"], 400),
        ("GET http://localhost/ HTTP/1.0", [], 400),
        ("GET ftp://localhost/ HTTP/1.1", ["localhost"], 400),
        ("CONNECT localhost:80 HTTP/1.1", ["localhost:80"], 400),
        ("OPTIONS * HTTP/1.1", ["localhost"], 400),
        ("GET x HTTP/1.1", ["localhost"], 400),
        ("GET /\xff HTTP/1.1", ["localhost"], 400),
        ("GET / HTTP/2.0", ["localhost"], 400),
        ("GET /a b HTTP/1.1", ["localhost"], 400),
    ],
)
def test_what_a_request_is_aimed_at_is_settled(address: str, request_line: str, hosts: list[str], status: int) -> None:
    lines = "".join(f"host: {host}\r\n" for host in hosts)
    answer = sent(address, f"{request_line}\r\n{lines}connection: close\r\n\r\n".encode("latin-1"))
    assert status_of(answer) == status, answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1_0\r\n\r\n0123456789",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost : localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\nx: a\nb\x00c\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_two_servers_could_read_differently_is_refused(address: str, request_bytes: bytes) -> None:
    with connection(address) as opened:
        opened.sendall(request_bytes)
        answer = rest_of(opened)
    assert status_of(answer) in (0, 400, 408) and answer.count(b"HTTP/1.1") <= 1


@pytest.mark.parametrize(
    "begun", [b"GET / HT", b"GET / HTTP/1.1\r\nhost: local", b"GET / HTTP/1.1\r\nhost: localhost\r\n", b"\r\n\r\n"]
)
def test_a_half_open_request_is_closed_in_time(address: str, begun: bytes) -> None:
    with connection(address) as opened:
        opened.sendall(begun)
        assert status_of(rest_of(opened)) == 408


def test_a_connection_that_says_nothing_is_closed_without_an_answer(address: str) -> None:
    with connection(address) as opened:
        assert rest_of(opened) == b""


def test_headers_that_trickle_in_have_the_same_time(address: str) -> None:
    """The deadline is for all of them: a byte now and then does not move it."""
    began = time.monotonic()
    with connection(address) as opened:
        opened.settimeout(0.05)
        opened.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        while time.monotonic() - began < 10:
            try:
                opened.sendall(b"x: y\r\n")
                if not opened.recv(100):
                    break
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                break
    assert time.monotonic() - began < 5


def test_a_body_that_stops_is_given_up_and_one_that_goes_on_is_not(address: str) -> None:
    head = f"POST / HTTP/1.1\r\n{CLOSE}content-length: 100\r\n\r\n".encode()
    with connection(address) as opened:
        opened.sendall(head + b"abc")
        assert status_of(rest_of(opened)) == 408
    with connection(address) as opened:
        opened.sendall(head)
        for _ in range(10):
            opened.sendall(b"0123456789")
            threading.Event().wait(0.06)  # 0.6 s in all: longer than the limit between two pieces
        assert status_of(rest_of(opened)) == 200


def test_a_further_request_has_the_same_limits_and_an_idle_connection_is_closed(address: str) -> None:
    with connection(address) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert status_of(one_answer(opened)) == 200
        opened.sendall(b"GET / HTTP/1.1\r\nhost: loc")
        assert status_of(rest_of(opened)) == 408
    for idle in (b"", b"\r\n"):
        with connection(address) as opened:
            opened.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert status_of(one_answer(opened)) == 200
            opened.sendall(idle)
            assert status_of(rest_of(opened)) in (0, 408)


def test_requests_one_behind_the_other_are_answered_in_order_and_bounded(address: str) -> None:
    def several(count: int) -> bytes:
        return b"".join(f"GET /{n} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode() for n in range(count))

    with connection(address) as opened:
        opened.sendall(several(5))
        answers = rest_of(opened)
        places = [answers.index(f"/{number} 0".encode()) for number in range(5)]
        assert places == sorted(places)
    assert sent(address, several(1000)).count(b"HTTP/1.1 200") <= MOST_PIPELINED + 1


def test_a_body_that_was_answered_early_does_not_hold_its_connection() -> None:
    """The client gets its answer although it is still sending, and has a few seconds to finish."""
    limits = ConnectionLimits(50, 8 * 1024, 60, 60, 60)
    with serving(limits) as address, connection(address) as opened:
        opened.sendall(b"POST /early HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000000\r\n\r\nabc")
        assert status_of(one_answer(opened)) == 200
        opened.sendall(b"x" * 1_000_000)
        assert rest_of(opened) == b""


def test_ordinary_clients_notice_nothing(address: str) -> None:
    with httpx.Client(trust_env=False, timeout=10) as client:
        for size in (0, 1, 70_000, 3_000_000):
            answer = client.post(f"{address}/body?x=1", content=b"x" * size, headers={"x-a": "b" * 5000})
            assert answer.status_code == 200 and answer.text.startswith(f"/body {size} ")
        chunked = client.post(f"{address}/", content=iter([b"a" * 100_000] * 5))
        assert chunked.text.startswith("/ 500000 ")
        assert client.post(address, headers={"expect": "100-continue"}, content=b"abc").text.startswith("/ 3 ")


def test_a_client_that_leaves_at_any_moment_leaves_nothing_behind() -> None:
    whole = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\nabc"
    with serving() as address:
        for cut in range(0, len(whole), 3):
            with connection(address) as opened:
                opened.sendall(whole[:cut])
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert status_of(sent(address, f"GET / HTTP/1.1\r\n{CLOSE}\r\n".encode())) == 200
