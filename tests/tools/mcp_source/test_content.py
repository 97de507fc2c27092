import mcp_types as mcp

from callgate.core.messages import Text
from callgate.core.tool import Tool
from callgate.tools.mcp_source.content import read_outcome

NUMBERS = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": {"type": "integer"}}


def result(**fields: object) -> mcp.CallToolResult:
    return mcp.CallToolResult(**{"content": [], **fields})  # type: ignore[arg-type]


def test_structured_content_alone_becomes_text_for_the_model() -> None:
    outcome = read_outcome(Tool("t", "s"), result(structured_content={"n": 1}))
    assert outcome.parts == (Text('{"n":1}'),)
    assert outcome.structured == {"n": 1}


def test_an_error_result_need_not_fit_the_output_schema() -> None:
    outcome = read_outcome(Tool("t", "s", output_schema=NUMBERS), result(is_error=True))
    assert outcome.is_error
    assert outcome.parts == ()


def test_a_breach_names_where_and_is_kept_short() -> None:
    tool = Tool("t", "s", output_schema=NUMBERS)
    outcome = read_outcome(tool, result(structured_content=dict.fromkeys("nabcd", "x")))
    words = str(outcome.parts[-1])
    assert "n: " in words
    assert "(and 2 more)" in words


def test_a_number_of_any_length_does_not_cost_the_result() -> None:
    outcome = read_outcome(Tool("t", "s"), result(structured_content={"n": 10**40}))
    assert outcome.parts == (Text(f'{{"n":{10**40}}}'),)
