"""The schema of a tool's arguments as every provider takes it: one plain object.

MCP lets the root be a reference, or a choice between several objects. OpenAI and Anthropic refuse a whole request for
one such tool. So all alternatives become one object here, in which only what all of them need is required; what else
was demanded is said in words. Whoever checks a call does so with the schema itself. The given schema is never changed.
"""

from collections.abc import Mapping
from urllib.parse import unquote

import orjson

from callgate.core.messages import Json

_ALTERNATIVES = ("anyOf", "oneOf")
_CONDITIONS = ("not", "enum", "if", "then", "else")
_DEFINITIONS = ("$defs", "definitions")
_MOST_STEPS = 16
"""References within references, and alternatives within alternatives, that are followed."""

_Object = dict[str, Json]


def plain_arguments(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """The schema itself where it is a plain object already."""
    if schema.get("type") in ("object", None) and not any(
        key in schema for key in ("$ref", "allOf", *_ALTERNATIVES, *_CONDITIONS)
    ):
        return schema
    notes: list[str] = []
    written = _flat(dict(schema), schema, notes, _MOST_STEPS)
    for keyword in _CONDITIONS:
        if keyword in written:
            notes.append(f"{keyword}: {orjson.dumps(written.pop(keyword)).decode()}")
    written["type"] = "object"
    if notes:
        said = written.get("description")
        words = f"({'; '.join(notes)})"
        written["description"] = f"{said} {words}" if isinstance(said, str) and said else words
    return written


def _flat(schema: _Object, root: Mapping[str, Json], notes: list[str], steps: int) -> _Object:
    if steps == 0:
        return {}
    reference = schema.pop("$ref", None)
    if isinstance(reference, str):
        schema = _both(_flat(_looked_up(reference, root), root, notes, steps - 1), schema)
    parts = schema.pop("allOf", None)
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict):
            schema = _both(_flat(dict(part), root, notes, steps - 1), schema)
    for keyword in _ALTERNATIVES:
        options = schema.pop(keyword, None)
        if isinstance(options, list):
            flat = [_flat(dict(option), root, notes, steps - 1) for option in options if isinstance(option, dict)]
            schema = _one_of(flat, schema, notes)
    return schema


def _looked_up(reference: str, root: Mapping[str, Json]) -> _Object:
    place: Json = dict(root) if reference == "#" or reference.startswith("#/") else None
    for step in reference.removeprefix("#").split("/")[1:]:
        place = place.get(unquote(step).replace("~1", "/").replace("~0", "~")) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        return {}
    return {key: value for key, value in place.items() if key not in _DEFINITIONS}


def _both(one: _Object, other: _Object) -> _Object:
    """What both demand; where they contradict each other, the second counts."""
    return {**one, **other, **_joined_properties(one, other), **_required([*_names(one), *_names(other)])}


def _one_of(options: list[_Object], beside: _Object, notes: list[str]) -> _Object:
    needed = [_names(option) for option in options]
    shared = [name for name in needed[0] if all(name in names for names in needed)] if needed else []
    apart = [[name for name in names if name not in shared] for names in needed]
    if any(apart):
        notes.append("required: " + ", or ".join(" and ".join(names) or "nothing more" for names in apart))
    merged = beside
    for option in options:
        merged = {**merged, **_joined_properties(option, merged)}
    return {**merged, **_required([*_names(beside), *shared])}


def _joined_properties(one: _Object, other: _Object) -> _Object:
    properties = [value for schema in (one, other) if isinstance(value := schema.get("properties"), dict)]
    return {"properties": {name: inner for named in properties for name, inner in named.items()}} if properties else {}


def _required(names: list[str]) -> _Object:
    return {"required": list[Json](dict.fromkeys(names))} if names else {}


def _names(schema: _Object) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
