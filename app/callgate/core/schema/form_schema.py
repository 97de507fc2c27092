"""One schema out of what a place in a schema refers to and combines: `$ref` followed, `allOf` merged. Pure, forgiving.

It serves to choose fields, not to validate: where keywords can't be merged exactly, one of them is kept and the
validator, which sees the schema as it was written, has the last word.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from callgate.core.messages import Json
from callgate.core.schema.form_plan import SubSchema
from callgate.core.schema.form_value import same

Flat = dict[str, Json]

TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_BOTH: Final = frozenset({"items", "additionalProperties", "unevaluatedProperties", "contains", "propertyNames"})
_DEEPEST: Final = 32
"""References and `allOf` inside one another; more is a schema that nobody wrote by hand."""


class Undescribed(Exception):
    """No field can be made of this; says why."""


class Schemas:
    """Looks up and flattens the parts of one schema."""

    def __init__(self, root: Mapping[str, Json]) -> None:
        self._root = root
        self._names: dict[str, SubSchema] | None = None

    def flat(self, schema: SubSchema, depth: int = 0, seen: frozenset[str] = frozenset()) -> Flat:
        """The schema with its references followed and its `allOf` merged; raises `Undescribed`."""
        if schema is True:
            return {}
        if schema is False:
            raise Undescribed("the schema allows nothing here")
        if not isinstance(schema, dict):
            raise Undescribed("this part of the schema is none")
        if depth > _DEEPEST:
            raise Undescribed("the schema is nested too deep")
        own: Flat = {key: value for key, value in schema.items() if key not in _REFERENCES and key != "allOf"}
        merged: Flat = {}
        for reference in (given for key in _REFERENCES if isinstance(given := schema.get(key), str)):
            if reference in seen:
                raise Undescribed("the schema refers only to itself")
            merged = merge(merged, self.flat(self.find(reference), depth + 1, seen | {reference}))
        parts = schema.get("allOf")
        for part in parts if isinstance(parts, list) else ():
            merged = merge(merged, self.flat(part, depth + 1, seen))
        return merge(merged, own) if merged else own

    def find(self, reference: str) -> SubSchema:
        """What a reference inside of the schema points to; raises `Undescribed`."""
        if reference == "#":
            return dict(self._root)
        if reference.startswith("#/"):
            return self._walk(dict(self._root), reference[1:], reference)
        name, _, pointer = reference.partition("#")
        if not name and pointer:
            return self._named(f"#{pointer}", reference)
        target = self._named(name, reference)
        return self._walk(target, pointer, reference) if pointer.startswith("/") else target

    def _named(self, name: str, reference: str) -> SubSchema:
        if self._names is None:
            self._names = dict(_names(dict(self._root)))
        if name not in self._names:
            raise Undescribed(f"it refers to a schema elsewhere: {reference}")
        return self._names[name]

    def _walk(self, start: SubSchema, pointer: str, reference: str) -> SubSchema:
        target: SubSchema = start
        for step in pointer[1:].split("/"):
            key = _unquoted(step).replace("~1", "/").replace("~0", "~")
            if isinstance(target, dict) and key in target:
                target = target[key]
            elif isinstance(target, list) and key.isdecimal() and int(key) < len(target):
                target = target[int(key)]
            else:
                raise Undescribed(f"it refers to a schema that is not there: {reference}")
        return target


def types_of(schema: Mapping[str, Json]) -> tuple[str, ...]:
    """The types that a flat schema names; empty = it names none."""
    given = schema.get("type")
    named = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    known = [one for one in named if isinstance(one, str) and one in TYPES]
    return tuple(one for one in dict.fromkeys(known) if not (one == "integer" and "number" in known))


def merge(a: Flat, b: Flat) -> Flat:
    """Both at once; where they speak of the same and can't be joined, what `b` says counts."""
    result = {**a, **b}
    for key in a.keys() & b.keys():
        joined = _joined(key, a[key], b[key])
        if joined is not None:
            result[key] = joined
    return result


def _joined(key: str, a: Json, b: Json) -> Json:
    match key, a, b:
        case (("properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions"), dict(), dict()):
            both: Flat = {**a, **b}
            for name in a.keys() & b.keys():
                both[name] = {"allOf": [a[name], b[name]]}
            return both
        case "required", list(), list():
            return [*a, *(name for name in b if name not in a)]
        case "type", _, _:
            return _common_types(a, b)
        case "enum", list(), list():
            return [value for value in a if any(same(value, other) for other in b)]
        case _ if key in _BOTH:
            return {"allOf": [a, b]} if a is not False and b is not False else False
        case _:
            return None


def _common_types(a: Json, b: Json) -> Json:
    first, second = types_of({"type": a}), types_of({"type": b})
    if not first or not second:
        return list(first or second)
    found = [one for one in first if one in second or (one == "integer" and "number" in second)]
    found += [one for one in second if one == "integer" and "number" in first and one not in found]
    if not found:
        raise Undescribed("the schema asks for two types at once")
    return found[0] if len(found) == 1 else list(found)


def _names(schema: SubSchema) -> Iterator[tuple[str, SubSchema]]:
    """Every schema that has a name of its own: `$id`, `$anchor`."""
    layer: list[SubSchema] = [schema]
    while layer:
        for found in layer:
            if isinstance(found, dict):
                for key, sign in (("$id", ""), ("id", ""), ("$anchor", "#"), ("$dynamicAnchor", "#")):
                    name = found.get(key)
                    if isinstance(name, str):
                        yield sign + name, found
        layer = [
            below
            for found in layer
            for below in (found.values() if isinstance(found, dict) else found if isinstance(found, list) else ())
        ]


def _unquoted(step: str) -> str:
    """References are URIs: `%25` is a percent sign."""
    if "%" not in step:
        return step
    raw = bytearray()
    data = step.encode("utf-8", "surrogatepass")
    place = 0
    while place < len(data):
        code = data[place + 1 : place + 3]
        if data[place] == 0x25 and len(code) == 2 and all(chr(one) in "0123456789abcdefABCDEF" for one in code):
            raw.append(int(code, 16))
            place += 3
        else:
            raw.append(data[place])
            place += 1
    return raw.decode("utf-8", "surrogateescape")
