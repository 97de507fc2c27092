from typing import Any

import pytest

from callgate.core.schema.form_planner import Planner
from callgate.ui.schema_form.start import starting_value


def test_a_form_starts_with_nothing_but_what_leaves_no_choice() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["kind", "inner", "name"],
        "properties": {
            "kind": {"const": "x"},
            "name": {"type": "string", "default": "never inserted"},
            "inner": {"type": "object", "required": ["deep"], "properties": {"deep": {"enum": [1]}}},
            "optional": {"const": "y"},
        },
    }
    assert starting_value(Planner(schema), schema) == {"kind": "x", "inner": {"deep": 1}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, ""),
        ({"type": "integer"}, 0),
        ({"type": "integer", "default": 5}, 5),
        ({"type": "boolean"}, False),
        ({"enum": ["b", "a"]}, "b"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, ""),
        ({"type": "array", "minItems": 1, "prefixItems": [{"type": "integer"}]}, [0]),
        ({}, None),
    ],
)
def test_what_a_person_adds_begins_with_its_default_else_empty(schema: Any, value: Any) -> None:
    assert starting_value(Planner({}), schema, 1) == value


def test_a_schema_that_requires_itself_ends() -> None:
    root: dict[str, Any] = {"type": "object", "required": ["me"], "properties": {"me": {"$ref": "#"}}}
    assert "me" in starting_value(Planner(root), root)  # type: ignore[operator]
