"""JSON Schema → what the provider takes as `parametersJsonSchema` and `responseJsonSchema`.

A part of JSON Schema, and a `$ref` stands alone. What has another word there (`const`, `allOf`, the old `definitions`,
bounds of whole numbers) is said with it; the rest is said in the description, where the model can still read it: Claude
Code's tools have defaults and lengths. The given schema is never changed.
"""

from collections.abc import Mapping

from callgate.core.json.text import dump_text
from callgate.core.messages import Json
from callgate.wire.gemini_generate.schema_merge import Definitions, SchemaObject, merge

_KNOWN = (
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
)
_DROPPED = ("$schema", "$comment")
_NAMED = ("properties", "$defs", "definitions")
_LISTED = ("anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties")
_BOUNDS = (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1))
_OLD_REFERENCE = "#/definitions/"


def write_json_schema(schema: Mapping[str, Json]) -> SchemaObject:
    return _Writing(schema).write(dict(schema), ())


def _include_bounds(schema: SchemaObject) -> None:
    for keyword, bound, step in _BOUNDS:
        limit = schema.get(keyword)
        if isinstance(limit, int) and not isinstance(limit, bool) and bound not in schema:
            del schema[keyword]
            schema[bound] = limit + step


def _with_notes(schema: SchemaObject) -> SchemaObject:
    """What is not known there in words, behind what the description says already."""
    notes = "; ".join(f"{key}: {dump_text(value)}" for key, value in schema.items() if key not in _KNOWN)
    if not notes:
        return schema
    known: SchemaObject = {key: value for key, value in schema.items() if key in _KNOWN}
    said = known.get("description")
    known["description"] = f"{said} ({notes})" if isinstance(said, str) and said else notes
    return known


class _Writing:
    def __init__(self, root: Mapping[str, Json]) -> None:
        self._definitions = Definitions(root)

    def write(self, schema: SchemaObject, within: tuple[str, ...]) -> SchemaObject:
        """`within`: the references that are being put in place; one that comes again is a cycle and stays one."""
        self._definitions.count()
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._reference(reference, schema, within)
        parts = schema.get("allOf")
        if isinstance(parts, list):
            return self._joined(schema, parts, within)
        written: SchemaObject = {}
        for key, value in schema.items():
            if key not in _DROPPED:
                written["$defs" if key == "definitions" else key] = self._value(key, value, within)
        constant = written.get("const")
        if isinstance(constant, str | int | float) and not isinstance(constant, bool):
            del written["const"]
            written.setdefault("enum", [constant])
        if schema.get("type") == "integer":
            _include_bounds(written)
        return _with_notes(written)

    def _value(self, key: str, value: Json, within: tuple[str, ...]) -> Json:
        if key in _NAMED and isinstance(value, dict):
            return {name: self._inner(item, within) for name, item in value.items()}
        if key in _LISTED and isinstance(value, list):
            return [self._inner(item, within) for item in value]
        if key in _SINGLE and isinstance(value, dict):
            return self.write(value, within)
        return value

    def _inner(self, schema: Json, within: tuple[str, ...]) -> Json:
        if schema is True:
            return {}  # "anything", in the only form that is known here
        return self.write(schema, within) if isinstance(schema, dict) else schema

    def _reference(self, reference: str, schema: SchemaObject, within: tuple[str, ...]) -> SchemaObject:
        beside = {key: value for key, value in schema.items() if not key.startswith("$") and key != "definitions"}
        target = self._definitions.look_up(reference, within) if beside else None
        if target is not None:
            return self.write(merge(target, beside), (*within, reference))
        kept: SchemaObject = {}
        for key in ("$ref", "$id", "$anchor", "$defs", "definitions"):
            if key in schema:
                kept["$defs" if key == "definitions" else key] = self._value(key, schema[key], within)
        if reference.startswith(_OLD_REFERENCE):
            kept["$ref"] = f"#/$defs/{reference.removeprefix(_OLD_REFERENCE)}"
        return kept

    def _joined(self, schema: SchemaObject, parts: list[Json], within: tuple[str, ...]) -> SchemaObject:
        """`allOf` as one schema; a part that is a cycle adds nothing that is not there already."""
        whole = {key: value for key, value in schema.items() if key != "allOf"}
        for part in parts:
            if not isinstance(part, dict):
                continue
            reference = part.get("$ref")
            if isinstance(reference, str):
                target = self._definitions.look_up(reference, within)
                if target is None:
                    continue
                part = merge(target, {key: value for key, value in part.items() if key != "$ref"})
                within = (*within, reference)
            whole = merge(part, whole)
        return self.write(whole, within)
