"""Stored responses under `/v1/responses/{id}`, for every endpoint, also those that store nothing.

What is unknown here is left to a provider that speaks this wire.
"""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.core.events import ReplyKept
from callgate.core.messages import Json
from callgate.engine.exchange.replies import Replies
from callgate.proxy.agents import caller_of
from callgate.proxy.inbound import read_json
from callgate.proxy.json_response import json_response
from callgate.proxy.passthrough import Passthrough
from callgate.wire.codec import Codec

MOST_ITEMS = 100
USUAL_ITEMS = 20
"""On one page, as OpenAI has it."""


class ResponsesEndpoint:
    def __init__(self, replies: Replies, codec: Codec, passthrough: Passthrough) -> None:
        self._replies = replies
        self._codec = codec
        self._passthrough = passthrough

    async def one(self, request: Request) -> Response:
        kept = await self._kept(request)
        if kept is None:
            return await self._elsewhere(request)
        asked = replace(kept.request, previous_id=kept.previous_id or kept.request.previous_id)
        return json_response(self._codec.write_response(kept.response, asked))

    async def delete(self, request: Request) -> Response:
        """Nobody can refer to it any more; what was said after it stays whole, and so does the conversation here."""
        kept = await self._kept(request)
        if kept is None:
            return await self._elsewhere(request)
        provider = self._passthrough.named(kept.endpoint)
        if provider is not None:
            answer = await self._passthrough.relay(request, provider)
            if answer.status_code < 400 or answer.status_code == 404:
                self._replies.withdraw(kept)
            return answer
        self._replies.withdraw(kept)
        return json_response({"id": kept.reply_id, "object": "response", "deleted": True})

    async def compact(self, request: Request) -> Response:
        """A long history made short by the provider, as Codex asks for it; only its own kind can."""
        answer = await self._passthrough.relay_to_model(request, await read_json(request), self._codec.wire)
        if answer is None:
            raise BadRequest(
                "The provider of this model cannot compact: it does not speak Responses.",
                "model",
                code="unknown_url",
                kind="not_found",
            )
        return answer

    async def cancel(self, request: Request) -> Response:
        kept = await self._kept(request)
        if kept is None:
            return await self._elsewhere(request)
        provider = self._passthrough.named(kept.endpoint)
        if provider is not None:
            return await self._passthrough.relay(request, provider)
        raise BadRequest("Cannot cancel a synchronous response.", "id")

    async def input_items(self, request: Request) -> Response:
        """All that the model was told, along the chain; by pages, the latest first unless asked otherwise."""
        kept = await self._kept(request)
        if kept is None:
            return await self._elsewhere(request)
        items = await self._replies.items_before(kept)
        if request.query_params.get("order", "desc") != "asc":
            items.reverse()
        return json_response(_page(items, request.query_params.get("after", ""), _limit(request)))

    async def _kept(self, request: Request) -> ReplyKept | None:
        kept = await self._replies.find(request.path_params["id"], caller_of(request).identity)
        return kept if kept is not None and kept.request.wire == self._codec.wire else None

    async def _elsewhere(self, request: Request) -> Response:
        provider = self._passthrough.speaker("openai-responses")
        if provider is not None:
            return await self._passthrough.relay(request, provider)
        response_id = request.path_params["id"]
        raise BadRequest(
            f"Response with id '{response_id}' not found.", "id", code="response_not_found", kind="not_found"
        )


def _limit(request: Request) -> int:
    said = request.query_params.get("limit", "")
    if said and not (said.isdecimal() and 1 <= int(said) <= MOST_ITEMS):
        raise BadRequest(f"Invalid 'limit': it must be between 1 and {MOST_ITEMS}.", "limit", code="invalid_value")
    return int(said or USUAL_ITEMS)


def _page(items: list[dict[str, Json]], after: str, limit: int) -> dict[str, Json]:
    ids = [item["id"] for item in items]
    begin = ids.index(after) + 1 if after in ids else 0
    page = items[begin : begin + limit]
    return {
        "object": "list",
        "data": list[Json](page),
        "first_id": page[0]["id"] if page else None,
        "last_id": page[-1]["id"] if page else None,
        "has_more": begin + limit < len(items),
    }
