"""`/v1/models`: the models of all endpoints, in the shape that the asking client knows."""

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.engine.model_list import ModelEntry, ModelList
from callgate.proxy.json_response import json_response

_GOOGLE = ("x-goog-api-key", "x-goog-api-client")


def models_wire(request: Request) -> WireName:
    """The wire of a client that asks under `/models`, which three wires share; only Gemini's clients post there."""
    if request.scope["path"].startswith("/v1beta") or request.method == "POST":
        return "gemini"
    if "anthropic-version" in request.headers:
        return "anthropic"
    google = any(name in request.headers for name in _GOOGLE) or "key" in request.query_params
    return "gemini" if google else "openai-chat"


class ModelsEndpoint:
    def __init__(self, models: ModelList) -> None:
        self._models = models

    async def list(self, request: Request) -> Response:
        entries = await self._models.refresh()
        match models_wire(request):
            case "anthropic":
                return json_response(_anthropic_page(entries))
            case "gemini":
                return json_response({"models": [_gemini(entry) for entry in entries]})
            case _:
                return json_response({"object": "list", "data": [_openai(entry) for entry in entries]})

    async def one(self, request: Request) -> Response:
        entry = await self._entry(request.path_params["call"])
        match models_wire(request):
            case "anthropic":
                return json_response(_anthropic(entry))
            case "gemini":
                return json_response(_gemini(entry))
            case _:
                return json_response(_openai(entry))

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
        "supportedGenerationMethods": ["generateContent", "streamGenerateContent", "countTokens"],
    }
