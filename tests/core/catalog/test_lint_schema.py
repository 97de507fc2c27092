import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.catalog.lint_schema import lint_schema
from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.wire.gemini_generate.json_schema import write_json_schema
from callgate.wire.gemini_generate.schema_subset import write_subset


def _found(**properties: Json) -> list[tuple[str, str, str]]:
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    return [(finding.code, finding.severity, finding.where) for finding in lint_schema(Tool("t", "s", "d", schema))]


def test_a_plain_schema_has_no_findings() -> None:
    assert _found(path={"type": "string", "description": "Where."}, limit={"type": "integer"}) == []


def test_a_parameter_without_a_type_is_found_by_its_path() -> None:
    assert _found(filter={"type": "object", "properties": {"since": {"description": "When."}}}) == [
        ("missing-type", "warning", "filter.since")
    ]


def test_a_required_parameter_must_be_described() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"],
    }
    (found,) = lint_schema(Tool("t", "s", "d", schema))
    assert (found.code, found.where, found.words) == ("undescribed", "a", "a is required, but not described.")


@pytest.mark.parametrize(
    ("schema", "code", "severity"),
    [
        ({"type": "string", "enum": []}, "empty-choice", "error"),
        ({"type": "string", "enum": ["a"], "default": "b"}, "odd-default", "warning"),
        ({"type": "array"}, "missing-type", "warning"),
        ({"type": "integer", "enum": [1, 2]}, "keyword", "hint"),
        ({"type": "string", "const": "x"}, "keyword", "hint"),
        ({"oneOf": [{"type": "string"}]}, "keyword", "hint"),
        ({"type": "number", "exclusiveMinimum": 0}, "keyword", "hint"),
        ({"type": "object", "patternProperties": {"x": {"type": "string"}}}, "keyword", "hint"),
        ({"$ref": "#/$defs/x", "description": "Beside it."}, "keyword", "hint"),
    ],
)
def test_what_providers_refuse_is_found(schema: dict[str, Json], code: str, severity: str) -> None:
    assert (code, severity, "p") in _found(p=schema)


def test_a_choice_of_whole_parameter_lists_is_found() -> None:
    (found,) = lint_schema(Tool("t", "s", "d", {"anyOf": [{"type": "object"}, {"type": "object"}]}))
    assert found.severity == "warning" and "anyOf" in found.words


def test_a_required_parameter_that_is_not_there_is_found() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["b"],
        "additionalProperties": False,
    }
    assert [found.code for found in lint_schema(Tool("t", "s", "d", schema))] == ["unknown-required"]


def test_a_property_named_like_a_keyword_is_no_keyword() -> None:
    assert _found(const={"type": "string"}, oneOf={"type": "string"}) == []


def test_many_places_are_counted_not_listed() -> None:
    (found,) = lint_schema(
        Tool("t", "s", "d", {"type": "object", "properties": {f"p{number}": {} for number in range(9)}})
    )
    assert found.words == "p0, p1, p2, p3 and 5 more have no type."


def test_what_is_said_of_callgate_is_what_its_codecs_do() -> None:
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "fixed": {"const": "x"},
            "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "whole": {"type": "integer", "exclusiveMinimum": 0},
            "even": {"type": "integer", "multipleOf": 2},
        },
    }
    new = write_json_schema(schema)
    assert "$schema" not in new and new["properties"]["fixed"] == {"enum": ["x"]}  # type: ignore[index,call-overload]
    old = write_subset(schema)
    assert old is not None
    properties = old["properties"]
    assert "anyOf" in properties["either"] and properties["whole"]["minimum"] == 1  # type: ignore[index,call-overload]
    assert "multiple of 2" in properties["even"]["description"]  # type: ignore[index,call-overload]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["properties", "items", "enum", "required", "allOf", "type", "a"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@settings(deadline=None, max_examples=examples(60))
@given(st.dictionaries(st.sampled_from(["properties", "items", "enum", "required", "anyOf", "not"]), _JSON, max_size=4))
def test_nonsense_of_strangers_is_borne(schema: dict[str, Json]) -> None:
    for found in lint_schema(Tool("t", "s", "d", schema)):
        assert found.words and found.advice
