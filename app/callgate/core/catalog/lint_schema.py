"""What is doubtful about a tool's schema: parameters that say too little, and keywords that some providers refuse.

What Callgate does with such a keyword is told as the codecs do it: `wire/gemini_generate/json_schema` for models that
take JSON Schema, `schema_subset` ("older Gemini models") for those that do not. Pure, and bounded in what it looks at.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from callgate.core.catalog.lint import Finding, Severity
from callgate.core.messages import Json
from callgate.core.tool import Tool

MOST_NODES: Final = 4000
"""Schemas with more parts are looked at in part; nothing in the rest would be new."""
_PARTS_A_STEP: Final = 300
_MOST_NAMED: Final = 4
"""Parameters that a finding names; the others are counted."""
_FIT_KEY: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_NESTED: Final = ("properties", "patternProperties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE: Final = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")
_TYPED: Final = frozenset({"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "properties", "items"})

_LOST: Final = "Callgate leaves it out for older Gemini models: the model is not told, but arguments are still checked."
_TOLD: Final = "Callgate tells older Gemini models in the description instead."
_KEYWORDS: Final[dict[str, tuple[Severity, str, str]]] = {
    "$schema": ("hint", "Gemini refuses", "Callgate leaves it out there."),
    "$comment": ("hint", "Gemini refuses", "Callgate leaves it out there."),
    "const": ("hint", "Gemini does not know", "Callgate writes it as a list of one value there."),
    "allOf": ("hint", "Gemini does not know", "Callgate joins the parts into one schema there."),
    "oneOf": ("hint", "older Gemini models refuse", "Callgate writes it as anyOf there."),
    "definitions": ("hint", "Gemini does not know", "Callgate calls it $defs there."),
    "exclusiveMinimum": ("hint", "older Gemini models refuse", "Callgate writes it as a minimum, or in words, there."),
    "exclusiveMaximum": ("hint", "older Gemini models refuse", "Callgate writes it as a maximum, or in words, there."),
    "multipleOf": ("hint", "older Gemini models refuse", _TOLD),
    "uniqueItems": ("hint", "older Gemini models refuse", _TOLD),
    "patternProperties": ("hint", "older Gemini models refuse", _LOST),
    "propertyNames": ("hint", "older Gemini models refuse", _LOST),
    "not": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "if": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "contains": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "dependentRequired": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "dependentSchemas": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "dependencies": ("hint", "OpenAI's strict mode and older Gemini models refuse", _LOST),
    "unevaluatedProperties": ("hint", "older Gemini models refuse", _LOST),
    "unevaluatedItems": ("hint", "older Gemini models refuse", _LOST),
}


@dataclass(slots=True)
class _Seen:
    """What was met on the way, each kind with its places."""

    places: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, kind: str, path: str) -> None:
        self.places.setdefault(kind, []).append(path)


def lint_schema(tool: Tool) -> tuple[Finding, ...]:
    return next(findings for findings in linting_schema(tool) if findings is not None)


def linting_schema(tool: Tool) -> Iterator[tuple[Finding, ...] | None]:
    """The same in steps, for whoever must not stand still: None as long as there is more to look at."""
    seen = _Seen()
    for number, (path, schema, required) in enumerate(_parts(tool.schema), 1):
        _look(schema, path, required, seen)
        if number % _PARTS_A_STEP == 0:
            yield None
    yield (*_root(tool.schema), *_parameters(seen), *_keywords(seen))


def _parts(root: Mapping[str, Json]) -> Iterator[tuple[str, Mapping[str, Json], bool | None]]:
    """Every schema in a schema with its path; `required` is None for what is no parameter."""
    waiting: list[tuple[str, Mapping[str, Json], bool | None]] = [("", root, None)]
    for _ in range(MOST_NODES):
        if not waiting:
            return
        path, schema, required = waiting.pop()
        yield path, schema, required
        needed = schema.get("required")
        names = {name for name in needed if isinstance(name, str)} if isinstance(needed, list) else set[str]()
        for key in _NESTED:
            named = schema.get(key)
            for name, inner in reversed(list(named.items())) if isinstance(named, Mapping) else ():
                if isinstance(inner, Mapping):
                    is_parameter = key == "properties"
                    below = f"{path}.{name}" if path and is_parameter else name if is_parameter else path
                    waiting.append((below, inner, name in names if is_parameter else None))
        for key in _LISTED:
            options = schema.get(key)
            for option in options if isinstance(options, list) else ():
                if isinstance(option, Mapping):
                    waiting.append((path, option, None))
        for key in _SINGLE:
            inner = schema.get(key)
            if isinstance(inner, Mapping):
                waiting.append((f"{path}[]" if key == "items" else path, inner, None))


def _look(schema: Mapping[str, Json], path: str, required: bool | None, seen: _Seen) -> None:
    for keyword in schema.keys() & _KEYWORDS.keys():
        seen.add(keyword, path)
    if "$ref" in schema and any(not key.startswith("$") and key != "definitions" for key in schema):
        seen.add("$ref beside", path)
    values = schema.get("enum")
    if isinstance(values, list):
        if not values:
            seen.add("empty enum", path)
        elif any(not isinstance(value, str) or not value for value in values):
            seen.add("odd enum", path)
        if values and "default" in schema and schema["default"] not in values:
            seen.add("odd default", path)
    if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
        seen.add("no items", path)
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        needed = schema.get("required")
        for name in needed if isinstance(needed, list) else ():
            if isinstance(name, str) and name not in properties and schema.get("additionalProperties") is False:
                seen.add("unknown required", f"{path}.{name}" if path else name)
        for name in properties:
            if not _FIT_KEY.fullmatch(str(name)):
                seen.add("odd key", str(name))
    if required is not None:
        if not schema.keys() & _TYPED:
            seen.add("untyped", path)
        said = schema.get("description") or schema.get("title")
        if required and not said and "$ref" not in schema:
            seen.add("undescribed", path)


def _root(schema: Mapping[str, Json]) -> Iterator[Finding]:
    combined = [key for key in ("anyOf", "oneOf", "allOf", "not", "enum") if key in schema]
    if combined:
        yield Finding(
            "keyword",
            "warning",
            f"Its parameters as a whole are an {combined[0]}; OpenAI and Anthropic refuse that at the top.",
            'Callgate adds "type": "object" and sends the rest as it is; for Gemini it makes one object of all. '
            "Move the choice into a parameter to be safe.",
        )


_PARAMETERS: Final[tuple[tuple[str, str, Severity, str, str], ...]] = (
    ("empty enum", "empty-choice", "error", "{} can have no value at all.", "Its list of choices is empty: fill it."),
    ("unknown required", "unknown-required", "error", "{} {is_are} required, but there is no such parameter.",
     "No call can be right. Take it out of “required”, or describe it."),
    ("untyped", "missing-type", "warning", "{} {has_have} no type.",
     "Models then guess between text, number and list. Older Gemini models are told that it is text."),
    ("undescribed", "undescribed", "warning", "{} {is_are} required, but not described.", "Say what belongs there."),
    ("odd default", "odd-default", "warning", "The default of {} is not one of its choices.", "One of both is wrong."),
    ("no items", "missing-type", "warning", "{} {is_are} a list that does not say of what.",
     "OpenAI refuses such a list, and Callgate sends it as it is. Add “items”."),
    ("odd key", "odd-name", "warning", "{} {has_have} signs in the name, or a length, that Anthropic refuses.",
     "Callgate sends it as it is: requests that offer this tool may fail there."),
)  # fmt: skip


def _parameters(seen: _Seen) -> Iterator[Finding]:
    for kind, code, severity, words, advice in _PARAMETERS:
        if places := seen.places.get(kind):
            one = len(places) == 1
            verbs = {"is_are": "is" if one else "are", "has_have": "has" if one else "have"}
            yield Finding(code, severity, words.format(_named(places), **verbs), advice, places[0])


def _keywords(seen: _Seen) -> Iterator[Finding]:
    for keyword, (severity, who, what) in _KEYWORDS.items():
        if places := seen.places.get(keyword):
            yield Finding("keyword", severity, f"{keyword} is a keyword that {who}.", what, places[0])
    if places := seen.places.get("$ref beside"):
        yield Finding(
            "keyword",
            "hint",
            "It has a $ref with something beside it, which Gemini refuses.",
            "Callgate puts what it refers to in its place there.",
            places[0],
        )
    if places := seen.places.get("odd enum"):
        yield Finding(
            "keyword",
            "hint",
            f"{_named(places)} has choices that are not text, which older Gemini models refuse.",
            _TOLD,
            places[0],
        )


def _named(places: list[str]) -> str:
    names = [place or "the whole" for place in dict.fromkeys(places)]
    shown = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
