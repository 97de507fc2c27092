"""JSON Schema → what the provider can hold a model to, in the shape of an answer and in the arguments of strict tools.

It refuses objects that are open, and most bounds. So objects are closed, and bounds are said in the description, where
the model can still read them: the provider's own package does the same. The given schema is never changed.
"""

from collections.abc import Mapping

from callgate.core.messages import Json
from callgate.wire.json_text import dump_text

SchemaObject = dict[str, Json]

_NAMED = ("properties", "$defs", "definitions")
_LISTED = ("anyOf", "allOf")
_KEPT = frozenset(("type", "description", "title", "required", "enum", "const", "default", "pattern", "$id", "$anchor"))
_DROPPED = ("$schema", "$comment", "additionalProperties", "propertyOrdering")
_FORMATS = frozenset(("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"))
_FEW_ITEMS = (0, 1)


def write_strict(schema: Mapping[str, Json]) -> SchemaObject:
    if "$ref" in schema:
        return {key: _value(key, value) for key, value in schema.items() if key in ("$ref", "$defs", "definitions")}
    written: SchemaObject = {}
    notes: SchemaObject = {}
    for key, value in schema.items():
        name = "anyOf" if key == "oneOf" and "anyOf" not in schema else key
        if name in _NAMED or name in _LISTED or name == "items" or _is_kept(name, value):
            written[name] = _value(name, value)
        elif key not in _DROPPED:
            notes[key] = value
    if _is_object(schema):
        written["additionalProperties"] = False
        if open_to := schema.get("additionalProperties"):
            notes["additionalProperties"] = open_to
    if notes:
        said = written.get("description")
        words = ", ".join(f"{key}: {dump_text(value)}" for key, value in notes.items())
        written["description"] = f"{said}\n\n{{{words}}}" if isinstance(said, str) and said else f"{{{words}}}"
    return written


def is_strict(schema: Mapping[str, Json]) -> bool:
    """Whether the provider takes it as it is."""
    return write_strict(schema) == {key: value for key, value in schema.items() if key != "$schema"}


def _is_kept(key: str, value: Json) -> bool:
    if key == "minItems":
        return value in _FEW_ITEMS
    return key in _KEPT or (key == "format" and value in _FORMATS)


def _is_object(schema: Mapping[str, Json]) -> bool:
    kinds = schema.get("type")
    return "properties" in schema or kinds == "object" or (isinstance(kinds, list) and "object" in kinds)


def _value(key: str, value: Json) -> Json:
    if key in _NAMED and isinstance(value, dict):
        return {name: write_strict(inner) if isinstance(inner, dict) else inner for name, inner in value.items()}
    if key in _LISTED and isinstance(value, list):
        return [write_strict(inner) if isinstance(inner, dict) else inner for inner in value]
    return write_strict(value) if key == "items" and isinstance(value, dict) else value
