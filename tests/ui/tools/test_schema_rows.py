import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.messages import Json
from callgate.ui.tools.schema_rows import SchemaRow, schema_rows, type_words


def _object(required: tuple[str, ...] = (), **properties: Json) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": list(required)}


def test_a_parameter_is_told_with_type_need_and_description() -> None:
    path: Json = {"type": "string", "description": "Where."}
    schema = _object(("path",), path=path, limit={"type": "integer", "default": 5})
    assert schema_rows(schema) == (
        SchemaRow("path", 0, "string", True, "Where."),
        SchemaRow("limit", 0, "integer", False, "", ("default 5",)),
    )


def test_nested_parameters_follow_their_parent() -> None:
    schema = _object(files={"type": "array", "items": _object(("name",), name={"type": "string"})})
    assert [(row.name, row.depth, row.type, row.required) for row in schema_rows(schema)] == [
        ("files", 0, "list of object", False),
        ("name", 1, "string", True),
    ]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, "list of list of number"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "string"}]}, "string or integer"),
        ({"enum": ["a", 1, None, True, 1.5]}, "string or integer or null or boolean or number"),
        ({}, "any"),
        ({"oneOf": [{"const": "a"}, {"const": 1}]}, "string or integer"),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
            "object of list of string",
        ),
        ({"type": "object", "additionalProperties": False}, "object"),
    ],
)
def test_types_are_told_in_words(schema: dict[str, Json], words: str) -> None:
    assert type_words(schema, schema) == words


def test_choices_and_limits_become_notes() -> None:
    schema = _object(n={"type": "integer", "enum": [1, 2], "minimum": 1, "maximum": 2, "deprecated": True})
    assert schema_rows(schema)[0].notes == ("one of 1, 2", "at least 1", "at most 2", "deprecated")


def test_choices_told_as_constants_or_for_each_item_are_told_as_choices() -> None:
    schema = _object(
        mode={"oneOf": [{"const": "fast"}, {"const": "full"}]},
        colors={"type": "array", "items": {"enum": ["red", "green"]}, "minItems": 1},
        name={"type": "string", "minLength": 1},
    )
    assert [row.notes for row in schema_rows(schema)] == [
        ('one of "fast", "full"',),
        ('each one of "red", "green"', "at least one item"),
        ("not empty",),
    ]


def test_shapes_of_which_one_is_wanted_are_kept_apart() -> None:
    circle = {"title": "circle", **_object(("radius",), radius={"type": "number"})}
    box = _object(("width",), width={"type": "number"}, height={"type": "number"})
    schema = _object(shape={"anyOf": [circle, box, {"type": "null"}]}, all={"allOf": [box]}, lone={"anyOf": [box]})
    assert [(row.name, row.depth) for row in schema_rows(schema)] == [
        ("shape", 0),
        ("either circle", 1),
        ("radius", 2),
        ("or", 1),
        ("width", 2),
        ("height", 2),
        ("all", 0),
        ("width", 1),
        ("height", 1),
        ("lone", 0),
        ("width", 1),
        ("height", 1),
    ]


def test_a_long_list_of_choices_is_cut_with_a_sign() -> None:
    schema = _object(n={"enum": list(range(100))})
    assert schema_rows(schema)[0].notes[0].endswith("23, …")


def test_a_reference_is_followed_and_a_loop_ends() -> None:
    schema: dict[str, Json] = {
        "properties": {"node": {"$ref": "#/$defs/node", "description": "The root."}},
        "$defs": {"node": _object(next={"$ref": "#/$defs/node"}, label={"type": "string"})},
    }
    rows = schema_rows(schema)
    assert (rows[0].name, rows[0].type, rows[0].description) == ("node", "object", "The root.")
    assert max(row.depth for row in rows) == 6


_KEYS = st.sampled_from(["type", "properties", "items", "enum", "required", "anyOf", "$ref", "default", "a"])
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=examples(60), deadline=None)
@given(st.dictionaries(_KEYS, _ANYTHING, max_size=5))
def test_nonsense_of_strangers_is_borne(schema: dict[str, Json]) -> None:
    assert all(row.type for row in schema_rows(schema))
