"""`/v1/models`: the models of all endpoints, in the shape that the asking client knows."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.request import WireName
from callgate.engine.endpoints.model_list import ModelEntry, ModelList
from callgate.proxy.inbound import read_json
from callgate.proxy.json_response import json_response
from callgate.wire.codec import Codec, ListedModel
from callgate.wire.registry import TRAITS


def models_wire(request: Request) -> WireName:
    """The wire of a client that asks under `/models`, which several wires share; the first wire if nothing tells."""
    owners: list[WireName] = [wire for wire, traits in TRAITS.items() if traits.marks.own(request.scope["path"])]
    marked: list[WireName] = [
        wire
        for wire, traits in TRAITS.items()
        if traits.marks.match(request.method, request.headers, request.query_params)
    ]
    found = owners or marked
    return found[0] if found else next(iter(TRAITS))


class ModelsEndpoint:
    def __init__(self, models: ModelList, codecs: Mapping[WireName, Codec]) -> None:
        self._models = models
        self._codecs = codecs

    async def list(self, request: Request) -> Response:
        entries = await self._models.refresh()
        return json_response(self._codecs[models_wire(request)].write_models([_listed(entry) for entry in entries]))

    async def one(self, request: Request) -> Response:
        entry = await self._entry(request.path_params["call"])
        return json_response(self._codecs[models_wire(request)].write_model(_listed(entry)))

    async def show(self, request: Request) -> Response:
        """Here the model stands in the body."""
        body = Fields((await read_json(request)).value)
        entry = await self._entry(body.text("model", "") or body.text("name"))
        return json_response(self._codecs[models_wire(request)].write_model(_listed(entry)))

    async def _entry(self, wanted: str) -> ModelEntry:
        for entry in (*self._models.known(), *await self._models.refresh()):
            if wanted in (entry.id, f"{entry.endpoint}/{entry.id}"):
                return entry
        raise BadRequest(
            f"The model '{wanted}' does not exist here.", "model", code="model_not_found", kind="not_found"
        )


def _listed(entry: ModelEntry) -> ListedModel:
    return ListedModel(entry.id, entry.endpoint)
