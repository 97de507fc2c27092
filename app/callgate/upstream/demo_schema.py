"""A JSON Schema as the demo model sees it: the kind of a part, whether a value fits, what to assume if nothing is said.

Knows nothing of words or tools. References to other documents are never followed.
"""

import math
from collections.abc import Mapping
from functools import lru_cache

import jsonschema_rs

from callgate.core.messages import Json
from callgate.core.tool import Schema
from callgate.wire.json_text import dump_text, parse

_DEEPEST = 8
"""Schemas may contain themselves; what is required that far down is left out."""
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class DemoSchema:
    def __init__(self, value: Schema) -> None:
        self.value = value
        self._shared = {key: value[key] for key in ("$defs", "definitions", "$schema") if key in value}

    def properties(self) -> dict[str, Mapping[str, Json]]:
        given = self._resolved(self.value).get("properties")
        if not isinstance(given, Mapping):
            return {}
        return {name: item if isinstance(item, Mapping) else {} for name, item in given.items()}

    def required(self) -> list[str]:
        given = self._resolved(self.value).get("required")
        return [name for name in given if isinstance(name, str)] if isinstance(given, list) else []

    def within(self, part: Mapping[str, Json]) -> Schema:
        """A part as a schema of its own, with the definitions it may refer to."""
        return {**self._shared, **self._resolved(part)}

    def kind(self, part: Mapping[str, Json]) -> str:
        """Its type; of several the first that is not null; guessed where it says none."""
        resolved = self._resolved(part)
        given = resolved.get("type")
        kinds = given if isinstance(given, list) else [given]
        for kind in kinds:
            if isinstance(kind, str) and kind != "null":
                return kind
        if "properties" in resolved or "required" in resolved:
            return "object"
        if "items" in resolved:
            return "array"
        return "null" if "null" in kinds else "string"

    def options(self, part: Mapping[str, Json]) -> list[Json]:
        resolved = self._resolved(part)
        if "const" in resolved:
            return [resolved["const"]]
        given = resolved.get("enum")
        return given if isinstance(given, list) else []

    def readings(self, found: str | list[str], part: Mapping[str, Json]) -> list[Json]:
        """What a found text can mean for this part, most likely first."""
        if isinstance(found, list):
            return [list(found)]
        readings: list[Json] = [option for option in self.options(part) if str(option).lower() == found.lower()]
        match self.kind(part):
            case "boolean":
                if found.lower() in _TRUE | _FALSE:
                    readings.append(found.lower() in _TRUE)
            case "integer" | "number":
                readings.extend(_numbers(found))
            case "array":
                readings.append([piece.strip() for piece in found.split(",") if piece.strip()])
            case "object":
                readings.extend(_parsed(found))
            case _:
                readings.append(found)
        return readings

    def accepts(self, value: Json, part: Mapping[str, Json]) -> bool:
        return _accepts({**self._shared, **part}, value)

    def accepts_whole(self, value: Mapping[str, Json]) -> bool:
        return _accepts(self.value, dict(value))

    def assume(self, part: Mapping[str, Json], depth: int = 0) -> Json:
        """A value that fits, from default, const, enum, examples, or the least that the limits allow."""
        resolved = self._resolved(part)
        for candidate in self._suggested(resolved):
            if self.accepts(candidate, part):
                return candidate
        match self.kind(resolved):
            case "boolean":
                return False
            case "integer" | "number":
                return _least_number(resolved, whole=self.kind(resolved) == "integer")
            case "array":
                return self._least_array(resolved, depth)
            case "object":
                return self._least_object(resolved, depth)
            case "null":
                return None
            case _:
                least = resolved.get("minLength")
                return "x" * least if isinstance(least, int) else ""

    def _suggested(self, resolved: Mapping[str, Json]) -> list[Json]:
        suggested = [resolved[key] for key in ("default", "const") if key in resolved]
        for key in ("enum", "examples"):
            given = resolved.get(key)
            suggested.extend(given if isinstance(given, list) else [])
        return suggested

    def _least_array(self, resolved: Mapping[str, Json], depth: int) -> Json:
        least = resolved.get("minItems")
        if not isinstance(least, int) or depth >= _DEEPEST:
            return []
        items = resolved.get("items")
        return [self.assume(items if isinstance(items, Mapping) else {}, depth + 1) for _ in range(least)]

    def _least_object(self, resolved: Mapping[str, Json], depth: int) -> Json:
        if depth >= _DEEPEST:
            return {}
        inner = DemoSchema({**self._shared, **resolved})
        properties = inner.properties()
        return {name: self.assume(properties.get(name, {}), depth + 1) for name in inner.required()}

    def _resolved(self, part: Mapping[str, Json]) -> dict[str, Json]:
        """A part with its reference followed, its `allOf` merged and the first useful alternative chosen."""
        merged = dict(part)
        for _ in range(_DEEPEST):
            reference = merged.pop("$ref", None)
            everything, some = merged.pop("allOf", None), None
            for key in ("anyOf", "oneOf"):
                some = merged.pop(key, None) or some
            if isinstance(reference, str):
                merged = {**self._referred(reference), **merged}
            for piece in everything if isinstance(everything, list) else []:
                merged = _merged(merged, piece)
            alternatives = [one for one in some if isinstance(one, Mapping)] if isinstance(some, list) else []
            useful = [one for one in alternatives if one.get("type") != "null"]
            if useful:
                merged = _merged(merged, useful[0])
            if not ({"$ref", "allOf", "anyOf", "oneOf"} & merged.keys()):
                break
        return merged

    def _referred(self, reference: str) -> dict[str, Json]:
        target: Json = dict(self.value)
        for step in reference.removeprefix("#").strip("/").split("/") if reference.startswith("#/") else ["?"]:
            target = target.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        return dict(target) if isinstance(target, dict) else {}


def _merged(left: Mapping[str, Json], right: Json) -> dict[str, Json]:
    if not isinstance(right, Mapping):
        return dict(left)
    merged = {**left, **right}
    for key in ("properties", "required"):
        ours, theirs = left.get(key), right.get(key)
        if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
            merged[key] = {**ours, **theirs}
        elif isinstance(ours, list) and isinstance(theirs, list):
            merged[key] = ours + [name for name in theirs if name not in ours]
    return merged


def _least_number(resolved: Mapping[str, Json], *, whole: bool) -> Json:
    low, high = resolved.get("minimum"), resolved.get("maximum")
    above, below = resolved.get("exclusiveMinimum"), resolved.get("exclusiveMaximum")
    number: float = 0
    if isinstance(high, int | float):
        number = min(number, high)
    if isinstance(below, int | float) and number >= below:
        number = below - 1
    if isinstance(low, int | float):
        number = max(number, low)
    if isinstance(above, int | float) and number <= above:
        number = above + 1 if whole or not isinstance(below, int | float) else (above + below) / 2
    step = resolved.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        number = math.ceil(number / step) * step
    return math.ceil(number) if whole else number


def _numbers(text: str) -> list[Json]:
    try:
        number = float(text)
    except ValueError:
        return []
    if not math.isfinite(number):
        return []
    return [int(number)] if number.is_integer() else [number]


def _parsed(text: str) -> list[Json]:
    try:
        return [parse(text)]
    except ValueError:
        return []


def _accepts(schema: Mapping[str, Json], value: Json) -> bool:
    validator = _validator(dump_text(schema))
    return validator is None or validator.is_valid(value)


@lru_cache(maxsize=512)
def _validator(schema: str) -> "jsonschema_rs.Validator | None":
    """None where the schema itself is broken: then anything goes, and the tool will say so."""
    try:
        return jsonschema_rs.validator_for(schema, retriever=_refuse)
    except (jsonschema_rs.ValidationError, ValueError):
        return None


def _refuse(address: str) -> Json:
    raise ValueError(f"{address} is not fetched")
