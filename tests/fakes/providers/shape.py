"""Checks that every service makes of JSON: the right keys, the right kinds, nothing unknown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.fakes.providers.service import Refusal

OPENAI_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def insist(holds: object, complaint: str) -> None:
    if not holds:
        raise Refusal(complaint)


def fields(value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    """An object with all of the required keys and none but the optional ones besides."""
    insist(isinstance(value, dict), f"{where}: expected an object, got {value!r}")
    missing = [key for key in required if key not in value]
    insist(not missing, f"{where}: missing required {missing}")
    unknown = sorted(set(value) - set(required) - set(optional))
    insist(not unknown, f"{where}: unknown {unknown}")
    return value


def text(value: Any, where: str, *, empty: bool = True) -> str:
    insist(isinstance(value, str), f"{where}: expected a string, got {value!r}")
    insist(empty or value, f"{where}: must not be empty")
    return value


def items(value: Any, where: str, *, empty: bool = False) -> list[Any]:
    insist(isinstance(value, list), f"{where}: expected an array, got {value!r}")
    insist(empty or value, f"{where}: must not be empty")
    return value


def one_of(value: Any, allowed: Sequence[Any], where: str) -> Any:
    insist(value in allowed, f"{where}: {value!r} is none of {allowed}")
    return value


def object_schema(schema: Any, where: str) -> None:
    insist(isinstance(schema, dict), f"{where}: expected a schema, got {schema!r}")
    insist(schema.get("type") == "object", f"{where}.type: expected 'object', got {schema.get('type')!r}")
    unplain = sorted({"allOf", "anyOf", "enum", "not", "oneOf"} & set(schema))
    insist(not unplain, f"{where}: schema must not have {unplain} at the top level")


def strict_schema(schema: Mapping[str, Any], where: str) -> None:
    """What OpenAI demands of every object in a schema under `strict`."""
    if schema.get("type") == "object":
        insist(schema.get("additionalProperties") is False, f"{where}: 'additionalProperties' must be false")
        named, needed = set(schema.get("properties", {})), set(schema.get("required", ()))
        insist(named == needed, f"{where}: 'required' must name every key of properties: {sorted(named ^ needed)}")
    for place, inner in within(schema):
        strict_schema(inner, f"{where}.{place}")


def within(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schemas directly inside a schema."""
    for key in ("properties", "$defs"):
        yield from schema.get(key, {}).items()
    for key in ("anyOf", "oneOf", "allOf"):
        yield from ((f"{key}.{number}", inner) for number, inner in enumerate(schema.get(key, ())))
    if isinstance(schema.get("items"), dict):
        yield "items", schema["items"]


def check_reply_schema(shape: Any, where: str, required: list[str], optional: list[str]) -> None:
    """A shape of OpenAI's that the reply must have."""
    fields(shape, where, required, [*optional, "strict", "description"])
    insist(OPENAI_NAME.fullmatch(text(shape["name"], where)), f"{where}.name: bad pattern")
    if shape.get("strict"):
        object_schema(shape["schema"], f"{where}.schema")
        strict_schema(shape["schema"], f"{where}.schema")


def openai_sampling(body: Mapping[str, Any]) -> None:
    for name, least, most in (("temperature", 0, 2), ("top_p", 0, 1)):
        value = body.get(name)
        insist(value is None or least <= value <= most, f"{name}: {value!r} is out of range")
    insist("tools" in body or "tool_choice" not in body, "tool_choice is only allowed when tools are specified")
    insist(
        "tools" in body or "parallel_tool_calls" not in body,
        "'parallel_tool_calls' is only allowed when 'tools' are specified",
    )
