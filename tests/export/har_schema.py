"""HAR 1.2 as a JSON Schema, written from the specification: what is required, of which type, and nothing else without
an underscore.
"""

from typing import Any

_STRING = {"type": "string"}
_SIZE = {"type": "integer", "minimum": -1}
_MILLISECONDS = {"type": "number", "minimum": -1}
_ELAPSED = {"type": "number", "minimum": 0}
_MOMENT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **(optional or {}), "comment": _STRING},
        "patternProperties": {"^_": {}},
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


_PAIR = _object({"name": _STRING, "value": _STRING})
_COOKIE = _object(
    {"name": _STRING, "value": _STRING},
    {
        "path": _STRING,
        "domain": _STRING,
        "expires": _MOMENT,
        "httpOnly": {"type": "boolean"},
        "secure": {"type": "boolean"},
    },
)
_PARAM = _object({"name": _STRING}, {"value": _STRING, "fileName": _STRING, "contentType": _STRING})
_POST = _object({"mimeType": _STRING, "params": _list(_PARAM), "text": _STRING})
_REQUEST = _object(
    {
        "method": {"type": "string", "pattern": "^[A-Z]+$"},
        "url": {"type": "string", "format": "uri", "pattern": "^https?://"},
        "httpVersion": _STRING,
        "cookies": _list(_COOKIE),
        "headers": _list(_PAIR),
        "queryString": _list(_PAIR),
        "headersSize": _SIZE,
        "bodySize": _SIZE,
    },
    {"postData": _POST},
)
_CONTENT = _object(
    {"size": {"type": "integer", "minimum": 0}, "mimeType": _STRING},
    {"compression": {"type": "integer"}, "text": _STRING, "encoding": _STRING},
)
_RESPONSE = _object(
    {
        "status": {"type": "integer", "minimum": 0, "maximum": 599},
        "statusText": _STRING,
        "httpVersion": _STRING,
        "cookies": _list(_COOKIE),
        "headers": _list(_PAIR),
        "content": _CONTENT,
        "redirectURL": _STRING,
        "headersSize": _SIZE,
        "bodySize": _SIZE,
    }
)
_TIMINGS = _object(
    {"send": _ELAPSED, "wait": _ELAPSED, "receive": _ELAPSED},
    {"blocked": _MILLISECONDS, "dns": _MILLISECONDS, "connect": _MILLISECONDS, "ssl": _MILLISECONDS},
)
_ENTRY = _object(
    {
        "startedDateTime": _MOMENT,
        "time": _ELAPSED,
        "request": _REQUEST,
        "response": _RESPONSE,
        "cache": {"type": "object"},
        "timings": _TIMINGS,
    },
    {"pageref": _STRING, "serverIPAddress": _STRING, "connection": _STRING},
)
_PROGRAM = _object({"name": _STRING, "version": _STRING})
_PAGE = _object(
    {"startedDateTime": _MOMENT, "id": _STRING, "title": _STRING, "pageTimings": {"type": "object"}},
)

HAR_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(
        {
            "log": _object(
                {"version": {"const": "1.2"}, "creator": _PROGRAM, "entries": _list(_ENTRY)},
                {"browser": _PROGRAM, "pages": _list(_PAGE)},
            )
        }
    ),
}
