"""The neutral form as plain JSON, for people to look at: fields that say nothing are left out. Pure."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any, Final, cast

from callgate.core.messages import Json

_NOTE: Final = "@"


def neutral_json(value: object) -> Json:
    """Values of `core` as objects with their fields in order; what is as it is by default is not said."""
    if is_dataclass(value) and not isinstance(value, type):
        said = {one.name: neutral_json(held) for one in fields(value) if _speaks(one, held := getattr(value, one.name))}
        return {name: held for name, held in said.items() if name != "extras" or held}
    match value:
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            # what begins so is a codec's own note of how something was spelled
            return {str(key): neutral_json(item) for key, item in items if not str(key).startswith(_NOTE)}
        case list() | tuple() | set() | frozenset():
            return [neutral_json(item) for item in cast("list[object]", value)]
        case Enum():
            return str(value.value)
        case str() | int() | float() | bool() | None:
            return value
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return str(value)


def _speaks(one: "Field[Any]", held: object) -> bool:
    """The kind of a part always does: without it, nobody knows what a part is."""
    if one.name == "kind":
        return True
    if one.default is not MISSING:
        return held != one.default
    if one.default_factory is not MISSING:
        return held != one.default_factory()
    return True
