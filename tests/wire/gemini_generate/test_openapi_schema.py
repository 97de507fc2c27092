"""The provider's schemas as JSON Schema."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.wire.gemini_generate.openapi_schema import read_parameters, read_reply_schema, read_schema


def test_types_become_lower_case_at_every_depth_and_names_stay() -> None:
    given: Json = {
        "type": "OBJECT",
        "properties": {"TYPE": {"type": "ARRAY", "items": {"type": "STRING"}}, "any_of": {"type": "Integer"}},
        "anyOf": [{"type": "OBJECT"}],
        "default": {"type": "OBJECT"},
    }
    assert read_schema(given, "p") == {
        "type": "object",
        "properties": {"TYPE": {"type": "array", "items": {"type": "string"}}, "any_of": {"type": "integer"}},
        "anyOf": [{"type": "object"}],
        "default": {"type": "OBJECT"},
    }
    assert given["type"] == "OBJECT"  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "STRING", "nullable": False}, {"type": "string"}),
        (
            {"type": "STRING", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"any_of": [{"type": "STRING"}], "nullable": True}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": "ARRAY", "min_items": "2"}, {"type": "array", "minItems": 2}),
        ({"type": "TYPE_UNSPECIFIED"}, {}),
        (
            {"ref": "#/$defs/A", "defs": {"A": {"type": "NULL"}}},
            {"$ref": "#/$defs/A", "$defs": {"A": {"type": "null"}}},
        ),
        ({"additional_properties": {"type": "BOOLEAN"}}, {"additionalProperties": {"type": "boolean"}}),
    ],
)
def test_the_subsets_own_words_are_translated(given: Json, read: Json) -> None:
    assert read_schema(given, "p") == read


@pytest.mark.parametrize(
    "schema", ["x", {"type": "STRING"}, {"type": "OBJECT", "properties": []}, {"type": "OBJECT", "required": "a"}]
)
def test_what_is_no_schema_of_arguments_is_refused_by_name(schema: Json) -> None:
    with pytest.raises(BadRequest) as caught:
        read_parameters(schema, "tools[0].functionDeclarations[0].parameters", "f")
    assert caught.value.fault.param == "tools[0].functionDeclarations[0].parameters"
    assert "'f'" in caught.value.fault.message


def test_an_answer_need_not_be_an_object_but_must_be_described() -> None:
    assert read_reply_schema({"type": "ARRAY", "items": {"type": "STRING"}}, "p") == {
        "type": "array",
        "items": {"type": "string"},
    }
    for bad in ({"type": "NOTHING"}, "x"):
        with pytest.raises(BadRequest) as caught:
            read_reply_schema(bad, "generationConfig.responseSchema")
        assert caught.value.fault.param == "generationConfig.responseSchema"


def test_a_bottomless_schema_is_refused() -> None:
    schema: Json = {"type": "STRING"}
    for _ in range(400):
        schema = {"type": "ARRAY", "items": schema}
    with pytest.raises(BadRequest) as caught:
        read_parameters({"type": "OBJECT", "properties": {"a": schema}}, "p", "f")
    assert "deeper" in caught.value.fault.message


def test_an_order_of_properties_is_kept_by_listing_them_in_it() -> None:
    properties: Json = {"a": {"type": "STRING"}, "b": {"type": "STRING"}, "c": {"type": "STRING"}}
    read = read_schema({"type": "OBJECT", "properties": properties, "property_ordering": ["c", "gone", "a"]}, "p")
    assert isinstance(read, dict) and isinstance(read["properties"], dict)
    assert list(read["properties"]) == ["c", "a", "b"]
    assert "propertyOrdering" not in read
