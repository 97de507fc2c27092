"""Everything else under `/v1/`: relayed unread to the default endpoint, so that nothing a client needs is missing.

Not so where a model would call tools past the gate.
"""

import asyncio
import logging
from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from callgate.core.errors import BadRequest, CallgateError, PeerFault
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_bytes
from callgate.core.request import WireName
from callgate.engine.tasks import Tasks
from callgate.proxy.chat_paths import asks_a_model, methods_of, runs_unjudged
from callgate.proxy.guard import Guard
from callgate.proxy.inbound import JsonBody, headers_of, path_of, query_of, read_bytes
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint, KeyFor
from callgate.upstream.reply import RawReply
from callgate.upstream.routing import Routing

log = logging.getLogger(__name__)

_NOT_RELAYED = frozenset({"connection", "keep-alive", "transfer-encoding", "server", "date", "upgrade"})


class Passthrough:
    def __init__(
        self,
        routing: Routing,
        upstream: UpstreamClient,
        guard: Guard,
        key_for: KeyFor,
        tasks: Tasks,
        *,
        relay_unjudged: bool = False,
    ) -> None:
        """`relay_unjudged`: also routes where a model calls tools that Callgate never sees."""
        self._relay_unjudged = relay_unjudged
        self._routing = routing
        self._upstream = upstream
        self._guard = guard
        self._key_for = key_for
        self._tasks = tasks

    def named(self, name: str) -> Endpoint | None:
        return self._routing.named(name)

    def speaker(self, wire: WireName) -> Endpoint | None:
        """Whom unread requests of a wire go to; None = nobody speaks it."""
        return self._routing.speaker(wire)

    async def relay(
        self, request: Request, endpoint: Endpoint | None = None, body: bytes | None = None, path: str = ""
    ) -> Response:
        """`endpoint`: another than the default one; `body`: where it has been read already, and decompressed; `path`:
        another than the request's own, encoded."""
        endpoint = endpoint or self._routing.default
        headers = headers_of(request)
        path = path or path_of(request)
        self._check(request, path, methods_of(request.method, headers))
        if body is None:
            body = await read_bytes(request)
        else:
            headers.pop("content-encoding", None)
        opened = self._upstream.raw(
            endpoint,
            request.method,
            path,
            query=query_of(request),
            body=body,
            client_headers=self._guard.cleaned(headers, request.query_params.get("key", "")),
            key=self._key_for(endpoint),
        )
        return _Relayed(await self._entered(request, opened), opened)

    def _check(self, request: Request, path: str, methods: Collection[str]) -> None:
        """Raises `BadRequest` for what is not relayed."""
        if any(asks_a_model(path, method) for method in methods):
            raise BadRequest(
                f"{request.scope['path']} is not a known route, and a provider could read it as one that asks a model "
                "past the gate. Use /v1/chat/completions, /v1/responses, /v1/messages, /api/chat or "
                "/v1beta/models/{model}:generateContent.",
                code="unknown_url",
                kind="not_found",
            )
        if not self._relay_unjudged and runs_unjudged(path, methods):
            raise BadRequest(
                f"{request.method} {request.scope['path']} is not relayed: there a model can call tools without "
                "Callgate seeing or judging the calls. Use a chat route, or allow it with relay_unjudged = true under "
                "[server] in Callgate's configuration.",
                code="unjudged_route",
                kind="permission",
            )

    async def relay_to_model(self, request: Request, body: JsonBody, wire: WireName) -> Response | None:
        """To the provider of the model that the body names; None = that one speaks another wire."""
        model = Fields(body.value).text("model")
        route = self._routing.pick(model, wire)
        if route.wire != wire:
            return None
        raw = body.raw if route.model == model else dump_bytes({**body.value, "model": route.model})
        raw = route.endpoint.body(wire, raw, headers_of(request), model_in_path=False)
        return await self.relay(request, route.endpoint, raw)

    async def relay_verb(self, request: Request, body: JsonBody, wire: WireName) -> Response | None:
        """To the provider of the model in the path, `models/NAME:verb`; None = that one speaks another wire."""
        model, _, verb = request.path_params["call"].rpartition(":")
        route = self._routing.pick(model, wire)
        if route.wire != wire:
            return None
        version = request.scope["path"].split("/")[1]
        path = "" if route.model == model else f"/{version}/models/{quote(route.model)}:{verb}"
        raw = route.endpoint.body(wire, body.raw, headers_of(request))
        return await self.relay(request, route.endpoint, raw, path)

    async def _entered(self, request: Request, opened: AbstractAsyncContextManager[RawReply]) -> RawReply:
        """The provider's reply; raises `ClientDisconnect`, and leaves the provider, if the client leaves first."""
        entering = self._tasks.start(_enter(opened), "relayed request")
        leaving = self._tasks.start(_gone(request), "client of a relayed request")
        try:
            await asyncio.wait({entering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not entering.done():
                raise ClientDisconnect
            entered = entering.result()
            if isinstance(entered, CallgateError):
                raise entered
            return entered
        finally:
            entering.cancel()
            leaving.cancel()


class _Relayed(StreamingResponse):
    """Leaves the provider however it ends, also if its client has gone before the first byte."""

    def __init__(self, reply: RawReply, opened: AbstractAsyncContextManager[RawReply]) -> None:
        kept = {name: value for name, value in reply.headers.items() if name.lower() not in _NOT_RELAYED}
        super().__init__(reply.chunks(), reply.status, kept)
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except PeerFault as broken:
            # the server now hangs up on the client, which so learns that this is not the whole answer
            log.warning("%s %s: %s", scope["method"], scope["path"], broken)
        finally:
            await self._opened.__aexit__(None, None, None)


async def _enter(opened: AbstractAsyncContextManager[RawReply]) -> RawReply | CallgateError:
    """The failure of a provider is an answer like any other: a task that raises is reported as a bug."""
    try:
        return await opened.__aenter__()
    except CallgateError as failure:
        return failure


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
