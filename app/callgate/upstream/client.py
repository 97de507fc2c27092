"""Talking to providers over HTTP: one pool of connections, time limits, careful retries, no secrets in any text.

An embedded model is a transport mounted under its own address, so it takes the same path as any provider.
Must not know routing, tools or people; what the bytes mean is the codec's business.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Protocol

import anyio._backends._asyncio  # noqa: F401  httpcore loads it with the first request, which would hold up the loop
import httpx

from callgate.core.errors import CallgateError, Fault, PeerFault, RefusedReply, UserFault
from callgate.core.request import WireName
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.headers import client_key, relay_headers
from callgate.upstream.model_names import ModelsAnswer, model_names
from callgate.upstream.reply import Incoming, RawReply, Reply, broken_off, page_title
from callgate.upstream.transport import SafeClient
from callgate.wire.codec import Codec
from callgate.wire.retry_hint import hinted_seconds

_OPENED = "connection.connect_tcp.started"
_USED = "http11.send_request_headers.started"


class ReusedConnection:
    """Whether a request went over a connection that was kept from an earlier one.

    Servers close connections that nobody uses, some just as they are used again: whoever then gets no answer at
    all knows that nobody has read the request, and may send it over another connection. Told by the events of
    httpx's transport; one that tells nothing has kept nothing.
    """

    def __init__(self) -> None:
        self._opened = False
        self._used = False

    async def hear(self, event: str, info: Any) -> None:
        """For a request's extension `trace`."""
        self._opened = self._opened or event == _OPENED
        self._used = self._used or event == _USED

    @property
    def was_kept(self) -> bool:
        return self._used and not self._opened


log = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
"""A provider that does not even accept a connection by then is down."""
READ_SECONDS = 600.0
"""Between two bytes: models that think send nothing for minutes, and the SDKs wait as long."""
WRITE_SECONDS = 60.0
"""Large bodies (images) over slow lines."""
OVERALL_SECONDS = 3600.0
"""No single answer takes an hour; without a bound a trickle could hold an exchange for ever."""
MODELS_SECONDS = 5.0
"""A list of models is a courtesy: a person looks at the menu while it loads."""
ERROR_SECONDS = 10.0
"""For the body of an error; the status alone would do."""
ERROR_BYTES = 1024 * 1024
"""Some servers quote the whole request that they refuse; what is longer is told in our words."""
RETRIES = 2
RETRIED = frozenset({429, 502, 503, 529})
RETRY_WAIT_SECONDS = 10.0
"""Longer waits are the client's own decision."""
RECONNECT_SECONDS = 0.25
"""Before the second attempt to connect; doubled for the third."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    connect: float = CONNECT_SECONDS
    read: float = READ_SECONDS
    write: float = WRITE_SECONDS
    overall: float = OVERALL_SECONDS
    models: float = MODELS_SECONDS


class Tokens(Protocol):
    """Where Vertex tokens come from; `google_auth.GoogleAuth` is one."""

    async def token(self) -> str: ...

    @property
    def quota_project(self) -> str: ...


class UpstreamClient:
    def __init__(
        self,
        codecs: Mapping[WireName, Codec],
        *,
        mounts: Mapping[str, httpx.AsyncBaseTransport] | None = None,
        google: Tokens | None = None,
        limits: TimeLimits = TimeLimits(),  # noqa: B008 - a frozen value
        transport: httpx.AsyncBaseTransport | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._codecs = codecs
        self._google = google
        self._limits = limits
        self._pause = pause
        self._http = SafeClient(
            timeout=httpx.Timeout(limits.read, connect=limits.connect, write=limits.write),
            # calls are held while a person decides, so many connections can be open at once
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            # one pool serves all agents: what a provider wants to remember of one must not reach another
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            follow_redirects=False,
            transport=transport,
            # a proxy of the environment is for the world, not for this machine
            mounts={"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None, **(mounts or {})},
        )
        self._codings = {"identity", *self._http.headers["accept-encoding"].replace(" ", "").split(",")}
        """Of bodies: what can be read, though none of them is asked for."""

    async def close(self) -> None:
        await self._http.aclose()

    @asynccontextmanager
    async def open(
        self,
        endpoint: Endpoint,
        wire: WireName,
        model: str,
        body: bytes,
        stream: bool,
        client_headers: Mapping[str, str],
        key: str = "",
        *,
        client_wire: WireName | None = None,
        query: str = "",
        tools: Collection[str] = (),
    ) -> AsyncGenerator[Reply, None]:
        """Asks a model. Raises `PeerFault` when the provider refuses; leaving the context hangs up at once.

        `key` empty = the client's own is passed on. `client_wire` None = the client speaks `wire` itself.
        `tools` are the names offered.
        """
        codec = self._codecs[wire]
        key, extra = await self._credentials(endpoint, key)
        headers = endpoint.headers(wire, key, client_headers, client_wire) | extra
        headers["accept"] = codec.traits.stream_type.partition(";")[0] if stream else "application/json"
        url = endpoint.url(wire, model, stream, query)
        content = endpoint.body(wire, body, client_headers)
        secret = key or client_key(client_headers)
        async with AsyncExitStack() as stack:
            for attempt in range(1, RETRIES + 2):
                request = self._request(endpoint, "POST", url, headers, content)
                answer = await self._attempt(stack, endpoint, request, codec, secret)
                if isinstance(answer, Incoming):
                    yield Reply(answer, wire, codec, attempt, tools)
                    return
                wait = _wait_before_retry(answer, attempt)
                if wait is None:
                    raise PeerFault(answer.fault, answer.reply)
                await self._pause(wait)

    @asynccontextmanager
    async def raw(
        self,
        endpoint: Endpoint,
        method: str,
        path: str,
        *,
        query: str = "",
        body: bytes | AsyncIterator[bytes] = b"",
        client_headers: Mapping[str, str],
        key: str = "",
    ) -> AsyncGenerator[RawReply, None]:
        """Relays a request that nobody here reads; errors of the provider are answers like any other."""
        url = endpoint.relay_url(path, query)
        wire = endpoint.relay_wire(path)
        key, extra = await self._credentials(endpoint, key)
        headers = relay_headers(endpoint.name, wire, endpoint.auth(wire), key, client_headers) | extra
        secret = key or client_key(client_headers)
        request = self._request(endpoint, method, url, headers, body or None)
        async with self._sent(endpoint, request, secret) as incoming:
            yield RawReply(incoming)

    async def list_models(
        self, endpoint: Endpoint, key: str = "", client_headers: Mapping[str, str] | None = None
    ) -> tuple[str, ...]:
        """The models that an endpoint says it has and is configured to serve; none if it does not answer soon."""
        if not endpoint.models_url():
            return ()
        try:
            answer = await self.ask_models(endpoint, key, client_headers)
        except (CallgateError, TimeoutError) as failed:
            log.info("models of '%s' are unknown: %s", endpoint.name, failed or "no answer in time")
            return ()
        names = model_names(answer.body) or () if answer.status == 200 else ()
        return tuple(name for name in names if endpoint.serves(name))

    async def ask_models(
        self,
        endpoint: Endpoint,
        key: str = "",
        client_headers: Mapping[str, str] | None = None,
        seconds: float | None = None,
    ) -> ModelsAnswer:
        """What an endpoint answers when it is asked for its models, whatever that is.

        Raises `Unreachable` where nobody answers, `PeerFault` where the answer breaks off, and `TimeoutError`.
        """
        wire, given = endpoint.wires[0], client_headers or {}
        request = self._request(endpoint, "GET", endpoint.models_url(), endpoint.headers(wire, key, given), None)
        secret = key or client_key(given)
        limit = asyncio.timeout(self._limits.models if seconds is None else seconds)
        async with limit, self._sent(endpoint, request, secret) as incoming:
            body = await incoming.whole()
            said = ""
            if incoming.status >= 400 and not body.lstrip().startswith(b"<"):
                fault = self._codecs[wire].read_error(incoming.status, body, incoming.headers)
                said = incoming.fault(fault).fault.message
            return ModelsAnswer(incoming.status, body, said)

    async def _credentials(self, endpoint: Endpoint, key: str) -> tuple[str, dict[str, str]]:
        if endpoint.vertex is None or key:
            return key, {}
        if self._google is None:
            raise UserFault(f"upstream '{endpoint.name}': Vertex needs Google credentials")
        token = await self._google.token()
        project = self._google.quota_project
        return token, {"x-goog-user-project": project} if project else {}

    async def _attempt(
        self,
        stack: AsyncExitStack,
        endpoint: Endpoint,
        request: httpx.Request,
        codec: Codec,
        secret: str,
    ) -> "Incoming | _Refusal":
        """One request: an answer that is left open on the stack, or why there is none."""
        async with AsyncExitStack() as own:
            try:
                incoming = await own.enter_async_context(self._sent(endpoint, request, secret))
            except Unreachable as lost:
                return _Refusal(lost.fault, connected=False)
            if unknown := incoming.codings - self._codings:
                told = f"'{endpoint.name}' answered in a coding that is not known here: {', '.join(sorted(unknown))}"
                return _Refusal(Fault("upstream", told))
            if 200 <= incoming.status < 300:
                stack.push_async_exit(own.pop_all())
                return incoming
            return await _refusal(incoming, codec)

    def _request(
        self,
        endpoint: Endpoint,
        method: str,
        url: str,
        headers: dict[str, str],
        content: bytes | AsyncIterator[bytes] | None,
    ) -> httpx.Request:
        try:
            # headers reach a server as latin-1, and go on as the same bytes
            return self._http.build_request(
                method, url, headers=httpx.Headers(headers, encoding="latin-1"), content=content
            )
        except httpx.InvalidURL as bad:
            raise UserFault(f"upstream '{endpoint.name}': its base_url is no valid address") from bad

    @asynccontextmanager
    async def _sent(self, endpoint: Endpoint, request: httpx.Request, secret: str) -> AsyncGenerator[Incoming, None]:
        """Sends a request; the connection lives as long as the context."""
        deadline = asyncio.get_running_loop().time() + self._limits.overall
        try:
            async with asyncio.timeout_at(deadline):
                response = await self._answered(request)
        except TimeoutError as late:
            raise PeerFault(Fault("timeout", f"'{endpoint.name}' took too long to answer")) from late
        except (httpx.ConnectError, httpx.ConnectTimeout) as lost:
            raise Unreachable(broken_off(endpoint.name, lost)) from lost
        except httpx.RequestError as broken:
            raise PeerFault(broken_off(endpoint.name, broken)) from broken
        try:
            yield Incoming(response, endpoint.name, deadline, secret)
        finally:
            await response.aclose()

    async def _answered(self, request: httpx.Request) -> httpx.Response:
        """The beginning of the answer. A provider that hangs up on a kept connection has not seen the request."""
        for _ in range(RETRIES):
            line = ReusedConnection()
            request.extensions["trace"] = line.hear
            try:
                return await self._http.send(request, stream=True)
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                if not line.was_kept or not isinstance(request.stream, httpx.ByteStream):
                    raise
        return await self._http.send(request, stream=True)


class Unreachable(PeerFault):
    """No connection was made, so nothing can have happened: safe to try again."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    fault: Fault
    connected: bool = True
    may_retry: bool = False
    reply: RefusedReply | None = None


async def _refusal(incoming: Incoming, codec: Codec) -> _Refusal:
    """An error answer, read within bounds."""
    status, headers = incoming.status, incoming.headers
    if status < 400:
        told = f"'{incoming.endpoint}' answered HTTP {status} and sends elsewhere: is its base_url right?"
        return _Refusal(Fault("upstream", told))
    try:
        async with asyncio.timeout(ERROR_SECONDS):
            body = await incoming.whole(ERROR_BYTES)
    except (PeerFault, TimeoutError):
        body = b""  # the status says enough
    fault = codec.read_error(status, body, headers)
    if body.lstrip().startswith(b"<"):
        page = page_title(body)
        fault = replace(fault, message=f"'{incoming.endpoint}' answered HTTP {status} with a web page{page}")
    if fault.retry_after is None:
        fault = replace(fault, retry_after=hinted_seconds(headers))
    advised = headers.get("x-should-retry", "").lower()
    if advised in ("true", "false"):
        fault = replace(fault, should_retry=advised == "true")
    may_retry = status in RETRIED and advised != "false"
    told = incoming.fault(fault).fault
    whole = len(body) < ERROR_BYTES  # half a body is no answer
    reply = incoming.refused(body, codec.write_error(told)) if whole else None
    return _Refusal(told, may_retry=may_retry, reply=reply)


def _wait_before_retry(refusal: _Refusal, attempt: int) -> float | None:
    """Seconds until the next attempt; None = there is none."""
    if attempt > RETRIES:
        return None
    if not refusal.connected:
        return RECONNECT_SECONDS * 2 ** (attempt - 1)
    wait = refusal.fault.retry_after
    if not refusal.may_retry or wait is None or not 0 <= wait <= RETRY_WAIT_SECONDS:
        return None
    return wait
