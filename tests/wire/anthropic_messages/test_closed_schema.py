"""The part of JSON Schema that Claude can be held to."""

from copy import deepcopy

import pytest
from anthropic import transform_schema

from callgate.core.messages import Json
from callgate.wire.anthropic_messages.closed_schema import close_schema

NOTE: dict[str, Json] = {
    "type": "object",
    "title": "Note",
    "properties": {
        "words": {"type": "string", "minLength": 3, "description": "What it says"},
        "day": {"type": "string", "format": "date"},
        "colour": {"type": "string", "format": "color"},
        "stars": {"type": "integer", "minimum": 1, "maximum": 5},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 4},
        "kind": {"enum": ["a", "b"], "type": "string"},
        "one": {"const": 1, "type": "integer"},
        "place": {"$ref": "#/$defs/Place"},
        "maybe": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
        "either": {"oneOf": [{"$ref": "#/$defs/Place"}, {"type": "boolean"}]},
        "open": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["words"],
    "$defs": {"Place": {"type": "object", "properties": {"x": {"type": "number"}}, "additionalProperties": True}},
}


def test_a_schema_is_closed_as_the_official_package_closes_it() -> None:
    before = deepcopy(NOTE)
    assert _unsaid(close_schema(NOTE)) == _unsaid(transform_schema(deepcopy(NOTE)))
    assert before == NOTE, "a caller's schema must never be changed"


def test_what_there_is_no_word_for_is_told_in_the_description() -> None:
    closed = close_schema({"type": "integer", "minimum": 1, "description": "Stars"})
    assert closed == {"type": "integer", "description": "Stars\n\n{minimum: 1}"}
    assert close_schema({"type": "string", "pattern": "a|b"})["description"] == '{pattern: "a|b"}'


@pytest.mark.parametrize(
    ("given", "closed"),
    [
        (
            {"type": ["string", "null"], "title": "T"},
            {"title": "T", "anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"enum": ["a", None]}),
        ({"properties": {}}, {"type": "object", "properties": {}, "additionalProperties": False}),
        ({"items": True}, {"type": "array", "items": {}}),
        ({"$schema": "x", "$id": "y", "type": "null"}, {"type": "null"}),
        ({}, {}),
    ],
)
def test_forms_that_the_official_package_does_not_take(given: dict[str, Json], closed: dict[str, Json]) -> None:
    assert close_schema(given) == closed


def _unsaid(schema: Json) -> Json:
    """Without descriptions, in which values are spelled in another way."""
    match schema:
        case dict():
            return {key: _unsaid(value) for key, value in schema.items() if key != "description"}
        case list():
            return [_unsaid(value) for value in schema]
        case _:
            return schema
