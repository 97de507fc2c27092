"""Looking into JSON by a dotted path, as expressions such as `args.files.path` do. Pure."""

import json
from collections.abc import Iterator, Mapping

import orjson

from callgate.core.messages import Json
from callgate.core.rules.expression import FieldValue


def loaded(text: str) -> Json:
    """The value of a JSON text; None for anything that is none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def loaded_leniently(text: str) -> Json:
    """The same, read as the laxest of clients would: half surrogate pairs and NaN, which JSON does not have."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None


def reach(value: Json, path: list[str]) -> Iterator[FieldValue]:
    """All plain values under a path; lists are walked through, so `files.path` sees every file."""
    if isinstance(value, list):
        for item in value:
            yield from reach(item, path)
    elif not path:
        if not isinstance(value, Mapping):
            yield value
        else:
            yield _written(value)
    elif isinstance(value, Mapping) and path[0] in value:
        yield from reach(value[path[0]], path[1:])


def _written(value: Mapping[str, Json]) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half surrogate pairs, huge numbers
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
