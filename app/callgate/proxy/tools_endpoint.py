"""`/v1/tools`: what the catalog offers, by name and by tag; and tools that programs register themselves."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from callgate.core.catalog.token_cost import FAMILIES, token_cost
from callgate.core.errors import BadRequest
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.engine.tasks import Tasks
from callgate.proxy.agents import caller_of
from callgate.proxy.inbound import read_json
from callgate.proxy.json_response import json_response
from callgate.tools.catalog import Catalog
from callgate.tools.http_source import HttpSource, taken
from callgate.tools.registration import read_registration

_FRESH_AT_ONCE = 50
"""Tools that are spelled before the window gets its turn."""
_HEAD, _TAIL = b'{"object":"list","data":[', b"]}"


class ToolsEndpoint:
    def __init__(self, catalog: Catalog, registered: HttpSource, tasks: Tasks | None = None) -> None:
        """`tasks`: tools are spelled before anybody asks, from `open` on; None = when they are asked for."""
        self._catalog = catalog
        self._registered = registered
        self._tasks = tasks
        self._spelling: asyncio.Task[None] | None = None
        self._spelled: dict[str, tuple[Tool, bytes]] = {}
        """By name: a tool of the catalog, and its JSON. The catalog keeps the same object while a tool is the same."""
        catalog.on_change(self._changed)

    def open(self) -> None:
        self._spell_ahead()

    def close(self) -> None:
        """Sources that leave change the catalog once more; nobody will ask for that."""
        if self._spelling is not None:
            self._spelling.cancel()
            self._spelling = None

    async def list(self, request: Request) -> Response:
        """`tags`: any of them; `name`: `*` and `?` are wildcards."""
        tags = [tag.strip() for tag in request.query_params.get("tags", "").split(",") if tag.strip()]
        agent = caller_of(request).name
        found = self._catalog.find(name=request.query_params.get("name", ""), tags=tags, agent=agent)
        body = b",".join([self._known(tool) or await self._spell(tool) for tool in found])
        return Response(b"".join((_HEAD, body, _TAIL)), media_type="application/json")

    async def one(self, request: Request) -> Response:
        name = request.path_params["name"]
        tool = self._catalog.offers(name, caller_of(request).name)
        if tool is None:
            raise _not_found(name)
        return json_response(tool_json(tool))

    async def register(self, request: Request) -> Response:
        """Adds a tool; 201, or 200 where just this one is there already."""
        registration = read_registration((await read_json(request)).value)
        name = registration.tool.name
        known = self._catalog.entry(name)
        if known is not None and known.source is not self._registered:
            raise taken(name)
        tool = self._registered.register(registration)
        entry = self._catalog.entry(name)
        shown = entry.tool if entry is not None else tool
        return json_response(tool_json(shown), 200 if known is not None else 201)

    async def remove(self, request: Request) -> Response:
        """Takes a registered tool away; no other can be."""
        name = request.path_params["name"]
        entry = self._catalog.entry(name)
        if entry is None or entry.tool.private:
            raise _not_found(name)
        if entry.source is not self._registered:
            raise BadRequest(
                f"'{name}' was not registered here, so it can't be removed.", "name", code="not_removable",
                kind="permission",
            )  # fmt: skip
        self._registered.remove(entry.original.name)
        return json_response({"object": "tool.deleted", "name": name, "deleted": True})

    # ---- spelling ---------------------------------------------------------------------------------------------------

    def _known(self, tool: Tool) -> bytes:
        known = self._spelled.get(tool.name)
        return known[1] if known is not None and known[0] is tool else b""

    async def _spell(self, tool: Tool) -> bytes:
        spelled = dump_bytes(tool_json(tool))
        self._spelled[tool.name] = (tool, spelled)
        if len(self._spelled) % _FRESH_AT_ONCE == 0:
            await asyncio.sleep(0)
        return spelled

    def _changed(self) -> None:
        self._spelled = {name: known for name, known in self._spelled.items() if self._catalog.get(name) is known[0]}
        if self._spelling is not None:
            self._spelling.cancel()
            self._spell_ahead()

    def _spell_ahead(self) -> None:
        if self._tasks is not None:
            self._spelling = self._tasks.start(self._spell_all(), "spelling tools")

    async def _spell_all(self) -> None:
        for tool in self._catalog.offered():
            if not self._known(tool):
                await self._spell(tool)


def _not_found(name: str) -> BadRequest:
    return BadRequest(f"There is no tool '{name}'.", "name", code="tool_not_found", kind="not_found")


def tool_json(tool: Tool) -> dict[str, Json]:
    hints, cost = tool.annotations, token_cost(tool)
    said = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }
    return {
        "id": tool.id,
        "name": tool.name,
        "title": tool.title or tool.name,
        "description": tool.description,
        "userDescription": tool.user_description,
        "inputSchema": dict(tool.schema),
        "outputSchema": dict(tool.output_schema) if tool.output_schema is not None else None,
        "tags": list(tool.tags),
        "source": tool.source,
        "owner": "gate",
        "when": tool.when,
        "icons": list(tool.icons),
        "referenceName": tool.reference,
        "annotations": {key: value for key, value in said.items() if value is not None},
        "fingerprint": tool.fingerprint,
        "tokenCost": {family: cost.of(family) for family in FAMILIES},
    }
