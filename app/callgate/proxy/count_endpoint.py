"""`POST /v1/messages/count_tokens`: asked of the provider where it speaks Anthropic, estimated where it does not."""

from starlette.requests import Request
from starlette.responses import Response

from callgate.proxy.inbound import read_json
from callgate.proxy.json_response import json_response
from callgate.proxy.passthrough import Passthrough
from callgate.upstream.routing import Routing
from callgate.wire.anthropic_messages.count_tokens import estimate_tokens
from callgate.wire.fields import Fields


class CountEndpoint:
    def __init__(self, routing: Routing, passthrough: Passthrough) -> None:
        self._routing = routing
        self._passthrough = passthrough

    async def count(self, request: Request) -> Response:
        body = await read_json(request)
        model = Fields(body.value).text("model")
        route = self._routing.pick(model, "anthropic")
        if route.wire == "anthropic" and route.endpoint.vertex is None:
            return await self._passthrough.relay(request, route.endpoint, body.raw)
        return json_response({"input_tokens": estimate_tokens(body.value)})
