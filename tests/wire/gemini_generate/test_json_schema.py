"""JSON Schema as the provider takes it."""

import copy

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json
from callgate.wire.gemini_generate.json_schema import write_json_schema

CITY: dict[str, Json] = {"type": "string", "description": "A city."}


def test_what_is_known_goes_through_unchanged() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": ["integer", "null"], "minimum": 1}, "b": {"$ref": "#/$defs/City"}},
        "$defs": {"City": CITY},
        "required": ["a"],
        "additionalProperties": False,
        "oneOf": [{"required": ["a"]}],
    }
    before = copy.deepcopy(schema)
    assert write_json_schema(schema) == schema == before


def test_the_draft_is_left_out_but_a_property_of_that_name_stays() -> None:
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {"$schema": CITY, "allOf": {"type": "array", "items": {"$comment": "x", "const": 1}}},
    }
    assert write_json_schema(schema) == {
        "properties": {"$schema": CITY, "allOf": {"type": "array", "items": {"enum": [1]}}}
    }


def test_what_the_provider_does_not_know_is_said_in_the_description() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {
            "replace_all": {"type": "boolean", "description": "Replace all.", "default": False},
            "name": {"type": "string", "minLength": 1, "pattern": "^ü"},
            "default": {"type": "number", "exclusiveMinimum": 0},
            "flag": {"const": True},
        },
        "propertyNames": {"pattern": "^x"},
    }
    assert write_json_schema(schema) == {
        "type": "object",
        "properties": {
            "replace_all": {"type": "boolean", "description": "Replace all. (default: false)"},
            "name": {"type": "string", "description": 'minLength: 1; pattern: "^ü"'},
            "default": {"type": "number", "description": "exclusiveMinimum: 0"},
            "flag": {"description": "const: true"},
        },
        "description": 'propertyNames: {"pattern":"^x"}',
    }


def test_bounds_of_whole_numbers_are_included() -> None:
    schema: dict[str, Json] = {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}
    assert write_json_schema(schema) == {"type": "integer", "minimum": 1, "maximum": 8}


def test_a_reference_with_something_beside_it_is_put_in_place() -> None:
    schema: dict[str, Json] = {
        "properties": {"from": {"$ref": "#/$defs/City", "description": "Where from."}},
        "$defs": {"City": CITY},
    }
    assert write_json_schema(schema)["properties"] == {"from": {"type": "string", "description": "Where from."}}


def test_a_cycle_stays_a_bare_reference() -> None:
    node: dict[str, Json] = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node", "description": "The next one."}},
    }
    written = write_json_schema({"$ref": "#/$defs/Node", "$defs": {"Node": node}})
    assert written["$ref"] == "#/$defs/Node"
    inner = written["$defs"]["Node"]["properties"]["next"]  # type: ignore[index,call-overload]
    assert inner["properties"]["next"] == {"$ref": "#/$defs/Node"}  # type: ignore[index,call-overload]


def test_old_definitions_get_their_new_name() -> None:
    written = write_json_schema({"properties": {"a": {"$ref": "#/definitions/City"}}, "definitions": {"City": CITY}})
    assert written == {"properties": {"a": {"$ref": "#/$defs/City"}}, "$defs": {"City": CITY}}


def test_schemas_that_must_all_hold_become_one() -> None:
    written = write_json_schema(
        {
            "allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": True}, "required": ["b"]}],
            "$defs": {"A": {"properties": {"a": CITY}, "required": ["a"]}},
        }
    )
    assert written["properties"] == {"a": CITY, "b": {}}
    assert sorted(written["required"]) == ["a", "b"]  # type: ignore[arg-type]
    assert "allOf" not in written


def test_a_schema_that_must_be_itself_and_more_ends() -> None:
    looped: dict[str, Json] = {"allOf": [{"$ref": "#"}, {"type": "object"}]}
    assert write_json_schema(looped) == {"type": "object"}


def test_a_schema_that_doubles_at_every_step_is_refused() -> None:
    definitions: dict[str, Json] = {
        f"d{level}": {
            "type": "object",
            "properties": {side: {"$ref": f"#/$defs/d{level + 1}", "title": side} for side in "lr"},
        }
        for level in range(40)
    }
    with pytest.raises(Unspeakable):
        write_json_schema({"$ref": "#/$defs/d0", "title": "bomb", "$defs": {**definitions, "d40": CITY}})
