"""The provider's schemas, an OpenAPI subset with its own spelling, → JSON Schema as all other wires mean it.

Type names may be upper case, null is a flag, counts may be strings, keywords may be snake_case. A JSON Schema goes
through unchanged but for the type names, which clients write in capitals there too.
"""

from callgate.core.errors import BadRequest
from callgate.core.json.fields import MAX_SCHEMA_DEPTH, check_schema
from callgate.core.messages import Json
from callgate.core.tool import Schema
from callgate.wire.gemini_generate.field_names import snake

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_UNSAID = "type_unspecified"
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
_ALIASES = {
    snake(name): name for name in (*_COUNTS, "anyOf", "propertyOrdering", "additionalProperties", "prefixItems")
} | {"defs": "$defs", "ref": "$ref"}
_NAMED = ("properties", "$defs", "definitions", "patternProperties")
"""Keywords that hold schemas by names which are the user's."""
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")


def read_parameters(schema: Json, param: str, tool: str) -> Schema:
    """The schema of a function's arguments. Raises `BadRequest` if it is none."""
    return check_schema(read_schema(schema, param), param, tool)


def read_reply_schema(schema: Json, param: str) -> Json:
    """The schema of an answer, which need not be an object."""
    if not isinstance(schema, dict):
        check_schema(schema, param)  # complains
    read = read_schema(schema, param)
    check_schema({"type": "object", "properties": {"reply": read}}, param)
    return read


def read_schema(schema: Json, param: str, depth: int = 0) -> Json:
    """Not yet checked: what is no schema stays what it is."""
    if depth > MAX_SCHEMA_DEPTH:
        raise BadRequest(f"Invalid schema for '{param}': nested deeper than {MAX_SCHEMA_DEPTH} levels.", param)
    if not isinstance(schema, dict):
        return schema
    read: dict[str, Json] = {}
    for given, value in schema.items():
        key = _ALIASES.get(given, given)
        read[key] = _read_value(key, value, param, depth)
    if read.get("type") == _UNSAID:
        del read["type"]
    _order(read)
    return _with_null(read) if read.pop("nullable", None) is True else read


def _order(schema: dict[str, Json]) -> None:
    """Others write properties in the order in which they are listed, and have no word for any other."""
    names, properties = schema.pop("propertyOrdering", None), schema.get("properties")
    if isinstance(names, list) and isinstance(properties, dict):
        first = [name for name in names if isinstance(name, str) and name in properties]
        schema["properties"] = {name: properties[name] for name in dict.fromkeys([*first, *properties])}


def _read_value(key: str, value: Json, param: str, depth: int) -> Json:
    if key == "type":
        return _read_type(value)
    if key in _COUNTS and isinstance(value, str) and value.isdigit():
        return int(value)
    if key in _NAMED and isinstance(value, dict):
        return {name: read_schema(inner, param, depth + 1) for name, inner in value.items()}
    if key in _LISTED and isinstance(value, list):
        return [read_schema(inner, param, depth + 1) for inner in value]
    if key in _SINGLE:
        return read_schema(value, param, depth + 1)
    return value


def _read_type(value: Json) -> Json:
    if isinstance(value, list):
        return [_read_type(item) for item in value]
    if isinstance(value, str) and value.lower() in (*_TYPES, _UNSAID):
        return value.lower()
    return value


def _with_null(schema: dict[str, Json]) -> dict[str, Json]:
    match schema.get("type"):
        case str(kind) if kind != "null":
            schema["type"] = [kind, "null"]
        case list(kinds) if "null" not in kinds:
            schema["type"] = [*kinds, "null"]
        case _:
            pass
    if isinstance(options := schema.get("anyOf"), list) and {"type": "null"} not in options:
        schema["anyOf"] = [*options, {"type": "null"}]
    if isinstance(values := schema.get("enum"), list) and None not in values:
        schema["enum"] = [*values, None]
    return schema
