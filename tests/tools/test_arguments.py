import pytest

from callgate.core.tool import Tool
from callgate.tools.arguments import ArgumentChecker, BadArguments

TOOL = Tool(
    "search",
    "a",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string"}, "limits": {"type": "array", "items": {"type": "integer"}}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


def test_valid_arguments_come_out_as_they_are() -> None:
    assert ArgumentChecker().read(TOOL, '{"query":"x","limits":[1]}') == {"query": "x", "limits": [1]}


def test_no_arguments_are_an_empty_object() -> None:
    assert ArgumentChecker().read(Tool("now", "a"), "") == {}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("{", "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("{}", '"query" is a required property'),
        ('{"query":1}', "query: 1 is not of type"),
        ('{"query":"x","limits":["1"]}', 'limits\\[0\\]: "1" is not of type'),
        ('{"query":"x","more":1}', "Additional properties"),
    ],
)
def test_bad_arguments_say_what_is_wrong_and_where(arguments: str, says: str) -> None:
    with pytest.raises(BadArguments, match=says):
        ArgumentChecker().read(TOOL, arguments)


def test_a_schema_elsewhere_is_never_fetched() -> None:
    tool = Tool("f", "a", schema={"properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}})
    with pytest.raises(BadArguments, match="schema"):
        ArgumentChecker().read(tool, '{"x":1}')
