"""A sieve for what servers answer: the SDK refuses a whole answer for one bad entry, so bad entries are taken out.

What was taken out is not lost: a tool that can't be used is remembered with the reason, and a piece of content that
is none becomes text that shows it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse, ListToolsResult
from mcp_types.methods import validate_server_result
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from callgate.core.messages import Json

_SIFTED = ("tools/list", "tools/call")
_SPARE_PARTS = frozenset({"outputSchema", "annotations", "icons", "execution", "title", "_meta"})
_MOST_WORDS = 300
"""Of a complaint or of a bad entry; enough to find it on the wire."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A tool that the server listed and that can't be used."""

    name: str
    reason: str
    description: str = ""


class Sanitiser:
    def __init__(self, version: Callable[[], str]) -> None:
        self._version = version
        self._asked: dict[str | int, str] = {}
        self._unusable: list[Unusable] = []
        self._mended: list[tuple[str, str]] = []

    def take_findings(self) -> tuple[tuple[Unusable, ...], tuple[tuple[str, str], ...]]:
        """Tools that were taken out since last asked, and (name, what) of those that were mended."""
        found = tuple(self._unusable), tuple(self._mended)
        self._unusable.clear()
        self._mended.clear()
        return found

    def sent(self, message: SessionMessage) -> None:
        request = message.message
        if isinstance(request, JSONRPCRequest) and request.method in _SIFTED:
            self._asked[request.id] = request.method

    def arrived(self, message: SessionMessage) -> SessionMessage:
        reply = message.message
        if isinstance(reply, JSONRPCError) and reply.id is not None:
            self._asked.pop(reply.id, None)
        if not isinstance(reply, JSONRPCResponse):
            return message
        method = self._asked.pop(reply.id, "")
        if method == "tools/list":
            result = self._sift_tools(reply.result)
        elif method == "tools/call":
            result = self._sift_content(reply.result)
        else:
            return message
        return SessionMessage(reply.model_copy(update={"result": result}), message.metadata)

    def _sift_tools(self, result: dict[str, Json]) -> dict[str, Json]:
        listed = result.get("tools")
        if not isinstance(listed, list):
            return result
        kept: list[Json] = []
        for entry in listed:
            mended = self._mend(entry)
            reason = self._objection(result, mended)
            while reason and isinstance(mended, dict) and (spare := _spare_part(reason)) in mended:
                self._mended.append((_name(entry), f"a part of its definition is ignored: {reason}"))
                mended = {key: value for key, value in mended.items() if key != spare}
                reason = self._objection(result, mended)
            if reason:
                self._unusable.append(Unusable(_name(entry), reason, _description(entry)))
            else:
                kept.append(mended)
        return {**result, "tools": kept}

    def _mend(self, entry: Json) -> Json:
        """A schema without its type is common and harmless."""
        if not isinstance(entry, dict):
            return entry
        schema = entry.get("inputSchema")
        if schema is None:
            self._mended.append((_name(entry), "declares no input schema; any object is taken"))
            return {**entry, "inputSchema": {"type": "object"}}
        if isinstance(schema, dict) and "type" not in schema:
            return {**entry, "inputSchema": {**schema, "type": "object"}}
        return entry

    def _objection(self, result: dict[str, Json], entry: Json) -> str:
        alone: dict[str, Json] = {**result, "tools": [entry]}
        alone.pop("nextCursor", None)
        try:
            validate_server_result("tools/list", self._version(), alone)
            (tool,) = ListToolsResult.model_validate(alone, by_name=False).tools
        except ValidationError as bad:
            return _complaint(bad, "tools")
        if not tool.name:
            return "it has no name"
        if self._version() in MODERN_PROTOCOL_VERSIONS:
            header = find_invalid_x_mcp_header(tool.input_schema)
            if header is not None:
                return f"its x-mcp-header annotation is invalid: {header}"
        return ""

    def _sift_content(self, result: dict[str, Json]) -> dict[str, Json]:
        if result.get("resultType", "complete") != "complete":
            return result
        sifted = dict(result)
        blocks = result.get("content")
        if isinstance(blocks, list):
            sifted["content"] = [self._readable(block) for block in blocks]
        elif blocks is None:
            sifted["content"] = []
        structured = result.get("structuredContent")
        if structured is not None and not isinstance(structured, dict) and not self._is_modern():
            # an object is all that this era allows, but what came is still worth showing
            sifted.pop("structuredContent")
            sifted["content"] = [*_list(sifted["content"]), _as_text("structured content", structured)]
        return sifted

    def _readable(self, block: Json) -> Json:
        alone: dict[str, Json] = {"content": [block]}
        if self._is_modern():
            alone["resultType"] = "complete"
        try:
            validate_server_result("tools/call", self._version(), alone)
        except ValidationError as bad:
            return _as_text(f"content that can't be read ({_complaint(bad, 'content')})", block)
        return block

    def _is_modern(self) -> bool:
        return self._version() in MODERN_PROTOCOL_VERSIONS


def _spare_part(reason: str) -> str:
    """The part that an objection is about, where a tool can do without it."""
    part = re.split(r"[.:]", reason, maxsplit=1)[0]
    return part if part in _SPARE_PARTS else ""


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _as_text(what: str, value: Json) -> Json:
    return {"type": "text", "text": f"[{what}] {orjson.dumps(value).decode()}"}


def _name(entry: Json) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""


def _description(entry: Json) -> str:
    text = entry.get("description") if isinstance(entry, dict) else None
    return text if isinstance(text, str) else ""


def _complaint(bad: ValidationError, above: str) -> str:
    """The first thing wrong, where it is within the entry."""
    error = bad.errors(include_url=False, include_input=False)[0]
    steps = [str(step) for step in error["loc"]]
    if above in steps:
        steps = steps[steps.index(above) + 2 :]
    return f"{'.'.join(steps)}: {error['msg']}".removeprefix(": ")[:_MOST_WORDS]
