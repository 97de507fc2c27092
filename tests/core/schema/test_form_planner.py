import time
from typing import Any

import pytest

from callgate.core.schema.form_plan import BranchPlan, ChoicePlan, ListPlan, NumberPlan, ObjectPlan, RawPlan, TextPlan
from callgate.core.schema.form_planner import Planner


def planned(schema: Any, root: Any = None) -> Any:
    return Planner(root or {}).plan(schema)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "text"),
        ({"type": "integer"}, "number"),
        ({"type": "boolean"}, "flag"),
        ({"type": "null"}, "null"),
        ({"enum": [1, "a"]}, "choice"),
        ({"const": 3}, "choice"),
        ({"type": "object"}, "object"),
        ({"properties": {}}, "object"),
        ({"items": {}}, "list"),
        ({"minimum": 3}, "number"),
        ({"pattern": "x"}, "text"),
        ({"type": ["string", "null"]}, "branches"),
        ({}, "raw"),
        (True, "raw"),
        (False, "raw"),
        ({"$ref": "https://example.com/x"}, "raw"),
        ("nonsense", "raw"),
    ],
)
def test_each_schema_gets_the_field_that_suits_it(schema: Any, kind: str) -> None:
    assert planned(schema).kind == kind


def test_a_schema_elsewhere_is_never_fetched_and_says_why_there_is_no_field() -> None:
    plan = planned({"$ref": "https://example.com/x"})
    assert isinstance(plan, RawPlan)
    assert "elsewhere" in plan.why


def test_choices_of_constants_become_one_choice_with_their_titles() -> None:
    plan = planned({"oneOf": [{"const": 1, "title": "one"}, {"const": 2}, {"enum": ["x"]}]})
    assert isinstance(plan, ChoicePlan)
    assert [(choice.label, choice.value) for choice in plan.choices] == [("one", 1), ("2", 2), ("x", "x")]


def test_text_is_quoted_only_where_it_could_be_mistaken() -> None:
    assert [choice.label for choice in planned({"enum": ["a", "b"]}).choices] == ["a", "b"]
    assert [choice.label for choice in planned({"enum": ["1", 1]}).choices] == ['"1"', "1"]


def test_shapes_are_told_apart_by_title_name_or_telling_field() -> None:
    root = {"$defs": {"Dog": {"type": "object"}}}
    shapes = [{"$ref": "#/$defs/Dog"}, {"title": "Cat", "type": "object"}, {"properties": {"k": {"const": "bird"}}}]
    plan = planned({"anyOf": [*shapes, {"type": "string"}]}, root)
    assert isinstance(plan, BranchPlan)
    assert [branch.label for branch in plan.branches] == ["Dog", "Cat", "k: bird", "text"]


def test_branches_that_only_add_conditions_leave_one_object() -> None:
    plan = planned({"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert isinstance(plan, ObjectPlan)
    assert [known.name for known in plan.properties] == ["a", "b"]


def test_a_branch_that_contradicts_what_stands_around_it_is_not_offered() -> None:
    plan = planned({"type": "string", "anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 2}]})
    assert isinstance(plan, TextPlan)


def test_fields_that_conditions_speak_of_are_offered_too() -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"size": {"type": "integer"}}},
        "dependentSchemas": {"kind": {"properties": {"more": {"type": "string"}}}},
    }
    assert [known.name for known in planned(schema).properties] == ["kind", "size", "more"]


def test_a_field_not_listed_gets_the_schema_of_its_pattern_else_of_all_others() -> None:
    planner = Planner({})
    schema = {
        "type": "object",
        "properties": {"a": {"type": "null"}},
        "patternProperties": {"^x-": {"type": "integer"}, "(a+)+$": {"type": "string"}},
        "additionalProperties": {"type": "boolean"},
    }
    plan = planner.plan(schema)
    assert isinstance(plan, ObjectPlan)
    assert planner.field_schema(plan, "x-1") == {"type": "integer"}
    assert planner.field_schema(plan, "other") == {"type": "boolean"}
    assert planner.field_schema(plan, "a") == {"type": "null"}


def test_a_hostile_pattern_takes_no_time() -> None:
    planner = Planner({})
    plan = planner.plan({"type": "object", "patternProperties": {"^(a|a)*(a|a)*(a|a)*b$": {"type": "string"}}})
    assert isinstance(plan, ObjectPlan)
    before = time.process_time()
    planner.field_schema(plan, "a" * 60)
    assert time.process_time() - before < 1


def test_lists_keep_the_schemas_of_their_first_items() -> None:
    new = planned({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False})
    old = planned({"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": False})
    assert isinstance(new, ListPlan)
    assert (new.first, new.rest) == (old.first, old.rest)
    assert new.takes_more(1)
    assert not new.takes_more(2)
    assert not planned({"type": "array", "maxItems": 3}).takes_more(3)


def test_a_schema_that_contains_itself_is_planned_as_far_as_one_looks() -> None:
    root = {"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}}
    planner = Planner(root)
    plan = planner.plan({"$ref": "#/$defs/node"})
    for _ in range(50):
        assert isinstance(plan, ObjectPlan)
        plan = planner.plan(plan.properties[0].schema)


def test_a_required_field_that_is_not_described_is_there_all_the_same() -> None:
    plan = planned({"type": "object", "required": ["a"]})
    assert [(known.name, known.required) for known in plan.properties] == [("a", True)]


def test_what_a_field_says_of_itself_is_kept_in_words() -> None:
    plan = planned({"type": "integer", "minimum": 1, "maximum": 5, "default": 3, "description": "How many"})
    assert isinstance(plan, NumberPlan)
    assert plan.about.notes == ("at least 1", "at most 5")
    assert (plan.about.default, plan.about.description, plan.about.kind) == (3, "How many", "whole number")
