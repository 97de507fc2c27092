from typing import Any

import pytest

from callgate.core.schema.form_check import MOST_PROBLEMS, FormChecker

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["a"],
    "additionalProperties": False,
    "properties": {
        "a": {"type": "integer"},
        "0": {"type": "string"},
        "list": {"type": "array", "items": {"type": "object", "required": ["x"]}},
        "shape": {
            "anyOf": [
                {"type": "object", "required": ["k"], "properties": {"k": {"const": 1}, "v": {"type": "string"}}},
                {"type": "string"},
            ]
        },
    },
}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({}, ("a",)),
        ({"a": "x"}, ("a",)),
        ({"a": 1, "b": 2}, ("b",)),
        ({"a": 1, "list": [{"x": 1}, {}]}, ("list", 1, "x")),
        ({"a": 1, "shape": {"k": 1, "v": 5}}, ("shape", "v")),
        ({"a": 1, "shape": 7}, ("shape",)),
        ({"a": 1, "0": 5}, ("0",)),
        ([], ()),
    ],
)
def test_a_problem_stands_at_the_field_to_mend(value: Any, path: tuple[str | int, ...]) -> None:
    assert [problem.path for problem in FormChecker(SCHEMA).problems(value)] == [path]


def test_a_missing_field_is_told_from_a_wrong_one() -> None:
    assert FormChecker(SCHEMA).problems({})[0].missing
    assert not FormChecker(SCHEMA).problems({"a": ""})[0].missing


def test_a_schema_that_can_not_be_used_is_the_problem() -> None:
    checker = FormChecker({"type": "nonsense"})
    assert checker.fault
    assert checker.problems({})[0].message == checker.fault
    assert "fetched" in FormChecker({"$ref": "https://example.com/x"}).fault


def test_half_a_letter_is_a_problem_and_no_crash() -> None:
    assert FormChecker({}).problems({"a": [1, "\ud800"]})[0].path == ("a", 1)
    assert FormChecker({}).problems({"\ud800": 1})[0].path == ()


def test_a_long_list_of_bad_items_is_cut() -> None:
    found = FormChecker({"items": {"type": "string"}}).problems([1] * 50_000)
    assert MOST_PROBLEMS <= len(found) < MOST_PROBLEMS + 10
