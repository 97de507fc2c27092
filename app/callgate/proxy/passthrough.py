"""Everything else under `/v1/`: relayed unread to the default endpoint, so that nothing a client needs is missing."""

from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from callgate.core.request import WireName
from callgate.engine.exchange import KeyFor
from callgate.proxy.guard import Guard
from callgate.proxy.inbound import headers_of, query_of, read_bytes
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.routing import Routing

_NOT_RELAYED = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "content-length", "server", "date", "upgrade"}
)


class Passthrough:
    def __init__(self, routing: Routing, upstream: UpstreamClient, guard: Guard, key_for: KeyFor) -> None:
        self._routing = routing
        self._upstream = upstream
        self._guard = guard
        self._key_for = key_for

    def speaks(self, wire: WireName) -> bool:
        """Whether the endpoint that unread requests go to speaks a wire."""
        return wire in self._routing.default.wires

    async def relay(self, request: Request, endpoint: Endpoint | None = None, body: bytes | None = None) -> Response:
        """`endpoint`: another than the default one; `body`: where it has been read already."""
        endpoint = endpoint or self._routing.default
        body = await read_bytes(request) if body is None else body
        opened = self._upstream.raw(
            endpoint,
            request.method,
            request.url.path,
            query=query_of(request),
            body=body,
            client_headers=self._guard.cleaned(headers_of(request), request.query_params.get("key", "")),
            key=self._key_for(endpoint.name),
        )
        reply = await opened.__aenter__()

        async def stream() -> AsyncIterator[bytes]:
            try:
                async for chunk in reply.chunks():
                    yield chunk
            finally:
                await opened.__aexit__(None, None, None)

        kept = {name: value for name, value in reply.headers.items() if name.lower() not in _NOT_RELAYED}
        return StreamingResponse(stream(), reply.status, kept)
