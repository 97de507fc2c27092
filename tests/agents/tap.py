"""A tunnel between an agent and the station that keeps what was said: the exact bodies, the statuses, the warnings."""

import asyncio
import gzip
import io
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httptools
import zstandard
from tests.fakes.providers.service import Service

SIZE = 1 << 16
_HEADER = "x-callgate-warnings"
_LATER = re.compile(rb'(?:^: x-callgate-warnings: |"callgate_?[wW]arnings": ?")([^"\n]+)', re.MULTILINE)


@dataclass
class Passed:
    """One request with its reply; also what `httptools` calls while it reads them."""

    method: str = ""
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    status: int = 0
    reply_headers: dict[str, str] = field(default_factory=dict)
    reply: bytes = b""

    @property
    def body(self) -> bytes:
        """Without the compression that it came with."""
        match self.headers.get("content-encoding"):
            case "zstd":
                return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(self.raw)).read()
            case "gzip":
                return gzip.decompress(self.raw)
            case _:
                return self.raw

    @property
    def warnings(self) -> list[str]:
        """In the header, and where that had gone out, in the body."""
        later = [found.decode() for found in _LATER.findall(self.reply)]
        return [*([self.reply_headers[_HEADER]] if _HEADER in self.reply_headers else []), *later]


class Tap(Service):
    """Served like a service; what comes is handed on to `target` byte for byte."""

    def __init__(self) -> None:
        super().__init__()
        self.target = ""
        self.passed: list[Passed] = []

    @property
    def chats(self) -> list[Passed]:
        return [passed for passed in self.passed if passed.method == "POST"]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = urlsplit(self.target)
        there, back = await asyncio.open_connection(address.hostname, address.port)
        asks, answers = _Asks(self.passed), _Answers()
        answers.waiting = asks.waiting
        try:
            await asyncio.gather(_pump(reader, back, asks), _pump(there, writer, answers))
        except OSError:
            pass  # either side may hang up at any time
        finally:
            writer.close()
            back.close()


class _Asks:
    def __init__(self, passed: list[Passed]) -> None:
        self.waiting: list[Passed] = []
        self._passed = passed
        self._parser = httptools.HttpRequestParser(self)

    def feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._parser = httptools.HttpRequestParser(self)  # the station declines, and the agent goes on in HTTP

    def on_message_begin(self) -> None:
        self._now = Passed()

    def on_url(self, url: bytes) -> None:
        self._now.path += url.decode()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._now.headers[name.decode().lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self._now.method = self._parser.get_method().decode()
        self._passed.append(self._now)
        self.waiting.append(self._now)

    def on_body(self, body: bytes) -> None:
        self._now.raw += body


class _Answers:
    waiting: list[Passed]

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._now = self.waiting.pop(0)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._now.reply_headers[name.decode().lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self._now.status = self._parser.get_status_code()
        if self._now.method == "HEAD":
            self._parser = httptools.HttpResponseParser(self)  # no body comes, whatever its headers say

    def on_body(self, body: bytes) -> None:
        self._now.reply += body


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, parser: _Asks | _Answers) -> None:
    while data := await reader.read(SIZE):
        parser.feed(data)
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
