import json

from callgate.core.catalog.tool_text import tool_text
from callgate.core.messages import Json
from callgate.core.tool import ToolSpec

WEATHER: dict[str, Json] = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "description": "The city and state,\ne.g. San Francisco, CA"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        "days": {"type": "integer"},
    },
    "required": ["location"],
}


def _spoken(schema: dict[str, Json]) -> str:
    return tool_text(ToolSpec("f", "", schema), "openai")


def _of(inner: Json) -> str:
    """How one property is spelled."""
    spelled = _spoken({"type": "object", "properties": {"a": inner}, "required": ["a"]})
    return spelled.removeprefix("type f = (_: {\na: ").removesuffix(",\n}) => any;\n\n")


def test_openai_models_read_a_function_of_a_namespace() -> None:
    assert tool_text(ToolSpec("get_weather", "The weather of a place.", WEATHER), "openai") == (
        "// The weather of a place.\n"
        "type get_weather = (_: {\n"
        "// The city and state,\n"
        "// e.g. San Francisco, CA\n"
        "location: string,\n"
        'unit?: "celsius" | "fahrenheit", // default: "celsius"\n'
        "days?: number,\n"
        "}) => any;\n\n"
    )


def test_a_tool_without_parameters_is_a_function_of_nothing() -> None:
    assert _spoken({}) == _spoken({"type": "object", "properties": {}}) == "type f = () => any;\n\n"


def test_types_are_spelled_as_typescript_has_them() -> None:
    assert _of({"type": "boolean"}) == "boolean"
    assert _of({"type": ["string", "null"]}) == "string | null"
    assert _of({"anyOf": [{"type": "number"}, {"const": "auto"}]}) == 'number | "auto"'
    assert _of({"type": "array", "items": {"type": "string"}}) == "string[]"
    assert _of({"type": "array", "items": {"enum": ["x", 1]}}) == '("x" | 1)[]'
    assert _of({"type": "array"}) == "any[]"
    assert _of({"properties": {"b": {}}}) == "{\nb?: any,\n}"
    assert _of(True) == "any"


def test_what_is_referred_to_is_written_out_once_and_never_within_itself() -> None:
    node: Json = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    spelled = _spoken(
        {"type": "object", "properties": {"head": {"$ref": "#/$defs/node"}}, "$defs": {"node": node, "other": {}}}
    )
    assert spelled == "type f = (_: {\nhead?: {\nnext?: any,\n},\n}) => any;\n\n"
    assert _of({"$ref": "https://elsewhere/x"}) == "any"


def test_a_schema_as_deep_as_it_likes_is_spelled() -> None:
    schema: dict[str, Json] = {"type": "string"}
    for _ in range(500):
        schema = {"type": "object", "properties": {"a": schema}}
    assert "any" in _spoken(schema)


def test_the_others_read_json() -> None:
    tool = ToolSpec("f", "d", WEATHER)
    assert json.loads(tool_text(tool, "anthropic")) == {"name": "f", "description": "d", "input_schema": WEATHER}
    assert json.loads(tool_text(tool, "gemini")) == {"name": "f", "description": "d", "parameters": WEATHER}
    function = {"name": "f", "description": "d", "parameters": WEATHER}
    assert json.loads(tool_text(tool, "qwen")) == {"type": "function", "function": function}
