from typing import Any

import pytest

from callgate.core.schema.form_plan import BranchPlan
from callgate.core.schema.form_planner import Planner
from callgate.ui.schema_form.fit import branch_for, fits

SHAPES = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": "file"}, "path": {"type": "string"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "url"}, "url": {"type": "string"}}, "required": ["kind"]},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "string"}},
        {"type": "integer", "maximum": 10},
        {"type": "integer", "minimum": 11},
        {"type": "null"},
    ]
}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"kind": "file", "path": "x"}, 0),
        ({"kind": "url"}, 1),
        ({"kind": "url", "path": "x"}, 1),
        ({"path": "x"}, 0),
        ([1, 2], 2),
        (["a"], 3),
        (5, 4),
        (50, 5),
        (None, 6),
        ("text", None),
        (True, None),
    ],
)
def test_a_value_is_taken_for_the_shape_that_it_has(value: Any, shape: int | None) -> None:
    planner = Planner({})
    plan = planner.plan(SHAPES)
    assert isinstance(plan, BranchPlan)
    assert branch_for(planner, plan, value) == shape


@pytest.mark.parametrize(
    ("schema", "value", "suits"),
    [
        ({"type": "integer"}, True, False),
        ({"type": "integer"}, 10**40, True),
        ({"type": "number"}, 1, True),
        ({"type": "string"}, 1, False),
        ({"enum": [1]}, 1.0, False),
        ({"enum": [1]}, 1, True),
        ({"type": "boolean"}, 0, False),
        ({"type": "object"}, [], False),
        ({}, [], True),
    ],
)
def test_a_field_takes_only_what_it_can_give_back_exactly(schema: Any, value: Any, suits: bool) -> None:
    planner = Planner({})
    assert fits(planner, planner.plan(schema), value) is suits
