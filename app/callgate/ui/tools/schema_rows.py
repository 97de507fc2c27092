"""A JSON Schema told in rows that a person can read. Pure; forgiving, for schemas come from strangers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from callgate.core.messages import Json
from callgate.core.tool import Schema

_DEEPEST: Final = 6
"""Deeper nesting is left to the raw JSON."""
_MOST_CHOICES: Final = 24
_MOST_EXAMPLES: Final = 3
MOST_ROWS: Final = 4000
"""A schema that refers to itself has rows without end; what comes after these is left to the raw JSON."""
_LIMITS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "must match {}",
    "format": "format {}",
    "minProperties": "at least {} properties",
    "maxProperties": "at most {} properties",
}
_FOR_ONE: Final = {
    "minLength": "not empty",
    "maxLength": "at most one character",
    "minItems": "at least one item",
    "maxItems": "at most one item",
    "minProperties": "at least one property",
    "maxProperties": "at most one property",
}


@dataclass(frozen=True, slots=True)
class SchemaRow:
    name: str
    depth: int
    type: str
    required: bool
    description: str
    notes: tuple[str, ...] = ()
    """Choices, default, limits: each a few words."""


def schema_rows(schema: Schema) -> tuple[SchemaRow, ...]:
    """The parameters of a tool, nested ones after their parent."""
    return tuple(each_row(schema))


def each_row(schema: Schema) -> Iterator[SchemaRow]:
    """The same one by one, for whoever has no time for all of them."""
    return islice(_properties(schema, schema, 0), MOST_ROWS)


def _properties(schema: Mapping[str, Json], root: Schema, depth: int) -> Iterator[SchemaRow]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or depth > _DEEPEST:
        return
    required = schema.get("required")
    needed = {one for one in required if isinstance(one, str)} if isinstance(required, list) else set[str]()
    for name, given in properties.items():
        prop = _resolved(given, root)
        yield _row(name, prop, root, depth, name in needed)
        yield from _inside(prop, root, depth + 1)


def _inside(schema: Mapping[str, Json], root: Schema, depth: int) -> Iterator[SchemaRow]:
    """Rows of what is nested: an object's own properties, or those of a list's items."""
    yield from _properties(schema, root, depth)
    items = schema.get("items")
    if isinstance(items, Mapping) and depth <= _DEEPEST:
        yield from _inside(_resolved(items, root), root, depth)
    extra = schema.get("additionalProperties")
    if isinstance(extra, Mapping):
        yield from _properties(_resolved(extra, root), root, depth)
    every = [_resolved(part, root) for part in _listed(schema, "allOf")]
    for part in every:
        yield from _properties(part, root, depth)
    either = [_resolved(choice, root) for choice in _listed(schema, "anyOf", "oneOf")]
    shapes = [choice for choice in either if isinstance(choice.get("properties"), Mapping)]
    for number, shape in enumerate(shapes, 1):
        if len(shapes) == 1:
            yield from _properties(shape, root, depth)
        elif depth <= _DEEPEST:
            # several shapes whose fields would otherwise stand in one heap, as if all of them were wanted
            yield _shape_row(number, shape, root, depth)
            yield from _properties(shape, root, depth + 1)


def _shape_row(number: int, shape: Mapping[str, Json], root: Schema, depth: int) -> SchemaRow:
    title, description = shape.get("title"), shape.get("description")
    name = f"{'either' if number == 1 else 'or'}{f' {title}' if isinstance(title, str) else ''}"
    return SchemaRow(name, depth, type_words(shape, root), False, description if isinstance(description, str) else "")


def _row(name: str, schema: Mapping[str, Json], root: Schema, depth: int, required: bool) -> SchemaRow:
    description = schema.get("description")
    notes: list[str] = []
    if values := _values(schema):
        notes.append(f"one of {_enumerated(values)}")
    items = schema.get("items")
    if isinstance(items, Mapping) and (values := _values(_resolved(items, root))):
        notes.append(f"each one of {_enumerated(values)}")
    if "const" in schema:
        notes.append(f"always {_spelled(schema['const'])}")
    if "default" in schema:
        notes.append(f"default {_spelled(schema['default'])}")
    notes.extend(
        (_FOR_ONE.get(key, words) if value == 1 else words).format(value if isinstance(value, str) else _spelled(value))
        for key, words in _LIMITS.items()
        if (value := schema.get(key)) is not None
    )
    if schema.get("uniqueItems") is True:
        notes.append("no item twice")
    notes.extend(_examples(schema))
    if schema.get("deprecated") is True:
        notes.append("deprecated")
    return SchemaRow(
        name,
        depth,
        type_words(schema, root),
        required,
        description if isinstance(description, str) else "",
        tuple(notes),
    )


def _examples(schema: Mapping[str, Json]) -> Iterator[str]:
    given = schema.get("examples")
    examples = given if isinstance(given, list) else [schema["example"]] if "example" in schema else []
    if examples:
        yield f"such as {', '.join(_spelled(value) for value in examples[:_MOST_EXAMPLES])}"


def type_words(schema: Mapping[str, Json], root: Schema, depth: int = 0) -> str:
    """The type in a word or two: `string`, `list of integer`, `string or null`."""
    kind = schema.get("type")
    if isinstance(kind, list) and kind:
        return " or ".join(str(one) for one in kind)
    if kind == "array":
        items = schema.get("items")
        if isinstance(items, Mapping) and depth < _DEEPEST:
            return f"list of {type_words(_resolved(items, root), root, depth + 1)}"
        return "list"
    if kind == "object" and "properties" not in schema:
        extra = schema.get("additionalProperties")
        if isinstance(extra, Mapping) and extra and depth < _DEEPEST:
            return f"object of {type_words(_resolved(extra, root), root, depth + 1)}"
    if isinstance(kind, str) and kind:
        return kind
    choices = _choices(schema)
    if choices and depth < _DEEPEST:
        words = (type_words(_resolved(choice, root), root, depth + 1) for choice in choices)
        return " or ".join(dict.fromkeys(words))
    values: Sequence[Json] = enum if isinstance(enum := schema.get("enum"), list) else ()
    if "const" in schema:
        values = (schema["const"],)
    return " or ".join(dict.fromkeys(_json_type(value) for value in values)) or "any"


def _values(schema: Mapping[str, Json]) -> list[Json]:
    """What it can be, where that is told one by one: as an enum, or as a choice of constants."""
    enum = schema.get("enum")
    if isinstance(enum, list):
        return enum
    choices = _listed(schema, "anyOf", "oneOf")
    return [choice["const"] for choice in choices] if all("const" in choice for choice in choices) else []


def _enumerated(values: Sequence[Json]) -> str:
    shown = ", ".join(_spelled(value) for value in values[:_MOST_CHOICES])
    return shown + (", …" if len(values) > _MOST_CHOICES else "")


def _choices(schema: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    return _listed(schema, "anyOf", "oneOf", "allOf")


def _listed(schema: Mapping[str, Json], *keys: str) -> list[Mapping[str, Json]]:
    found: list[Mapping[str, Json]] = []
    for key in keys:
        given = schema.get(key)
        if isinstance(given, list):
            found.extend(choice for choice in given if isinstance(choice, Mapping))
    return found


def _resolved(schema: Json | Mapping[str, Json], root: Schema) -> Mapping[str, Json]:
    """Follows a reference inside of the same schema, once; a loop therefore ends at `_DEEPEST`."""
    if not isinstance(schema, Mapping):
        return {}
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    target: Json | Mapping[str, Json] = root
    for step in reference[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        target = target.get(key) if isinstance(target, Mapping) else None
    if not isinstance(target, Mapping):
        return schema
    return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}


def _json_type(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int():
            return "integer"
        case float():
            return "number"
        case list():
            return "list"
        case _:
            return "object"


def _spelled(value: Json) -> str:
    """As JSON; not by orjson, which refuses integers and characters that a stranger may well send."""
    return json.dumps(value, ensure_ascii=False)
