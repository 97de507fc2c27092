"""`/v1/models`: the models of all endpoints, in the shape that the asking client knows."""

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.engine.model_list import ModelEntry, ModelList
from callgate.proxy.json_response import json_response


class ModelsEndpoint:
    def __init__(self, models: ModelList) -> None:
        self._models = models

    async def list(self, request: Request) -> Response:
        entries = await self._models.refresh()
        if "anthropic-version" in request.headers:
            return json_response(_anthropic_page(entries))
        return json_response({"object": "list", "data": [_openai(entry) for entry in entries]})

    async def gemini_list(self, request: Request) -> Response:
        entries = await self._models.refresh()
        return json_response({"models": [_gemini(entry) for entry in entries]})

    async def one(self, request: Request) -> Response:
        entry = await self._entry(request.path_params["call"])
        return json_response(_anthropic(entry) if "anthropic-version" in request.headers else _openai(entry))

    async def gemini_one(self, request: Request) -> Response:
        return json_response(_gemini(await self._entry(request.path_params["call"])))

    async def _entry(self, wanted: str) -> ModelEntry:
        for entry in (*self._models.known(), *await self._models.refresh()):
            if wanted in (entry.id, f"{entry.endpoint}/{entry.id}"):
                return entry
        raise BadRequest(
            f"The model '{wanted}' does not exist here.", "model", code="model_not_found", kind="not_found"
        )


def _openai(entry: ModelEntry) -> dict[str, Json]:
    return {"id": entry.id, "object": "model", "created": 0, "owned_by": entry.endpoint}


def _anthropic(entry: ModelEntry) -> dict[str, Json]:
    return {"type": "model", "id": entry.id, "display_name": entry.id, "created_at": "1970-01-01T00:00:00Z"}


def _anthropic_page(entries: tuple[ModelEntry, ...]) -> dict[str, Json]:
    return {
        "data": [_anthropic(entry) for entry in entries],
        "has_more": False,
        "first_id": entries[0].id if entries else None,
        "last_id": entries[-1].id if entries else None,
    }


def _gemini(entry: ModelEntry) -> dict[str, Json]:
    return {
        "name": f"models/{entry.id}",
        "displayName": entry.id,
        "supportedGenerationMethods": ["generateContent", "streamGenerateContent"],
    }
