"""JSON Schema → the part of it that a reply, or the arguments of a strict tool, can be held to.

Every object is closed, and nothing is bounded. What there is no word for is told to the model in the description, as
Anthropic's own packages do. The given schema is never changed.
"""

from collections.abc import Mapping, Sequence

from callgate.core.json.text import dump_text
from callgate.core.messages import Json

Schema = dict[str, Json]

_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")
_DEFINITIONS = ("$defs", "definitions")
_MIN_ITEMS = (0, 1)
_SILENT = ("$schema", "$id", "$comment", "additionalProperties")
_MOST_TOOLS, _MOST_OPTIONAL, _MOST_UNIONS = 20, 24, 16
"""What the strict tools of one request may amount to."""


def bearable(schemas: Sequence[Mapping[str, Json]]) -> bool:
    """Whether a model can be held to all of these closed schemas at once."""
    found = [_counted(dict(schema)) for schema in schemas]
    optional, unions = sum(one[0] for one in found), sum(one[1] for one in found)
    return len(schemas) <= _MOST_TOOLS and optional <= _MOST_OPTIONAL and unions <= _MOST_UNIONS


def close_schema(schema: Mapping[str, Json]) -> Schema:
    rest = dict(schema)
    closed: Schema = {key: _each(rest.pop(key)) for key in _DEFINITIONS if key in rest}
    if "$ref" in rest:
        return {**closed, "$ref": rest["$ref"]}
    kinds = rest.pop("type", None)
    if isinstance(kinds, list) and not _is_literal(rest):
        told = {key: rest.pop(key) for key in ("title", "description") if key in rest}
        return {**closed, **told, "anyOf": [close_schema({**rest, "type": kind}) for kind in kinds]}
    for key in _SILENT:
        rest.pop(key, None)
    closed |= {key: rest.pop(key) for key in ("title", "description", "enum", "const") if key in rest}
    for key, spelled in (("anyOf", "anyOf"), ("oneOf", "anyOf"), ("allOf", "allOf")):
        if isinstance(variants := rest.get(key), list):
            closed[spelled] = [_inner(variant) for variant in variants]
            del rest[key]
    if not _is_literal(closed):
        closed |= _of_kind(kinds or _kind_of(rest), rest)
    if rest:
        beside = ", ".join(f"{key}: {dump_text(value)}" for key, value in rest.items())
        closed["description"] = f"{closed.get('description', '')}\n\n{{{beside}}}".strip()
    return closed


def _counted(value: Json) -> tuple[int, int]:
    """Its optional properties, and its unions."""
    if isinstance(value, list):
        inner, optional, unions = value, 0, 0
    elif isinstance(value, dict):
        named, required = value.get("properties"), value.get("required")
        needed = required if isinstance(required, list) else []
        optional = sum(name not in needed for name in named) if isinstance(named, dict) else 0
        inner, unions = list(value.values()), int("anyOf" in value)
    else:
        return 0, 0
    for item in inner:
        more_optional, more_unions = _counted(item)
        optional, unions = optional + more_optional, unions + more_unions
    return optional, unions


def _of_kind(kind: Json, rest: Schema) -> Schema:
    """What may be said of such a value; taken out of the rest."""
    closed: Schema = {} if kind is None else {"type": kind}
    match kind:
        case "object":
            closed["properties"] = _each(rest.pop("properties", {}))
            closed["additionalProperties"] = False
            if "required" in rest:
                closed["required"] = rest.pop("required")
        case "array":
            if "items" in rest:
                closed["items"] = _inner(rest.pop("items"))
            if rest.get("minItems") in _MIN_ITEMS:
                closed["minItems"] = rest.pop("minItems")
        case "string":
            if rest.get("format") in _FORMATS:
                closed["format"] = rest.pop("format")
        case _:
            pass
    return closed


def _kind_of(rest: Schema) -> str | None:
    """Some schemas leave it to be guessed."""
    return "object" if "properties" in rest else "array" if "items" in rest else None


def _is_literal(schema: Schema) -> bool:
    return "enum" in schema or "const" in schema


def _each(schemas: Json) -> Json:
    return {name: _inner(schema) for name, schema in schemas.items()} if isinstance(schemas, dict) else schemas


def _inner(schema: Json) -> Json:
    return close_schema(schema) if isinstance(schema, dict) else {}
