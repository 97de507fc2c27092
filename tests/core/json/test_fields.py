"""A complaint about a request always names the field."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, check_schema, check_tool_name
from callgate.core.messages import Json

OBJECT = Fields(
    {
        "t": "text",
        "i": 3,
        "whole": 3.0,
        "f": 0.5,
        "b": True,
        "null": None,
        "list": [{"a": 1}, {"a": "x"}],
        "texts": ["a", "b"],
        "o": {"a": 1, "extra": 2},
    },
    "body",
)


def test_values_are_read_by_their_type() -> None:
    assert OBJECT.text("t") == "text"
    assert OBJECT.integer("i") == 3
    assert OBJECT.integer("whole") == 3
    assert OBJECT.number("f") == 0.5
    assert isinstance(OBJECT.number("i"), int)
    assert OBJECT.boolean("b") is True
    assert OBJECT.texts("texts") == ["a", "b"]
    assert OBJECT.raw("list") == [{"a": 1}, {"a": "x"}]
    assert OBJECT.items("absent") == []


def test_null_and_absent_take_the_default() -> None:
    assert OBJECT.text("null", "d") == "d"
    assert OBJECT.integer("absent", None) is None
    assert OBJECT.child("null") is None
    assert "null" not in OBJECT
    assert "t" in OBJECT


@pytest.mark.parametrize(
    ("method", "key", "expected"),
    [
        ("text", "i", "a string, but got an integer"),
        ("integer", "t", "an integer, but got a string"),
        ("integer", "b", "an integer, but got a boolean"),
        ("integer", "f", "an integer, but got a decimal"),
        ("number", "b", "a number, but got a boolean"),
        ("boolean", "i", "a boolean, but got an integer"),
        ("items", "o", "an array, but got an object"),
        ("child", "list", "an object, but got an array"),
    ],
)
def test_a_wrong_type_is_named_with_its_path(method: str, key: str, expected: str) -> None:
    with pytest.raises(BadRequest, match=expected) as caught:
        getattr(OBJECT, method)(key)
    assert caught.value.fault.param == f"body.{key}"
    assert caught.value.fault.code == "invalid_type"


@pytest.mark.parametrize("key", ["null", "absent"])
def test_a_missing_field_is_named_with_its_path(key: str) -> None:
    with pytest.raises(BadRequest, match=rf"Missing required parameter: 'body\.{key}'\.") as caught:
        OBJECT.text(key)
    assert caught.value.fault.param == f"body.{key}"
    with pytest.raises(BadRequest):
        OBJECT.needed_child(key)
    with pytest.raises(BadRequest):
        OBJECT.items(key, required=True)


def test_objects_of_a_list_know_their_place() -> None:
    with pytest.raises(BadRequest) as caught:
        OBJECT.objects("list")[1].integer("a")
    assert caught.value.fault.param == "body.list[1].a"
    with pytest.raises(BadRequest) as caught:
        Fields({"list": [1]}, join=".").objects("list")
    assert caught.value.fault.param == "list.0"


def test_a_value_outside_its_bounds_or_options_is_refused() -> None:
    with pytest.raises(BadRequest, match="below minimum"):
        OBJECT.integer("i", None, minimum=4)
    with pytest.raises(BadRequest, match="above maximum"):
        OBJECT.integer("i", None, maximum=2)
    with pytest.raises(BadRequest, match="'a', 'b'"):
        OBJECT.one_of("t", ("a", "b"), None)
    assert OBJECT.one_of("absent", ("a", "b"), "a") == "a"


def test_unknown_keys_are_handed_on() -> None:
    assert OBJECT.needed_child("o").rest("a") == {"extra": 2}


def test_a_body_that_is_no_object_is_refused() -> None:
    with pytest.raises(BadRequest, match="request body: expected an object, but got an array"):
        Fields([1])


@pytest.mark.parametrize("name", ["", "a b", "ü", "a\n", "x" * 65])
def test_a_bad_tool_name_is_refused(name: str) -> None:
    with pytest.raises(BadRequest, match="does not match pattern") as caught:
        check_tool_name(name, "tools[0].name", r"^[a-zA-Z0-9_-]{1,64}$")
    assert caught.value.fault.param == "tools[0].name"


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"type": ["object", "null"]},
        {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"type": "object", "$schema": "http://127.0.0.1:9/never-fetched"},
        {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/never-fetched"}}},
    ],
)
def test_a_valid_schema_is_handed_back_unchanged(schema: dict[str, Json]) -> None:
    assert check_schema(schema, "p") is schema


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ([], "expected an object, but got an array"),
        (True, "expected an object, but got a boolean"),
        ({"type": "string"}, "of 'type: \"object\"'"),
        ({"type": "objekt"}, "objekt"),
        ({"type": "object", "properties": {"a": {"type": "strng"}}}, r"context=\('properties', 'a', 'type'\)"),
        ({"type": "object", "required": "a"}, "required"),
    ],
)
def test_an_invalid_schema_is_refused_with_the_place_in_it(schema: Json, expected: str) -> None:
    with pytest.raises(BadRequest, match=expected) as caught:
        check_schema(schema, "tools[0].function.parameters", "f")
    assert caught.value.fault.param == "tools[0].function.parameters"
    assert "function 'f'" in caught.value.fault.message


def test_a_schema_of_absurd_depth_is_refused() -> None:
    schema: dict[str, Json] = {}
    for _ in range(200):
        schema = {"not": schema}
    with pytest.raises(BadRequest, match="nested deeper"):
        check_schema(schema, "p")
