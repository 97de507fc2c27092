"""JSON Schema → the OpenAPI subset that `parameters` and `responseSchema` are limited to.

For old models and servers without `parametersJsonSchema`. One unknown keyword there fails the whole request, so only
what is known is written; what gets lost is said in the description, where the model can still read it.
The given schema is never changed.
"""

from collections.abc import Mapping

from callgate.core.json.text import dump_text
from callgate.core.messages import Json
from callgate.wire.gemini_generate.schema_merge import Definitions, SchemaObject, merge

_KEPT = (
    "title",
    "description",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "example",
    "default",
    "propertyOrdering",
)
_FORMATS = {"STRING": ("enum", "date-time"), "NUMBER": ("float", "double"), "INTEGER": ("int32", "int64")}
_OBJECT: SchemaObject = {"type": "OBJECT"}


def write_subset(schema: Mapping[str, Json]) -> SchemaObject | None:
    """The schema of a function's arguments. None for one without properties: the provider refuses such an object."""
    written = _Writing(schema).write_object(dict(schema))
    return written if written.get("properties") else None


def write_reply_subset(schema: Mapping[str, Json]) -> SchemaObject:
    """The schema of an answer, which need not be an object."""
    return _Writing(schema).write(dict(schema), ())


class _Writing:
    def __init__(self, root: Mapping[str, Json]) -> None:
        self._definitions = Definitions(root)

    def write_object(self, given: SchemaObject) -> SchemaObject:
        """Arguments must be one object: alternatives become one in which only what all of them need is required."""
        schema, within = self._flat(given, ()) or ({}, ())
        options = [flat[0] for option in _options(schema)[0] if (flat := self._flat(option, within)) is not None]
        whole = _without(schema, "anyOf", "oneOf")
        required = [set(_names(option.get("required"))) for option in options]
        for option in options:
            whole = merge(_without(option, "required"), whole)
        shared = sorted(required[0].intersection(*required[1:])) if required else []
        needed: list[Json] = list(dict.fromkeys([*_names(schema.get("required")), *shared]))
        whole |= {"type": "object", "required": needed}
        return self._single(whole, within)

    def write(self, given: SchemaObject, within: tuple[str, ...]) -> SchemaObject:
        """`within`: the references that are being put in place; one that comes again would never end."""
        self._definitions.count()
        flat = self._flat(given, within)
        if flat is None:
            return dict(_OBJECT)
        schema, within = flat
        options, nullable = _options(schema)
        if len(options) > 1:
            return self._any_of(schema, options, nullable, within)
        if options:
            schema = merge(_without_options(schema), options[0])
            return self.write(schema | {"nullable": True} if nullable else schema, within)
        written = self._single(schema, within)
        if nullable or schema.get("nullable") is True:
            written["nullable"] = True
        return written

    def _flat(self, schema: SchemaObject, within: tuple[str, ...]) -> tuple[SchemaObject, tuple[str, ...]] | None:
        """Without references and `allOf`; None where it is a cycle."""
        while isinstance(reference := schema.get("$ref"), str):
            target = self._definitions.look_up(reference, within)
            if target is None:
                return None
            within = (*within, reference)
            schema = merge(target, _without(schema, "$ref"))
        parts = schema.get("allOf")
        if not isinstance(parts, list):
            return schema, within
        whole = _without(schema, "allOf")
        for part in parts:
            flat = self._flat(part, within) if isinstance(part, dict) else None
            if flat is not None:
                whole, within = merge(flat[0], whole), flat[1]
        return whole, within

    def _any_of(
        self, schema: SchemaObject, options: list[SchemaObject], nullable: bool, within: tuple[str, ...]
    ) -> SchemaObject:
        """Nothing may stand beside `anyOf`, so what did is said in each option."""
        beside = _without(_without_options(schema), "$defs", "definitions", "default")
        written: list[Json] = []
        for option in options:
            spelled = self.write(merge(beside, option), within)
            written.append(spelled | {"nullable": True} if nullable else spelled)
        return {"anyOf": written}

    def _single(self, schema: SchemaObject, within: tuple[str, ...]) -> SchemaObject:
        kind = _kind(schema)
        written: SchemaObject = {"type": kind}
        notes: list[str] = []
        written |= {key: value for key, value in schema.items() if key in _KEPT and value is not None}
        _write_bounds(schema, kind, written, notes)
        _write_values(schema, kind, written, notes)
        format_ = schema.get("format")
        if format_ in _FORMATS.get(kind, ()):
            written["format"] = format_
        elif isinstance(format_, str):
            notes.append(f"format: {format_}")
        if kind == "OBJECT":
            self._write_properties(schema, written, within)
        elif kind == "ARRAY":
            written["items"] = self._items(schema, within)
        if notes:
            said = written.get("description")
            described = [said] if isinstance(said, str) and said else []
            written["description"] = " ".join([*described, f"({'; '.join(notes)})"])
        return written

    def _write_properties(self, schema: SchemaObject, written: SchemaObject, within: tuple[str, ...]) -> None:
        properties = schema.get("properties")
        if not isinstance(properties, dict) or not properties:
            return
        spelled: SchemaObject = {
            name: self.write(inner if isinstance(inner, dict) else {}, within) for name, inner in properties.items()
        }
        written["properties"] = spelled
        needed: list[Json] = [name for name in _names(schema.get("required")) if name in properties]
        if needed:
            written["required"] = needed

    def _items(self, schema: SchemaObject, within: tuple[str, ...]) -> SchemaObject:
        items = schema.get("items")
        places = schema.get("prefixItems", items if isinstance(items, list) else None)
        if isinstance(places, list) and places:
            return self.write({"anyOf": places}, within)
        return self.write(items if isinstance(items, dict) else {}, within)


def _options(schema: SchemaObject) -> tuple[list[SchemaObject], bool]:
    """The alternatives of a schema, however they are said, and whether null is one of them."""
    kinds = schema.get("type")
    given = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(given, list):
        alternatives = [option if isinstance(option, dict) else {} for option in given]
    elif isinstance(kinds, list):
        alternatives = [{"type": kind} for kind in kinds]
    else:
        return [], False
    options = [option for option in alternatives if option.get("type") != "null"]
    return options, len(options) < len(alternatives)


def _kind(schema: SchemaObject) -> str:
    """The type, which must be said here; guessed from what else is said."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind.upper() if kind != "null" else "STRING"
    if "properties" in schema or "additionalProperties" in schema:
        return "OBJECT"
    if "items" in schema or "prefixItems" in schema:
        return "ARRAY"
    values = schema.get("enum", [schema.get("const")])
    first = values[0] if isinstance(values, list) and values else None
    if isinstance(first, bool):
        return "BOOLEAN"
    if isinstance(first, int | float) or "minimum" in schema or "maximum" in schema:
        return "NUMBER"
    return "STRING"


def _write_bounds(schema: SchemaObject, kind: str, written: SchemaObject, notes: list[str]) -> None:
    for keyword, bound, step, sign in (
        ("exclusiveMinimum", "minimum", 1, ">"),
        ("exclusiveMaximum", "maximum", -1, "<"),
    ):
        limit = schema.get(keyword)
        if limit is True and isinstance(written.get(bound), int | float):  # the form of old drafts
            limit = written[bound]
        if not isinstance(limit, int | float) or isinstance(limit, bool):
            continue
        if kind == "INTEGER" and isinstance(limit, int):
            written[bound] = limit + step
        else:
            written[bound] = limit
            notes.append(f"{sign} {limit}")
    if isinstance(multiple := schema.get("multipleOf"), int | float):
        notes.append(f"a multiple of {multiple}")
    if schema.get("uniqueItems") is True:
        notes.append("all different")


def _write_values(schema: SchemaObject, kind: str, written: SchemaObject, notes: list[str]) -> None:
    """Only texts can be listed, and none of them empty; other values are told in words."""
    values = schema.get("enum")
    if "const" in schema:
        values = [schema["const"]]
    if not isinstance(values, list) or not values:
        return
    if None in values:
        written["nullable"] = True
    given = [value for value in values if value is not None]
    texts: list[Json] = [value for value in given if isinstance(value, str) and value]
    if kind == "STRING" and texts and len(texts) == len(given):
        written["enum"] = texts
    elif given:
        notes.append(f"one of: {', '.join(dump_text(value) for value in given)}")


def _without(schema: SchemaObject, *keys: str) -> SchemaObject:
    return {key: value for key, value in schema.items() if key not in keys}


def _without_options(schema: SchemaObject) -> SchemaObject:
    kept = _without(schema, "anyOf", "oneOf")
    return _without(kept, "type") if isinstance(kept.get("type"), list) else kept


def _names(required: Json) -> list[str]:
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
