"""The estimate against counts that the providers have published; against the tokenizer itself where it is installed."""

import pytest

from callgate.core.catalog.token_cost import TokenCost, text_tokens, token_cost, total_cost
from callgate.core.messages import Json
from callgate.core.tool import Tool, ToolSpec
from callgate.store.files.tokenizer_files import places

LOCATION: dict[str, Json] = {"type": "string", "description": "The city and state, e.g. San Francisco, CA"}
UNIT: dict[str, Json] = {
    "type": "string",
    "description": "The unit of temperature to return",
    "enum": ["celsius", "fahrenheit"],
}
_TABLES = places({})
ABOUT = "Get the current weather in a given location"


def _schema(**properties: Json) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": ["location"]}


@pytest.mark.parametrize(
    ("text", "tokens", "off"),
    [
        ("antidisestablishmentarianism", 6, 0),
        ("2 + 2 = 4", 7, 0),
        ("お誕生日おめでとう", 8, 0),
        ("tiktoken is great!", 6, 2),
        ("You are a helpful assistant that can answer to questions about the weather.", 14, 0),
        ("", 0, 0),
    ],
)
def test_texts_are_counted_about_as_o200k_counts_them(text: str, tokens: int, off: int) -> None:
    """The counts are those of OpenAI's cookbook for o200k_base."""
    assert abs(text_tokens(text) - tokens) <= off


def test_a_tool_costs_about_what_openai_counts() -> None:
    """The cookbook's example: 101 prompt tokens with gpt-4o, 34 of them the two messages."""
    tool = ToolSpec("get_current_weather", ABOUT, _schema(location=LOCATION, unit=UNIT))
    assert token_cost(tool).openai == pytest.approx(101 - 34, rel=0.1)


def test_a_tool_costs_about_what_anthropic_counts() -> None:
    """Its documentation: 403 tokens, 346 of them instructions for all tools, about 16 the message."""
    assert token_cost(ToolSpec("get_weather", ABOUT, _schema(location=LOCATION))).anthropic == pytest.approx(
        403 - 346 - 16, rel=0.25
    )


def test_more_to_read_costs_more_in_every_family() -> None:
    short = token_cost(ToolSpec("get_weather", ABOUT, _schema(location=LOCATION)))
    long = token_cost(ToolSpec("get_weather", ABOUT * 3, _schema(location=LOCATION, unit=UNIT)))
    assert long.openai > short.openai and long.anthropic > short.anthropic and long.gemini > short.gemini


def test_nested_parameters_count_wherever_they_stand() -> None:
    inner = _schema(location=LOCATION)
    flat = token_cost(ToolSpec("t", "d", {"type": "object", "properties": {"a": {"type": "object"}}}))
    for nested in (
        {"type": "object", "properties": {"a": inner}},
        {"type": "object", "properties": {"a": {"type": "array", "items": inner}}},
        {"type": "object", "properties": {"a": {"anyOf": [inner]}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": inner}},
    ):
        assert token_cost(ToolSpec("t", "d", nested)).openai > flat.openai + 10


def test_costs_add_up() -> None:
    tools = (Tool("a", "s", "Reads a thing."), Tool("b", "s", "Writes a thing."))
    assert total_cost(tools) == token_cost(tools[0]) + token_cost(tools[1])
    assert TokenCost(1, 5, 9).typical == 5 and TokenCost(1, 5, 9).of("gemini") == 9


def test_a_schema_without_end_is_counted_in_bounded_time() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {}}
    schema["properties"] = {f"p{number}": {"type": "object", "properties": {"q": {}}} for number in range(20_000)}
    assert token_cost(ToolSpec("t", "d", schema)).openai > 1000


@pytest.mark.skipif(not _TABLES, reason="the tables of tiktoken are not on this machine, and are never fetched")
def test_real_descriptions_are_within_a_fifth_of_the_real_tokenizer() -> None:
    counted = _TABLES[0].load()
    texts = [ABOUT, "Searches the workspace for a text or regular expression.", "Runs a shell command and returns it."]
    assert sum(map(text_tokens, texts)) == pytest.approx(sum(map(counted.count, texts)), rel=0.2)
