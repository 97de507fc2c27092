"""HTTP traffic as HAR 1.2, which browsers and network debuggers open. Pure; the caller has hidden the secrets.

One entry for each request. `timings.wait` is the time to the first byte, `timings.receive` the rest of the stream.
Server-sent events stand in `_events` with their milliseconds since the request, Callgate's own ids in `_callgate`.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from callgate.core.messages import Json
from callgate.core.text.sse_capture import looks_like_lines, looks_like_sse, stream_events

Head = tuple[tuple[str, str], ...]
Pieces = tuple[tuple[float, bytes], ...]
_HTTP: Final = "HTTP/1.1"
_UNKNOWN_SIZE: Final = -1


@dataclass(frozen=True, slots=True)
class HttpExchange:
    """One request and its answer, as they were captured."""

    url: str
    at: float
    body: bytes
    status: int
    """0 = there was no answer."""
    answer: Pieces = ()
    head: Head = ()
    answer_head: Head = ()
    comment: str = ""
    about: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Callgate's own ids, for `_callgate`."""

    @property
    def answer_body(self) -> bytes:
        return b"".join(data for _, data in self.answer)


def har_entry(exchange: HttpExchange, *, bodies: bool = True) -> dict[str, Json]:
    """One entry; without `bodies` it tells how much was said and when, but not what."""
    first = exchange.answer[0][0] if exchange.answer else exchange.at
    last = exchange.answer[-1][0] if exchange.answer else exchange.at
    wait, receive = _milliseconds(first - exchange.at), _milliseconds(last - first)
    entry: dict[str, Json] = {
        "startedDateTime": _moment(exchange.at),
        "time": wait + receive,
        "request": _request(exchange, bodies),
        "response": _response(exchange, bodies),
        "cache": {},
        "timings": {"send": 0, "wait": wait, "receive": receive},
        "_callgate": dict(exchange.about),
    }
    if exchange.comment:
        entry["comment"] = exchange.comment
    if bodies and (events := stream_events(exchange.answer)):
        entry["_events"] = [
            {"time": _milliseconds(event.at - exchange.at), "event": event.event, "data": event.data}
            for event in events
        ]
    return entry


def har_log(entries: Iterable[dict[str, Json]], version: str, comment: str = "") -> dict[str, Json]:
    """The whole file."""
    log: dict[str, Json] = {
        "version": "1.2",
        "creator": {"name": "Callgate", "version": version},
        "pages": [],
        "entries": list(entries),
    }
    if comment:
        log["comment"] = comment
    return {"log": log}


def _request(exchange: HttpExchange, bodies: bool) -> dict[str, Json]:
    text, encoding = _text(exchange.body) if bodies else ("", "")
    posted: dict[str, Json] = {"mimeType": "application/json", "params": [], "text": text}
    if encoding or not bodies:
        posted["comment"] = "base64, as it is no UTF-8" if bodies else "left out"
    return {
        "method": "POST",
        "url": exchange.url,
        "httpVersion": _HTTP,
        "cookies": [],
        "headers": _headers(exchange.head),
        "queryString": [
            {"name": name, "value": value} for name, value in parse_qsl(urlsplit(exchange.url).query, True)
        ],
        "postData": posted,
        "headersSize": _UNKNOWN_SIZE,
        "bodySize": len(exchange.body),
    }


def _mime(body: bytes) -> str:
    if looks_like_sse(body):
        return "text/event-stream"
    if looks_like_lines(body):
        return "application/x-ndjson"
    return "application/json" if body else "x-unknown"


def _response(exchange: HttpExchange, bodies: bool) -> dict[str, Json]:
    body = exchange.answer_body
    text, encoding = _text(body) if bodies else ("", "")
    mime = _mime(body)
    content: dict[str, Json] = {"size": len(body), "mimeType": mime}
    if bodies:
        content["text"] = text
    if encoding:
        content["encoding"] = encoding
    return {
        "status": exchange.status,
        "statusText": _phrase(exchange.status),
        "httpVersion": _HTTP,
        "cookies": [],
        "headers": _headers(exchange.answer_head),
        "content": content,
        "redirectURL": "",
        "headersSize": _UNKNOWN_SIZE,
        "bodySize": len(body),
    }


def _headers(head: Head) -> list[Json]:
    return [{"name": name, "value": value} for name, value in head]


def _text(body: bytes) -> tuple[str, str]:
    try:
        return body.decode("utf-8"), ""
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), "base64"


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else ""


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _milliseconds(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 3)
