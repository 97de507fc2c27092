"""JSON Schema as the old OpenAPI subset."""

import copy

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json
from callgate.wire.gemini_generate.schema_subset import write_reply_subset, write_subset


def one(schema: Json) -> Json:
    """A property's schema on the way through."""
    written = write_subset({"type": "object", "properties": {"p": schema}})
    assert written is not None
    return written["properties"]["p"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"const": "a"}, {"type": "STRING", "enum": ["a"]}),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
        ({"type": ["string", "null"]}, {"type": "STRING", "nullable": True}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "INTEGER", "nullable": True}),
        (
            {"type": ["string", "integer", "null"]},
            {"anyOf": [{"type": "STRING", "nullable": True}, {"type": "INTEGER", "nullable": True}]},
        ),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "INTEGER", "minimum": 1}),
        ({"type": "integer", "exclusiveMaximum": 9}, {"type": "INTEGER", "maximum": 8}),
        ({"type": "integer", "minimum": 3, "exclusiveMinimum": True}, {"type": "INTEGER", "minimum": 4}),
        ({"type": "number", "exclusiveMinimum": 0}, {"type": "NUMBER", "minimum": 0, "description": "(> 0)"}),
        ({"type": "integer", "enum": [1, 2]}, {"type": "INTEGER", "description": "(one of: 1, 2)"}),
        ({"type": "string", "enum": ["", "a"]}, {"type": "STRING", "description": '(one of: "", "a")'}),
        ({"enum": ["a", None]}, {"type": "STRING", "enum": ["a"], "nullable": True}),
        ({"type": "array"}, {"type": "ARRAY", "items": {"type": "STRING"}}),
        (
            {"prefixItems": [{"type": "string"}, {"type": "integer"}]},
            {"type": "ARRAY", "items": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}},
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "OBJECT"}),
        ({"type": "string", "format": "date-time"}, {"type": "STRING", "format": "date-time"}),
        (
            {"type": "string", "format": "email", "description": "Who."},
            {"type": "STRING", "description": "Who. (format: email)"},
        ),
        ({"type": "integer", "multipleOf": 5}, {"type": "INTEGER", "description": "(a multiple of 5)"}),
        ({}, {"type": "STRING"}),
        (True, {"type": "STRING"}),
        ({"$ref": "#/nowhere"}, {"type": "OBJECT"}),
    ],
)
def test_each_keyword_is_said_in_other_words_or_in_the_description(schema: Json, written: Json) -> None:
    before = copy.deepcopy(schema)
    assert one(schema) == written
    assert schema == before


def test_unknown_keywords_are_left_out_and_properties_named_like_them_stay() -> None:
    written = write_subset(
        {
            "$schema": "https://json-schema.org/draft-07/schema#",
            "$id": "x",
            "type": "object",
            "properties": {"const": {"type": "string"}, "$ref": {"type": "string", "uniqueItems": False, "x-y": 1}},
            "required": ["const", "gone"],
            "additionalProperties": False,
            "patternProperties": {},
        }
    )
    assert written == {
        "type": "OBJECT",
        "properties": {"const": {"type": "STRING"}, "$ref": {"type": "STRING"}},
        "required": ["const"],
    }


def test_references_are_put_in_place_and_a_cycle_becomes_an_object() -> None:
    node: dict[str, Json] = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}, "name": {"$ref": "#/$defs/Name", "description": "Its name."}},
    }
    written = write_subset({"$ref": "#/$defs/Node", "$defs": {"Node": node, "Name": {"type": "string"}}})
    assert written == {
        "type": "OBJECT",
        "properties": {"next": {"type": "OBJECT"}, "name": {"type": "STRING", "description": "Its name."}},
    }


def test_what_stands_beside_alternatives_is_said_in_each() -> None:
    schema: Json = {"description": "An id.", "anyOf": [{"type": "string"}, {"type": "integer", "description": "Old."}]}
    assert one(schema) == {
        "anyOf": [{"type": "STRING", "description": "An id."}, {"type": "INTEGER", "description": "Old."}]
    }


def test_arguments_that_are_alternatives_become_one_object() -> None:
    written = write_subset(
        {
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "anyOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["kind", "a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b", "kind"]},
            ],
        }
    )
    assert written is not None
    assert set(written["properties"]) == {"kind", "a", "b"}  # type: ignore[arg-type]
    assert written["required"] == ["kind"]


def test_schemas_that_must_all_hold_become_one() -> None:
    assert one({"allOf": [{"type": "string"}, {"minLength": 2}], "description": "x"}) == {
        "type": "STRING",
        "minLength": 2,
        "description": "x",
    }


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}, {"$ref": "#"}])
def test_arguments_without_properties_are_left_out(schema: dict[str, Json]) -> None:
    assert write_subset(schema) is None


def test_an_answer_may_be_a_list() -> None:
    assert write_reply_subset({"type": "array", "items": {"type": "number"}}) == {
        "type": "ARRAY",
        "items": {"type": "NUMBER"},
    }


def test_a_schema_that_doubles_at_every_step_is_refused() -> None:
    definitions: dict[str, Json] = {
        f"d{level}": {"type": "object", "properties": {s: {"$ref": f"#/$defs/d{level + 1}"} for s in "lr"}}
        for level in range(40)
    }
    with pytest.raises(Unspeakable):
        write_subset({"$ref": "#/$defs/d0", "$defs": {**definitions, "d40": {"type": "string"}}})
