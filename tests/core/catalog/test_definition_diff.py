"""Whoever approved a tool can read what has become of it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from callgate.core.catalog.definition_diff import diff
from callgate.core.messages import Json
from callgate.core.tool import Annotations, Schema, Tool, ToolSpec

TOOL = Tool(
    "delete",
    "files",
    "Deletes a file.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Which."},
            "files": {"type": "array", "items": {"type": "object", "properties": {"mode": {"enum": ["a", "b"]}}}},
        },
        "required": ["path"],
    },
    annotations=Annotations(destructive=True),
)


def words(new: Tool, old: Tool = TOOL) -> list[str]:
    return [str(change) for change in diff(old, new)]


def with_schema(**more: Json) -> Tool:
    return replace(TOOL, schema={**TOOL.schema, **more})


def with_properties(**more: Json) -> Tool:
    properties = TOOL.schema["properties"]
    assert isinstance(properties, dict)
    return with_schema(properties={**properties, **more})


def test_the_same_definition_has_no_changes_whatever_the_order_of_keys() -> None:
    turned = json.loads(json.dumps(TOOL.definition, sort_keys=True))
    assert diff(TOOL, TOOL) == ()
    assert diff(TOOL, dict(reversed(turned.items()))) == ()


def test_a_changed_description_is_told_with_both_texts() -> None:
    (change,) = diff(TOOL, replace(TOOL, description="Deletes a file." + " And more." * 20))
    assert (change.path, change.kind, change.words) == ("description", "changed", "description changed")
    assert change.before == "Deletes a file."
    assert str(change.after).endswith("And more.")


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (with_properties(force={"type": "boolean"}), 'property force added: {"type": "boolean"}'),
        (with_properties(path={"type": "integer", "description": "Which."}), "type of property path changed"),
        (with_properties(path={"type": "string", "description": "All."}), "description of property path changed"),
        (with_schema(required=["path", "files"]), "property files is required now"),
        (with_schema(required=[]), "property path is no longer required"),
        (with_schema(additionalProperties=False), "additionalProperties of schema added: false"),
        (replace(TOOL, annotations=Annotations(destructive=False)), "hint destructive changed from true to false"),
        (replace(TOOL, annotations=Annotations()), "hint destructive changed from true to unsaid"),
        (replace(TOOL, name="remove"), 'name changed from "delete" to "remove"'),
        (replace(TOOL, source="other"), 'source changed from "files" to "other"'),
        (replace(TOOL, output_schema={"type": "object"}), 'schema of the result added: {"type": "object"}'),
    ],
)
def test_each_change_is_said_in_words(new: Tool, said: str) -> None:
    (spoken,) = words(new)
    assert spoken.startswith(said)


def test_what_lies_deep_is_named_by_its_property() -> None:
    new = with_properties(files={"type": "array", "items": {"type": "object", "properties": {"mode": {"enum": ["a"]}}}})
    (change,) = diff(TOOL, new)
    assert change.path == "schema.properties.files.items.properties.mode.enum"
    assert change.words == 'enum of property files[].mode: "b" removed'


def test_a_property_called_like_a_keyword_is_a_property() -> None:
    assert words(with_properties(type={"type": "string"})) == ['property type added: {"type": "string"}']
    assert words(with_properties(properties={})) == ["property properties added: {}"]


def test_alternatives_are_compared_one_by_one() -> None:
    old = with_schema(anyOf=[{"type": "string"}, {"type": "null"}])
    new = with_schema(anyOf=[{"type": "string"}, {"type": "integer"}, {}])
    assert words(new, old) == [
        'anyOf[1].type of schema changed from "null" to "integer"',
        "anyOf[2] of schema added: {}",
    ]


def test_values_that_python_takes_for_equal_are_told_apart() -> None:
    assert words(with_schema(default=1), with_schema(default=True)) == ["default of schema changed from true to 1"]


def test_another_order_of_a_list_is_a_change() -> None:
    (change,) = diff(with_schema(required=["a", "b"]), with_schema(required=["b", "a"]))
    assert (change.path, change.kind) == ("schema.required", "changed")


def test_a_stored_definition_and_a_clients_tool_can_be_compared() -> None:
    old, new = ToolSpec("bash", "Runs."), ToolSpec("bash", "Runs.", {"type": "object"})
    (change,) = diff(json.loads(json.dumps(old.definition)), new)
    assert change.path == "schema.type"


def test_a_definition_nested_beyond_reason_is_still_compared() -> None:
    def nested(core: Json) -> Schema:
        for _ in range(200):
            core = {"items": core}
        assert isinstance(core, dict)
        return core

    (change,) = diff(ToolSpec("x", schema=nested(1)), ToolSpec("x", schema=nested(2)))
    assert change.kind == "changed"


JSON = some.recursive(
    some.none() | some.booleans() | some.integers(-3, 3) | some.sampled_from([0.0, 1.0, "", "a", "required"]),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.sampled_from(["properties", "items", "required", "a", "anyOf"]), inner, max_size=3)
    ),
    max_leaves=8,
)
SCHEMAS = some.dictionaries(some.sampled_from(["properties", "required", "type"]), JSON, max_size=3)


@given(SCHEMAS, SCHEMAS)
def test_definitions_differ_exactly_when_their_fingerprints_do(old: Schema, new: Schema) -> None:
    one, other = replace(TOOL, schema=old), replace(TOOL, schema=new)
    assert bool(diff(one, other)) == (one.fingerprint != other.fingerprint)
    spec, another = ToolSpec("x", schema=old), ToolSpec("x", schema=new)
    assert bool(diff(spec, another)) == (spec.fingerprint != another.fingerprint)
