"""Tables of plain values as lines of TOML, for people to paste. Pure."""

import json
import re
from collections.abc import Mapping

from callgate.core.messages import Json

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_pairs(table: Mapping[str, Json]) -> list[str]:
    """A line for each key; TOML knows no null, so what has no value is left out."""
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    # JSON leaves DEL as it is, which TOML refuses
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Json) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case list():
            return f"[{', '.join(_value(item) for item in value)}]"
        case dict():
            inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
            return f"{{ {inner} }}" if inner else "{}"
        case _:
            return json.dumps(value)
