"""Fetching a page of the web as text. Off until it is switched on; never reaches this machine or its network."""

import asyncio
import codecs
from collections.abc import Mapping
from contextlib import aclosing

import httpx

from callgate.core.messages import Json
from callgate.core.tool import Annotations
from callgate.tools.builtin.definition import define, string, text
from callgate.tools.builtin.html_text import html_to_text
from callgate.tools.builtin.previews import preview_url
from callgate.tools.builtin.source import BuiltinTool, ToolProblem
from callgate.tools.builtin.web_address import Destination, Network, destination_of
from callgate.tools.source import CallContext

FETCH_SECONDS = 25.0
"""From the first look-up to the last byte, redirects included."""
MOST_BYTES = 4 * 1024 * 1024
MOST_TEXT = 256 * 1024
"""A model's window is finite."""
MOST_REDIRECTS = 5
_TEXTUAL = (
    "application/json",
    "application/xml",
    "application/javascript",
    "application/xhtml+xml",
    "application/toml",
)
_HEADERS = {
    "User-Agent": "callgate (fetch_url tool)",
    "Accept": "text/html, text/*, application/json, application/xml;q=0.9, */*;q=0.1",
    "Accept-Encoding": "identity",
}
_FETCHES = Annotations(read_only=True, destructive=False, idempotent=True, open_world=True)


class WebReader:
    def __init__(self, allowed: tuple[Network, ...] = ()) -> None:
        """`allowed` = networks that may be reached although they are not public."""
        self._allowed = allowed

    async def fetch_url(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                return await self._fetch(string(arguments, "url"))
        except TimeoutError as slow:
            raise ToolProblem(f"The page did not come within {FETCH_SECONDS:g} seconds") from slow
        except httpx.HTTPError as failed:
            raise ToolProblem(f"The page could not be fetched: {failed or type(failed).__name__}") from failed

    async def _fetch(self, url: str) -> str:
        target: str | httpx.URL = url
        # no proxies and no .netrc of the environment: the person approved this one request
        async with httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=FETCH_SECONDS) as client:
            for _ in range(MOST_REDIRECTS + 1):
                place = await destination_of(target, self._allowed)
                request = client.build_request(
                    "GET",
                    place.direct_url,
                    headers={**_HEADERS, "Host": place.host_header},
                    extensions={"sni_hostname": place.server_name},
                )
                response = await client.send(request, stream=True)
                async with aclosing(response):
                    if not response.has_redirect_location:
                        return await _read(response, place)
                    target = place.url.join(response.headers["location"])
                    if target.scheme in ("http", "https") and not _stays(place.url, target):
                        return _elsewhere(response, place, target)
        raise ToolProblem(f"{url} was redirected more than {MOST_REDIRECTS} times")


def web_tools(reader: WebReader | None) -> tuple[BuiltinTool, ...]:
    """None = fetching is switched off, and no model is told that it exists."""
    if reader is None:
        return ()
    return (
        define(
            reader.fetch_url,
            "fetch_url",
            "Fetch URL",
            "Fetch a page of the public web with GET and return its text; HTML is reduced to text and links.",
            {"url": text("The address, http or https")},
            required=("url",),
            tags=("web", "read-only"),
            annotations=_FETCHES,
            prepare=preview_url,
        ),
    )


def _stays(here: httpx.URL, there: httpx.URL) -> bool:
    """The person approved one address, and rules judged it: another host is another question."""
    if here.host != there.host:
        return False
    safer = here.scheme == "http" and there.scheme == "https" and here.port is None and there.port is None
    return safer or (here.scheme, here.port) == (there.scheme, there.port)


def _elsewhere(response: httpx.Response, place: Destination, target: httpx.URL) -> str:
    return (
        f"[{response.status_code} {response.reason_phrase} {place.url}]\n"
        f"The page has moved to {target}, which is another host. Nothing was fetched from there; "
        "call fetch_url with that address if you want it."
    )


async def _read(response: httpx.Response, place: Destination) -> str:
    media_type, _, _ = response.headers.get("content-type", "text/plain").partition(";")
    media_type = media_type.strip().casefold()
    if not (media_type.startswith("text/") or media_type in _TEXTUAL or media_type.endswith(("+json", "+xml"))):
        raise ToolProblem(f"{place.url} is {media_type}; only text can be fetched")
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > MOST_BYTES:
            break
    body = bytes(data[:MOST_BYTES]).decode(_encoding(response), "replace")
    if media_type in ("text/html", "application/xhtml+xml"):
        body = await asyncio.to_thread(html_to_text, body, str(place.url))
    if len(data) > MOST_BYTES or len(body) > MOST_TEXT:
        body = f"{body[:MOST_TEXT]}\n[cut]"
    return f"[{response.status_code} {response.reason_phrase} {place.url} {media_type}]\n{body}"


def _encoding(response: httpx.Response) -> str:
    named = response.charset_encoding or "utf-8"
    try:
        return codecs.lookup(named).name
    except LookupError:
        return "utf-8"
