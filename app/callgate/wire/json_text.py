"""JSON as wires write it: compact, and always valid UTF-8 whatever a model has produced.

orjson does the work; what it refuses (lone surrogates, deep nesting, huge integers) takes the slower road instead of
failing an exchange: half an emoji in one delta is a fact of life.
"""

import json
import math
import re
from collections.abc import Mapping

import orjson

from callgate.core.messages import Json

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
    """Raises ValueError where it is no JSON."""
    try:
        return orjson.loads(text)
    except ValueError:
        try:
            return _encodable(json.loads(text, parse_constant=_refuse))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def parse_object(text: str | bytes) -> dict[str, Json] | None:
    """None where it is no JSON object."""
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


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
