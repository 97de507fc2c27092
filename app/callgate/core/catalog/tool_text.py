"""A tool's definition as the text that a model reads: what is counted where a tokenizer is at hand. Pure.

    openai      one `type` of the TypeScript namespace that its models are shown, as its open models' format has it
    anthropic   JSON: name, description and input_schema
    gemini      JSON: the function declaration
    any other   JSON: `{"type": "function", …}`, as the templates of open models write it

What stands once around all tools (headings, instructions) is no part of any one of them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from callgate.core.messages import Json
from callgate.core.tool import Tool, ToolSpec

_DEEPEST: Final = 24
_LOCAL: Final = ("#/$defs/", "#/definitions/")
_SPELLED: Final = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}

Schema = Mapping[str, Json]


def tool_text(tool: Tool | ToolSpec, family: str) -> str:
    schema: Schema = tool.schema or {}
    match family:
        case "openai" | "openai-gpt4":
            return _Namespace(schema).function(tool.name, tool.description)
        case "anthropic":
            return _compact({"name": tool.name, "description": tool.description, "input_schema": dict(schema)})
        case "gemini":
            return _compact({"name": tool.name, "description": tool.description, "parameters": dict(schema)})
        case _:
            function: Json = {"name": tool.name, "description": tool.description, "parameters": dict(schema)}
            return json.dumps({"type": "function", "function": function}, ensure_ascii=False) + "\n"


class _Namespace:
    """One function; what it refers to is written out where it is referred to, never within itself."""

    def __init__(self, schema: Schema) -> None:
        self._root = schema

    def function(self, name: str, description: str) -> str:
        head = _comment(description)
        if not self._root.get("properties"):
            return f"{head}type {name} = () => any;\n\n"
        return f"{head}type {name} = (_: {self._type(self._root, (), 0)}) => any;\n\n"

    def _type(self, schema: Json | Schema, inside: tuple[str, ...], depth: int) -> str:
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return "any"
        reference = schema.get("$ref")
        if isinstance(reference, str):
            named = self._named(reference)
            return "any" if named is None or reference in inside else self._type(named, (*inside, reference), depth)
        choices = schema.get("enum")
        if isinstance(choices, list) and choices:
            return " | ".join(_compact(choice) for choice in choices)
        if "const" in schema:
            return _compact(schema["const"])
        for key in ("anyOf", "oneOf"):
            options = schema.get(key)
            if isinstance(options, list) and options:
                return " | ".join(self._type(option, inside, depth + 1) for option in options)
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self._of_kind(one, schema, inside, depth) for one in kind) or "any"
        return self._of_kind(
            kind if kind is not None or "properties" not in schema else "object", schema, inside, depth
        )

    def _of_kind(self, kind: Json, schema: Schema, inside: tuple[str, ...], depth: int) -> str:
        if kind == "object":
            return "{\n" + "".join(self._properties(schema, inside, depth)) + "}"
        if kind == "array":
            items = schema.get("items")
            if not isinstance(items, Mapping):
                return "any[]"
            spelled = self._type(items, inside, depth + 1)
            return f"({spelled})[]" if " | " in spelled and not spelled.startswith("{") else f"{spelled}[]"
        return _SPELLED.get(kind, "any") if isinstance(kind, str) else "any"

    def _properties(self, schema: Schema, inside: tuple[str, ...], depth: int) -> Iterator[str]:
        properties, required = schema.get("properties"), schema.get("required")
        needed = required if isinstance(required, list) else []
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            said: Schema = inner if isinstance(inner, Mapping) else {}
            about, default = said.get("description"), said.get("default")
            yield _comment(about if isinstance(about, str) else "")
            yield f"{name}{'' if name in needed else '?'}: {self._type(inner, inside, depth + 1)},"
            yield f" // default: {_compact(default)}\n" if default is not None else "\n"

    def _named(self, reference: str) -> Json:
        """What a reference into the schema's own definitions means; None where it leads elsewhere."""
        for where in _LOCAL:
            held = self._root.get(where[2:-1])
            if reference.startswith(where) and isinstance(held, Mapping):
                return held.get(reference.removeprefix(where))
        return None


def _comment(text: str) -> str:
    return "".join(f"// {line}\n" for line in text.strip().splitlines())


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
