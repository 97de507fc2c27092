"""A tool's arguments as one plain object, whatever its author made of them."""

from copy import deepcopy
from typing import Any

import pytest

from callgate.core.schema.plain_arguments import plain_arguments
from callgate.core.tool import Tool

TEXT = {"type": "string"}
RAW = {"type": "object", "properties": {"raw": TEXT}, "required": ["raw"]}
PARTS = {"type": "object", "properties": {"to": TEXT, "subject": TEXT}, "required": ["to", "subject"]}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"anyOf": TEXT, "$ref": TEXT, "not": TEXT}},
        {"type": "object", "properties": {"a": {"anyOf": [TEXT, {"type": "null"}]}}, "$defs": {"A": RAW}},
    ],
)
def test_what_is_plain_stays_the_very_same(schema: dict[str, Any]) -> None:
    assert plain_arguments(schema) is schema


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_alternatives_become_one_object_and_what_each_needs_is_said(keyword: str) -> None:
    schema: dict[str, Any] = {"type": "object", "description": "A draft.", keyword: [RAW, PARTS]}
    before = deepcopy(schema)
    assert plain_arguments(schema) == {
        "type": "object",
        "description": "A draft. (required: raw, or to and subject)",
        "properties": {"raw": TEXT, "to": TEXT, "subject": TEXT},
    }
    assert schema == before


def test_what_all_alternatives_need_is_required() -> None:
    kinds = [
        {"properties": {"kind": {"const": "a"}, "x": TEXT}, "required": ["kind", "x"]},
        {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
    ]
    found = plain_arguments({"anyOf": kinds, "properties": {"dry": {"type": "boolean"}}, "required": ["dry"]})
    assert found["required"] == ["dry", "kind"]
    assert found["description"] == "(required: x, or nothing more)"
    assert list(found["properties"]) == ["kind", "x", "dry"]  # type: ignore[call-overload]


def test_a_reference_and_all_its_parts_are_put_in_place() -> None:
    schema = {"$ref": "#/$defs/Both", "$defs": {"Both": {"allOf": [{"$ref": "#/$defs/Raw"}, PARTS]}, "Raw": RAW}}
    found = plain_arguments(schema)
    assert found["type"] == "object"
    assert found["properties"] == {**PARTS["properties"], **RAW["properties"]}  # type: ignore[dict-item]
    assert set(found["required"]) == {"raw", "to", "subject"}  # type: ignore[arg-type]
    assert found["$defs"] == schema["$defs"]


def test_a_root_that_may_be_null_is_an_object() -> None:
    assert plain_arguments({"type": ["object", "null"], "properties": {"a": TEXT}})["type"] == "object"


def test_conditions_are_told_in_words() -> None:
    schema = {**RAW, "if": {"required": ["a"]}, "then": {"required": ["b"]}, "not": {"required": ["c"]}}
    found = plain_arguments(schema)
    assert not {"if", "then", "not"} & set(found)
    assert found["description"] == '(not: {"required":["c"]}; if: {"required":["a"]}; then: {"required":["b"]})'


@pytest.mark.parametrize(
    "schema", [{"$ref": "#"}, {"$ref": "#/$defs/none"}, {"anyOf": [{"$ref": "#"}]}, {"anyOf": []}, {"allOf": [True]}]
)
def test_what_leads_nowhere_is_an_object_of_anything(schema: dict[str, Any]) -> None:
    assert plain_arguments(schema)["type"] == "object"


def test_tools_of_the_catalog_are_offered_as_plain_objects_and_keep_their_own_schema() -> None:
    tool = Tool("draft", "mail", schema={"oneOf": [RAW, PARTS]})
    assert "oneOf" not in (tool.spec.schema or {})
    assert "oneOf" in tool.schema
