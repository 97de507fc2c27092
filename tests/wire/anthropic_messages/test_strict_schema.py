"""Schemas that the provider can hold a model to."""

from copy import deepcopy
from typing import Any

import pytest
from anthropic import transform_schema

from callgate.core.messages import Json
from callgate.wire.anthropic_messages.strict_schema import is_strict, write_strict

POINT: dict[str, Any] = {
    "type": "object",
    "properties": {"x": {"type": "integer", "minimum": 0, "description": "from the left"}, "y": {"type": "number"}},
    "required": ["x"],
}
CLOSED: dict[str, Json] = {
    "type": "object",
    "properties": {"when": {"type": "string", "format": "date-time"}, "tags": {"type": "array", "minItems": 1}},
    "required": ["when", "tags"],
    "additionalProperties": False,
}


def test_every_object_is_closed_and_bounds_are_said_in_words() -> None:
    before = deepcopy(POINT)
    assert write_strict(POINT) == {
        "type": "object",
        "properties": {
            "x": {"type": "integer", "description": "from the left\n\n{minimum: 0}"},
            "y": {"type": "number"},
        },
        "required": ["x"],
        "additionalProperties": False,
    }
    assert before == POINT


@pytest.mark.parametrize(
    "schema",
    [
        POINT,
        {"type": "array", "items": POINT, "minItems": 3, "maxItems": 4},
        {"type": "array", "items": {"type": "string", "minLength": 1, "format": "ipv4"}, "minItems": 1},
        {"type": "object", "properties": {"p": {"$ref": "#/$defs/P", "description": "d"}}, "$defs": {"P": POINT}},
        {"anyOf": [POINT, {"type": "null"}]},
        {"oneOf": [POINT, {"type": "string"}]},
        {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
    ],
)
def test_what_is_refused_is_gone_as_the_official_package_has_it(schema: dict[str, Any]) -> None:
    """The package closes the same objects and leaves the same keywords, whatever its words for the others are."""
    assert _without_words(write_strict(schema)) == _without_words(transform_schema(schema))


def test_a_property_named_like_a_keyword_is_a_property() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"minimum": {"type": "integer"}, "$ref": {"type": "null"}},
    }
    assert write_strict(schema)["properties"] == schema["properties"]


def test_what_is_taken_as_it_is_is_known() -> None:
    assert is_strict(CLOSED)
    assert is_strict({"$schema": "https://json-schema.org/draft/2020-12/schema", **CLOSED})
    assert not is_strict(POINT)
    assert not is_strict({**CLOSED, "properties": {"when": {"type": "integer", "maximum": 5}}})


def _without_words(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_words(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _without_words(item) for key, item in value.items() if key != "description"}
