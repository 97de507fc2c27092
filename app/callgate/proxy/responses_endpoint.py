"""Stored responses: `GET` and `DELETE /v1/responses/{id}`, for every endpoint, also those that store nothing."""

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.engine.replies import Replies
from callgate.proxy.json_response import json_response
from callgate.proxy.passthrough import Passthrough
from callgate.wire.codec import Codec


class ResponsesEndpoint:
    def __init__(self, replies: Replies, codec: Codec, passthrough: Passthrough) -> None:
        self._replies = replies
        self._codec = codec
        self._passthrough = passthrough

    async def one(self, request: Request) -> Response:
        response_id = request.path_params["id"]
        kept = await self._replies.find(response_id)
        if kept is None:
            if self._passthrough.speaks("openai-responses"):
                return await self._passthrough.relay(request)
            raise BadRequest(
                f"Response with id '{response_id}' not found.", "id", code="response_not_found", kind="not_found"
            )
        return json_response(self._codec.write_response(kept.response, kept.request))

    async def upgrade_or_list(self, request: Request) -> Response:
        """A WebSocket is not spoken here: at 426 clients fall back to POST at once, at anything else they retry."""
        if request.headers.get("upgrade", "").lower() == "websocket":
            return Response("WebSocket is not supported here; use POST.", 426, {"connection": "close"})
        raise BadRequest("GET is not allowed on /v1/responses; use POST.", "method")
