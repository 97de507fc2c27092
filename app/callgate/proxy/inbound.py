"""Reading a request from the network: its path, its bytes within bounds, its JSON, its headers in lower case."""

import asyncio
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote_plus

from starlette.requests import Request

from callgate.core.errors import BadRequest
from callgate.core.json.text import parse
from callgate.core.messages import Json
from callgate.engine.off_loop import off_the_loop
from callgate.proxy.content_coding import decoded

MOST_BYTES = 64 * 1024 * 1024
"""Histories with images grow large; beyond this it is a mistake."""


_VERSIONS = ("v1", "v1beta")
_UNVERSIONED = "api"
"""Ollama's own routes, which have no version: a base URL for OpenAI clients is easily given to one of its clients."""
_KNOWN_WITHOUT = ("chat", "responses", "messages", "models")
"""What only chat clients ask for: it is read, and judged, also where their base URL lacks the version."""


@dataclass(frozen=True, slots=True)
class JsonBody:
    raw: bytes
    """Without a compression that the client may have used."""
    value: dict[str, Json]


def headers_of(request: Request) -> dict[str, str]:
    """A header that comes in several lines means the same as in one."""
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
    return headers


def query_of(request: Request) -> str:
    """The query as it may go on: a key in it would end in logs."""
    query = request.scope["query_string"].decode("latin-1")
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) != "key")


def asks_for_events(request: Request) -> bool:
    """Whether a stream is to be one of events, as Google's services are asked: by either name of this parameter."""
    asked = request.query_params
    return "sse" in (asked.get("alt", ""), asked.get("$alt", "").partition(";")[0])


def path_of(request: Request) -> str:
    """The path as it was spelled, but for empty segments and dots: what is encoded in it stays encoded."""
    raw = request.scope.get("raw_path")
    return tidy_path(raw.decode("latin-1").partition("?")[0]) if isinstance(raw, bytes) else request.scope["path"]


def tidy_path(path: str) -> str:
    """One spelling for all that mean the same path: `/v1//chat/./completions/` is `/v1/chat/completions`.

    A base URL is easily given with a version too many or too few: `/v1/v1/messages`, `/chat/completions`.
    """
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    while len(kept) > 1 and kept[0] in _VERSIONS and kept[1] in _VERSIONS:
        del kept[0]
    if len(kept) > 1 and kept[0] in _VERSIONS and kept[1] == _UNVERSIONED:
        del kept[0]
    if kept and kept[0] in _KNOWN_WITHOUT:
        kept.insert(0, "v1")
    return "/" + "/".join(kept)


async def read_bytes(request: Request) -> bytes:
    """The whole body; raises `BadRequest` when it is too large, before it has filled the memory."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MOST_BYTES:
        raise _too_large()
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MOST_BYTES:
            raise _too_large()
        chunks.append(chunk)
    return await off_the_loop(partial(b"".join, chunks), size)


def _too_large() -> BadRequest:
    limit = MOST_BYTES // (1024 * 1024)
    return BadRequest(
        f"The request body is larger than {limit} MB.", "body", code="request_too_large", kind="too_large"
    )


async def read_json(request: Request) -> JsonBody:
    """A JSON object; raises `BadRequest` naming what is wrong."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        said = f"it is {kind!r}" if kind else "there is none"
        raise BadRequest(f"The content type must be application/json; {said}.", "content-type")
    raw = await read_bytes(request)
    if codings := request.headers.get("content-encoding", ""):
        raw = await asyncio.to_thread(decoded, raw, codings, MOST_BYTES)
    try:
        value = await off_the_loop(partial(parse, raw), len(raw))
    except ValueError as bad:
        raise BadRequest(f"The body is not valid JSON: {bad}", "body", code="invalid_json") from bad
    if not isinstance(value, dict):
        raise BadRequest("The body must be a JSON object.", "body")
    return JsonBody(raw, value)
