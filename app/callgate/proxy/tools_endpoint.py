"""`/v1/tools`: what the catalog offers, by name and by tag."""

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.proxy.json_response import json_response
from callgate.tools.catalog import Catalog


class ToolsEndpoint:
    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def list(self, request: Request) -> Response:
        """`tags`: any of them; `name`: `*` and `?` are wildcards."""
        tags = [tag.strip() for tag in request.query_params.get("tags", "").split(",") if tag.strip()]
        found = self._catalog.find(name=request.query_params.get("name", ""), tags=tags)
        return json_response({"object": "list", "data": [tool_json(tool) for tool in found]})

    async def one(self, request: Request) -> Response:
        name = request.path_params["name"]
        tool = self._catalog.get(name)
        if tool is None or tool.private or not tool.enabled:
            raise BadRequest(f"There is no tool '{name}'.", "name", code="tool_not_found", kind="not_found")
        return json_response(tool_json(tool))


def tool_json(tool: Tool) -> dict[str, Json]:
    hints = tool.annotations
    said = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }
    return {
        "name": tool.name,
        "title": tool.title or tool.name,
        "description": tool.description,
        "inputSchema": dict(tool.schema),
        "outputSchema": dict(tool.output_schema) if tool.output_schema is not None else None,
        "tags": list(tool.tags),
        "source": tool.source,
        "referenceName": tool.reference,
        "annotations": {key: value for key, value in said.items() if value is not None},
        "fingerprint": tool.fingerprint,
    }
