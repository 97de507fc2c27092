"""A provider on loopback that is as strict as the paid service: it refuses what that would refuse, and keeps a list.

The four wires differ in what they check and how they answer; that is in the files beside this one. Nothing here or
there uses Callgate's own codecs: a mistake in one of them must show.
"""

import asyncio
import itertools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

PIECE = 97
"""Bytes of one write: cuts events, and characters of several bytes, in the middle."""
SECONDS = 5.0


class Refusal(Exception):
    """The real service would answer 400 with these words."""


@dataclass(frozen=True)
class Reply:
    body: bytes
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """True: the connection is closed in the middle of the body."""


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return orjson.loads(self.raw)


@dataclass(frozen=True)
class Told:
    """What a request says of the past, in no wire's spelling."""

    calls: list[tuple[str, str, dict[str, Any]]]
    """Id, name, arguments."""
    results: dict[str, str]
    """The words of each result, by the id of its call."""
    proofs: list[str]
    """Signatures of thinking."""


def whole(value: Mapping[str, Any], status: int = 200, **headers: str) -> Reply:
    """A plain JSON answer; `retry_after="3"` becomes the header `retry-after`."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(orjson.dumps(value), status, "application/json", named)


class Service:
    """One provider. Subclasses know one wire: `check` what is asked, `answer` it, word a `refusal`."""

    wire = ""

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[Asked] = []
        self.refusals: list[str] = []
        """Every reason for which the real service would have refused a request."""
        self.next: list[Reply] = []
        """Given instead of what the wire's own script says, one after the other."""
        self.breaks_off = False
        """True: every connection is lost in the middle of an answer."""
        self._numbers = itertools.count(1)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What chat requests asked, oldest first."""
        return [asked.body for asked in self.asked if asked.method == "POST"]

    def respond(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        try:
            if asked.method == "POST":
                self.check(asked)
        except Refusal as refused:
            self.refusals.append(f"{self.wire}: {refused}\n{asked.raw.decode()}")
            return self.refusal(str(refused))
        reply = self.next.pop(0) if self.next else self.answer(asked)
        return replace(reply, cut=True) if self.breaks_off else reply

    def number(self) -> int:
        """Ids must differ between replies, as the real ones do."""
        return next(self._numbers)

    def check(self, asked: Asked) -> None:
        raise NotImplementedError

    def answer(self, asked: Asked) -> Reply:
        raise NotImplementedError

    def refusal(self, message: str) -> Reply:
        raise NotImplementedError

    def told(self, body: dict[str, Any]) -> "Told":
        raise NotImplementedError

    # ---- HTTP ------------------------------------------------------------------------------------------------------

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (asked := await _read(reader)) is not None:
                if not await _write(writer, self.respond(asked)):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the other side has hung up: its right at any time
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))


async def _write(writer: asyncio.StreamWriter, reply: Reply) -> bool:
    named = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    head = (
        f"HTTP/1.1 {reply.status} X\r\ncontent-type: {reply.content_type}\r\n{named}transfer-encoding: chunked\r\n\r\n"
    )
    writer.write(head.encode())
    body = reply.body[: len(reply.body) // 2] if reply.cut else reply.body
    for start in range(0, len(body), PIECE):
        piece = body[start : start + PIECE]
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
    if not reply.cut:
        writer.write(b"0\r\n\r\n")
    await writer.drain()
    return not reply.cut


@contextmanager
def serving(*services: Service) -> Iterator[None]:
    """All of them on one thread, each at a port of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="providers")
    thread.start()
    servers: list[asyncio.Server] = []

    async def listen() -> None:
        for service in services:
            server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
            service.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            servers.append(server)

    async def close() -> None:
        for server in servers:
            server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    try:
        asyncio.run_coroutine_threadsafe(listen(), loop).result(SECONDS)
        yield
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop).result(SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(SECONDS)
        loop.close()
