import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.upstream.schemas import objects

from callgate.core.messages import Json
from callgate.upstream.demo_schema import DemoSchema

RECURSIVE: dict[str, Json] = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/node"}},
    "required": ["node"],
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"name": {"type": "string", "minLength": 2}, "next": {"$ref": "#/$defs/node"}},
            "required": ["name"],
        }
    },
}


@given(objects())
def test_what_is_assumed_fits(schema: dict[str, Json]) -> None:
    jsonschema_rs.validate(schema, DemoSchema(schema).assume(schema))


def test_references_are_followed_inside_the_schema() -> None:
    assert DemoSchema(RECURSIVE).assume(RECURSIVE) == {"node": {"name": "xx"}}


def test_a_schema_that_needs_itself_for_ever_still_ends() -> None:
    endless: dict[str, Json] = {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}}},
    }
    assert isinstance(DemoSchema(endless).assume(endless), dict)


def test_a_reference_elsewhere_is_never_fetched() -> None:
    remote: dict[str, Json] = {"$ref": "http://127.0.0.1:9/schema"}
    assert DemoSchema(remote).accepts("anything", remote)


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": ["null", "number"]}, "number"),
        ({"anyOf": [{"type": "null"}, {"type": "boolean"}]}, "boolean"),
        ({"properties": {}}, "object"),
        ({"items": {}}, "array"),
        ({}, "string"),
    ],
)
def test_the_kind_of_a_part_is_told_or_guessed(part: dict[str, Json], kind: str) -> None:
    assert DemoSchema({}).kind(part) == kind


def test_all_of_is_merged() -> None:
    schema = DemoSchema(
        {"allOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}
    )
    assert list(schema.properties()) == ["a", "b"]
    assert schema.required() == ["a", "b"]


@pytest.mark.parametrize(
    ("found", "part", "reading"),
    [
        ("7", {"type": "integer"}, 7),
        ("1.5", {"type": "number"}, 1.5),
        ("Yes", {"type": "boolean"}, True),
        ("a, b", {"type": "array"}, ["a", "b"]),
        ('{"a":1}', {"type": "object"}, {"a": 1}),
        ("CELSIUS", {"enum": ["celsius"]}, "celsius"),
        ("2", {"enum": [1, 2]}, 2),
    ],
)
def test_a_found_text_is_read_as_the_schema_demands(found: str, part: dict[str, Json], reading: Json) -> None:
    assert DemoSchema({}).readings(found, part)[0] == reading


@given(st.text(max_size=20))
def test_any_text_can_be_tried_as_anything(text: str) -> None:
    for kind in ("integer", "number", "boolean", "object", "array", "string"):
        assert isinstance(DemoSchema({}).readings(text, {"type": kind}), list)
