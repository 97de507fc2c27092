"""How many tokens a request has: asked of the provider where it speaks the client's wire, estimated where it does not.

`POST /v1/messages/count_tokens` (Anthropic) and `POST …/models/{model}:countTokens` (Gemini).
"""

from starlette.requests import Request
from starlette.responses import Response

from callgate.proxy.inbound import headers_of, read_json
from callgate.proxy.json_response import json_response
from callgate.proxy.passthrough import Passthrough
from callgate.upstream.routing import Routing
from callgate.wire.anthropic_messages.count_tokens import estimate_tokens
from callgate.wire.fields import Fields
from callgate.wire.gemini_generate.count_tokens import estimate_tokens as estimate_gemini_tokens
from callgate.wire.json_text import dump_bytes

GEMINI_VERB = ":countTokens"


class CountEndpoint:
    def __init__(self, routing: Routing, passthrough: Passthrough) -> None:
        self._routing = routing
        self._passthrough = passthrough

    async def count(self, request: Request) -> Response:
        body = await read_json(request)
        model = Fields(body.value).text("model")
        route = self._routing.pick(model, "anthropic")
        if route.wire == "anthropic":
            raw = body.raw if route.model == model else dump_bytes({**body.value, "model": route.model})
            raw = route.endpoint.body("anthropic", raw, headers_of(request), model_in_path=False)
            return await self._passthrough.relay(request, route.endpoint, raw)
        return json_response({"input_tokens": estimate_tokens(body.value)})

    async def count_gemini(self, request: Request) -> Response:
        """Here the model stands in the path."""
        body = await read_json(request)
        model = request.path_params["call"].removesuffix(GEMINI_VERB)
        route = self._routing.pick(model, "gemini")
        if route.wire == "gemini" and route.endpoint.vertex is None and route.model == model:
            return await self._passthrough.relay(request, route.endpoint, body.raw)
        return json_response({"totalTokens": estimate_gemini_tokens(body.value)})
