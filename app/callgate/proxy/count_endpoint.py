"""How many tokens a request has: asked of the provider where it speaks the client's wire, estimated where it does not.

`POST /v1/messages/count_tokens` (Anthropic), `POST …/models/{model}:countTokens` (Gemini), `POST
/v1/responses/input_tokens` (OpenAI).
"""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.catalog.usage_estimate import request_tokens
from callgate.core.messages import Json
from callgate.engine.off_loop import off_the_loop
from callgate.proxy.inbound import JsonBody, read_json
from callgate.proxy.json_response import json_response
from callgate.proxy.passthrough import Passthrough
from callgate.proxy.warned import HEADER
from callgate.wire.anthropic_messages.count_tokens import estimate_tokens
from callgate.wire.codec import Codec
from callgate.wire.gemini_generate.count_tokens import estimate_tokens as estimate_gemini_tokens

_ESTIMATED = {HEADER.decode(): "the tokens are estimated: the model's provider does not count them for this wire"}


class CountEndpoint:
    def __init__(self, passthrough: Passthrough, responses: Codec) -> None:
        self._passthrough = passthrough
        self._responses = responses

    async def count(self, request: Request) -> Response:
        body = await read_json(request)
        counted = await self._passthrough.relay_to_model(request, body, "anthropic")
        return counted or _estimated({"input_tokens": estimate_tokens(body.value)})

    async def count_gemini(self, request: Request) -> Response:
        """Here the model stands in the path."""
        body = await read_json(request)
        counted = await self._passthrough.relay_verb(request, body, "gemini")
        return counted or _estimated({"totalTokens": estimate_gemini_tokens(body.value)})

    async def count_responses(self, request: Request) -> Response:
        body = await read_json(request)
        counted = await self._passthrough.relay_to_model(request, body, "openai-responses")
        if counted is not None:
            return counted
        tokens = await off_the_loop(partial(self._tokens, body), len(body.raw))
        return _estimated({"object": "response.input_tokens", "input_tokens": tokens})

    def _tokens(self, body: JsonBody) -> int:
        return request_tokens(len(body.raw), self._responses.read_request(body.value).messages)


def _estimated(answer: dict[str, Json]) -> Response:
    return json_response(answer, headers=_ESTIMATED)
