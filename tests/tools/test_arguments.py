import pytest

from callgate.core.tool import Tool
from callgate.tools.arguments import ArgumentChecker, BadArguments

TOOL = Tool(
    "search",
    "a",
    schema={
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limits": {"type": "array", "items": {"type": "integer"}},
            "order": {"enum": ["up", "down", "left", "right", None]},
            "when": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        },
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
        ('{"query":"x","more":1}', r"'more' was unexpected\); it takes query, limits, order, when"),
        ('{"query":"x","order":"sideways"}', 'order: "sideways" is not one of "up", "down", "left", "right", null'),
        ('{"query":"x","when":[]}', r'when: .*\(1\) \[\] is not of type "string", \(2\) \[\] is not of type "integer"'),
        ('{"query":"x","query":"y"}', "'query' is there more than once"),
        ('{"query":"x","when":123456789012345678901234567890}', "too many digits to be passed on exactly"),
        ('{"query":"x","limits":[-9223372036854775809]}', "-9223372036854775809 has too many digits"),
        ('{"query":"x","limits":["1","2","3","4","5","6","7"]}', "and 2 more$"),
        ('{"query":' + "[" * 990 + "]" * 990 + "}", "nested too deeply|is not of type"),
    ],
)
def test_bad_arguments_say_what_is_wrong_and_where(arguments: str, says: str) -> None:
    with pytest.raises(BadArguments, match=says):
        ArgumentChecker().read(TOOL, arguments)


def test_a_schema_elsewhere_is_never_fetched() -> None:
    tool = Tool("f", "a", schema={"properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}})
    with pytest.raises(BadArguments, match="schema"):
        ArgumentChecker().read(tool, '{"x":1}')


def test_a_complaint_about_a_whole_file_is_short_and_still_says_what_is_wrong() -> None:
    with pytest.raises(BadArguments) as bad:
        ArgumentChecker().read(TOOL, '{"query":"x","limits":["' + "y" * 100_000 + '"]}')
    assert len(str(bad.value)) < 500
    assert str(bad.value).endswith('is not of type "integer"')


def test_what_fits_two_forms_at_once_is_said_as_that() -> None:
    tool = Tool("f", "a", schema={"properties": {"x": {"oneOf": [{"type": "string"}, {"minLength": 1}]}}})
    with pytest.raises(BadArguments, match="more than one"):
        ArgumentChecker().read(tool, '{"x":"a"}')


def test_the_largest_numbers_that_can_be_passed_on_are() -> None:
    sent = '{"query":"x","limits":[18446744073709551615,-9223372036854775808]}'
    assert ArgumentChecker().read(TOOL, sent)["limits"] == [18446744073709551615, -9223372036854775808]


def test_a_definition_is_compiled_once_and_very_many_are_not_all_kept() -> None:
    checker = ArgumentChecker()
    tools = [Tool(f"t{number}", "a", schema={"type": "object"}) for number in range(1100)]
    for tool in tools:
        checker.check(tool, {})
    assert checker._validator(tools[-1]) is checker._validator(tools[-1])
    assert len(checker._compiled) == 1000
