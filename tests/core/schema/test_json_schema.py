import pytest

from callgate.core.schema.json_schema import compiled, schema_problem


def nested(levels: int) -> dict:
    schema: dict = {}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"child": {"$ref": "#"}}},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "properties": {"x": {"$ref": "#/$defs/a"}}},
        nested(30),
    ],
)
def test_schemas_that_can_be_used_are_taken_also_those_with_a_cycle(schema: dict) -> None:
    assert schema_problem(schema) == ""


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "wish"}, "object"),
        ({"type": "array"}, "must describe an object"),
        ({"properties": {"a": {"type": "wish"}}}, "wish"),
        ({"properties": {"a": {"$ref": "http://127.0.0.1:1/x.json"}}}, "not fetched"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "none"),
        (nested(200), "nested deeper"),
    ],
)
def test_schemas_that_cannot_be_used_are_refused_in_words(schema: dict, says: str) -> None:
    assert says in schema_problem(schema)


def test_a_dialect_of_somebodys_own_is_read_as_the_usual_one() -> None:
    schema = {"$schema": "https://example.org/mine", "type": "object", "required": ["a"]}
    assert schema_problem(schema) == ""
    assert not compiled(schema).is_valid({})


def test_a_result_may_be_anything_and_arguments_are_an_object() -> None:
    assert schema_problem({"type": "array"}, of_arguments=False) == ""
