"""JSON as wires write it: compact, and always valid UTF-8 whatever a model has produced.

orjson does the work; what it refuses (lone surrogates, huge integers) takes the slower road instead of failing an
exchange: half an emoji in one delta is a fact of life. What is nested beyond all reason is refused where it is read, so
that nothing behind it, which walks it step by step, can run out of stack.
"""

import json
import math
import re
from collections.abc import Mapping

import orjson

from callgate.core.messages import Json

MOST_LEVELS = 200
"""No schema, argument or message that anyone meant goes half as deep; orjson writes 254 levels."""

_NESTING = frozenset({dict, list})
"""What a parser makes of all that can hold more: every value of a long history is looked at."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def mend(text: str) -> str:
    """Text that can be encoded: surrogate pairs joined, lone ones replaced."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def dump_bytes(value: Json | Mapping[str, Json]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # orjson.JSONEncodeError is one
        return json.dumps(_encodable(value), ensure_ascii=False, separators=(",", ":")).encode()


def dump_text(value: Json | Mapping[str, Json]) -> str:
    return dump_bytes(value).decode()


def parse(text: str | bytes) -> Json:
    """Raises ValueError where it is no JSON, or nested more than `MOST_LEVELS` deep."""
    try:
        value = orjson.loads(text)
    except ValueError:
        try:
            value = _encodable(json.loads(text, parse_constant=_refuse))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
    if len(text) > 2 * MOST_LEVELS and _is_deep(value):  # each level takes two characters
        raise ValueError(f"nested too deeply: more than {MOST_LEVELS} levels")
    return value


def parse_object(text: str | bytes) -> dict[str, Json] | None:
    """None where it is no JSON object."""
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def error_object(body: bytes) -> dict[str, Json] | None:
    """The object of an error body; Google's gateways put it into a list."""
    try:
        value = parse(body)
    except ValueError:
        return None
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MOST_LEVELS):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level = [item for item in inner if type(item) in _NESTING]
        if not level:
            return False
    return True


def _encodable(value: Json | Mapping[str, Json] | tuple[Json, ...]) -> Json:
    match value:
        case str():
            return mend(value)
        case Mapping():
            return {mend(str(key)): _encodable(item) for key, item in value.items()}
        case list() | tuple():
            return [_encodable(item) for item in value]
        case float() if not math.isfinite(value):
            return None
        case bool() | int() | float() | None:
            return value
        case _:
            raise TypeError(f"{type(value).__name__} is no JSON")


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is no JSON")
