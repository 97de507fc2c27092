"""HTTP/1.1 of one connection, within bounds: uvicorn's own protocol limits neither headers nor time.

It also checks the request's target before any route sees it: one `Host`, and no different authority in the target.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Literal

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from callgate.proxy.connection_limits import ConnectionLimits

MOST_HEADERS = 200
MOST_TARGET = 16 * 1024
"""Bytes of a request's target."""
MOST_PIPELINED = 16
"""Requests that may wait on one connection behind the one that is answered."""
LINGER_SECONDS = 1.0
"""Input is discarded for so long after a refusal, since closing at once would destroy the answer on its way."""
MOST_DISCARDED = 1024 * 1024
DISCARD_SECONDS = 5.0
"""What a client gets to finish a body that was answered already."""
_SLICE = 16 * 1024
"""Headers are parsed in pieces of this size, so that a partial one is noticed."""
_SETTLED_SECONDS = 1.0
"""A connection without a request that is younger is not closed to make room."""

_Input = Literal["head", "body", "none"]


class _Refusal(Exception):
    """Ends the parser's callback; what is refused is kept on the connection."""


class BoundedHttpProtocol(HttpToolsProtocol):
    parser: httptools.HttpRequestParser  # None only when the connection is lost, after which nothing is fed to it

    def __init__(
        self,
        limits: ConnectionLimits,
        *,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._limits = limits
        self._input: _Input = "head"
        self._since = self._heard = self.loop.time()
        """When the input's state began; when the last byte came."""
        self._silent = True
        """No byte has come yet."""
        self._count = self._bytes = self._unparsed = 0
        """Of this head: header lines, their bytes, and bytes that have given no complete line yet."""
        self._progress = False
        self._refused: tuple[int, str] | None = None
        self._lingering = False
        self._discarded = 0
        self.evicted = False
        """Closed to make room for another connection."""
        self._on_lost: Callable[[BoundedHttpProtocol], None] | None = None

    def on_lost(self, call: Callable[["BoundedHttpProtocol"], None]) -> None:
        self._on_lost = call

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        if self._on_lost is not None:
            self._on_lost(self)

    # ---- input ------------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._lingering:
            self._discarded += len(data)
            if self._discarded > MOST_DISCARDED:
                self.transport.abort()
            return
        self._unset_keepalive_if_required()
        self._silent = False
        self._heard = self.loop.time()
        if self._input == "none":
            self._enter("head")
        try:
            self._feed(data)
        except httptools.HttpParserUpgrade:  # the routes answer 426
            self._lingering = True
            self.cycle.keep_alive = False
        except (httptools.HttpParserError, _Refusal):
            self._refuse(*(self._refused or (400, "This is not a valid HTTP request.")))

    def _feed(self, data: bytes) -> None:
        offset = 0
        while offset < len(data):
            size = min(len(data) - offset, _SLICE) if self._input == "head" else len(data) - offset
            self._progress = False
            self.parser.feed_data(data if size == len(data) else data[offset : offset + size])
            offset += size
            self._unparsed = 0 if self._progress else self._unparsed + size
            # in a body these are the extensions of a chunk, or trailers
            if self._unparsed > self._limits.header_bytes or (
                self._input == "head" and self._bytes + self._unparsed > self._limits.header_bytes
            ):
                self._stop(431, self._too_many_bytes())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._input != "head":
            self._enter("head")
        self._count = self._bytes = 0
        self._progress = True

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._progress = True
        if len(self.url) > MOST_TARGET:
            self._stop(414, f"The request's target is longer than {MOST_TARGET // 1024} KB.")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._progress = True
        self._count += 1
        self._bytes += len(name) + len(value) + 4
        if self._count > MOST_HEADERS:
            self._stop(431, f"The request has more than {MOST_HEADERS} header lines.")
        if self._bytes > self._limits.header_bytes:
            self._stop(431, self._too_many_bytes())
        if self._input == "head":  # trailers come when the request has been judged by its headers
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            self._stop(429, f"More than {MOST_PIPELINED} requests wait on this connection.")
        problem = target_problem(self.url, self.headers, self.parser.get_http_version())
        if problem:
            self._stop(400, problem)
        super().on_headers_complete()
        self._enter("body")

    def on_body(self, body: bytes) -> None:
        self._progress = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._progress = True
        self._enter("none")

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._input != "none":  # the rest of an unread body, or the head of the next request
            self._since = self._heard = self.loop.time()
            if not self.transport.is_closing():
                self._unset_keepalive_if_required()

    def _enter(self, state: _Input) -> None:
        self._input = state
        self._since = self.loop.time()

    # ---- limits -----------------------------------------------------------------------------------------------------

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def check(self, now: float) -> None:
        """Ends what has taken too long. Called again and again."""
        limits, waited, transport = self._limits, now - self._since, self.transport
        if transport is None or transport.is_closing():
            return
        if self._lingering:
            if waited > LINGER_SECONDS and not self._answering:
                transport.abort()
        elif self._input == "head" and not self._answering:
            if waited > limits.header_seconds:
                self._expire("The headers of the request")
        elif self._input == "body":
            if not self._answering:
                if waited > DISCARD_SECONDS:
                    transport.abort()
            elif self.flow.read_paused:
                self._heard = now  # reading is paused on our side
            elif now - self._heard > limits.body_seconds:
                self._expire("The body of the request")

    def waiting_since(self, now: float) -> float | None:
        """Since when it has no request and may be closed to make room; None = it may not."""
        if self.transport is None or self.transport.is_closing():
            return None
        if self._answering or self._input == "body":
            return None
        return self._since if self._lingering or now - self._since > _SETTLED_SECONDS else None

    def _expire(self, what: str) -> None:
        if self._silent:  # opened in advance, as browsers do: an answer would be taken for that of a later request
            self.transport.close()
        else:
            self._refuse(408, f"{what} did not arrive in time.")

    def _too_many_bytes(self) -> str:
        return f"The request's headers are larger than {self._limits.header_bytes // 1024} KB."

    def _stop(self, status: int, message: str) -> None:
        self._refused = (status, message)
        raise _Refusal

    def _refuse(self, status: int, message: str) -> None:
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if self._answering and (cycle.response_started or self._input != "body" or self.pipeline):
            self.transport.close()  # the client would take this answer for part of the one on its way
            return
        if self._answering:
            cycle.disconnected = cycle.response_complete = True
            cycle.message_event.set()
        self._lingering = True
        self._enter("none")
        self.transport.write(plain_response(status, message))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()


def plain_response(status: int, message: str, headers: str = "") -> bytes:
    """An answer that ends its connection, where no route has been found yet."""
    return (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(message)}\r\nconnection: close\r\n{headers}\r\n{message}"
    ).encode("ascii")


def target_problem(target: bytes, headers: list[tuple[bytes, bytes]], version: str) -> str:
    """Why it is not clear what a request is aimed at; empty = it is clear."""
    if version not in ("1.0", "1.1"):
        return "The request is not HTTP/1.1."
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) > 1 or (not hosts and version != "1.0"):
        return f"The request needs exactly one Host header, and has {len(hosts)}."
    if target.startswith(b"/"):
        return ""
    scheme, found, rest = target.partition(b"://")
    if not found or scheme.lower() not in (b"http", b"https"):
        return "The request's target must begin with '/'."
    authority = rest.partition(b"/")[0].partition(b"?")[0].partition(b"#")[0]
    if not hosts or authority.lower() != hosts[0].strip().lower():
        return "The request's target names another host than its Host header."
    return ""
