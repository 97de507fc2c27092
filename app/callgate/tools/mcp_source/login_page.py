"""The address on loopback to which an authorization server sends the person's browser back. Knows no OAuth beyond that.

It serves exactly one visit: whatever else comes to the port is told that there is nothing here.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

HOST = "127.0.0.1"
PATH = "/callback"
_HEAD_BYTES = 16 * 1024
_HEAD_SECONDS = 5.0
"""A browser sends its request at once; what dawdles is no browser."""
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>Callgate</title>"
    "<body style='font:16px system-ui;margin:4em;text-align:center'><h1>{title}</h1><p>{text}</p>"
)


@dataclass(frozen=True, slots=True)
class Visit:
    """What the browser brought."""

    code: str = ""
    state: str = ""
    issuer: str = ""
    error: str = ""
    """The server's own word for a refusal, such as `access_denied`."""


def free_port(wanted: int = 0) -> int:
    """The wanted port if it is free, else any that is."""
    for port in dict.fromkeys((wanted, 0)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("no port is free on loopback")


def address(port: int) -> str:
    return f"http://{HOST}:{port}{PATH}"


class LoginPage:
    def __init__(self) -> None:
        self._visit: asyncio.Future[Visit] = asyncio.get_running_loop().create_future()

    async def visited(self) -> Visit:
        return await asyncio.shield(self._visit)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(self._answer(head))
            await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # no request: nothing to answer
        finally:
            writer.close()

    def _answer(self, head: bytes) -> bytes:
        method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        target = urlsplit(rest.partition(" ")[0])
        if method != "GET" or target.path != PATH:
            return _page("404 Not Found", "Nothing here", "This address only ends a login.")
        said = {name: values[0] for name, values in parse_qs(target.query).items()}
        visit = Visit(said.get("code", ""), said.get("state", ""), said.get("iss", ""), said.get("error", ""))
        if not self._visit.done():
            self._visit.set_result(visit)
        if visit.error or not visit.code:
            return _page("200 OK", "The login was refused", "Callgate has been told. You can close this page.")
        return _page("200 OK", "You are logged in", "Callgate goes on by itself. You can close this page.")


@asynccontextmanager
async def login_page(port: int) -> AsyncIterator[LoginPage]:
    """Listens while it is needed; raises `OSError` where the port has been taken meanwhile."""
    page = LoginPage()
    server = await asyncio.start_server(page.serve, HOST, port, limit=_HEAD_BYTES)
    try:
        yield page
    finally:
        server.close()
        await server.wait_closed()


def _page(status: str, title: str, text: str) -> bytes:
    body = _PAGE.format(title=title, text=text).encode()
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    ).encode() + body
