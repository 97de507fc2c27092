"""A call as somebody pastes it: bare arguments, or the spelling of any of the wires. Pure."""

import json
from dataclasses import dataclass

from callgate.core.messages import Json


@dataclass(frozen=True, slots=True)
class PastedCall:
    tool: str
    arguments: str


def read_pasted(text: str) -> PastedCall | None:
    """The call in a text that names its tool; None = it is something else, perhaps plain arguments."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _read(value) if isinstance(value, dict) else None


def _read(value: dict[str, Json]) -> PastedCall | None:
    inner = value.get("function") or value.get("functionCall") or value.get("params")
    if isinstance(inner, dict):
        value = inner
    name = value.get("name")
    if not isinstance(name, str) or not name:
        return None
    for key in ("arguments", "input", "args"):
        given = value.get(key)
        if isinstance(given, str):
            return PastedCall(name, given)
        if isinstance(given, dict):
            return PastedCall(name, json.dumps(given, indent=2, ensure_ascii=False))
    return None
