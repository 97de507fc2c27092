"""Field names: this wire takes camelCase and snake_case alike, also mixed in one body. Written is camelCase only."""

import re
from functools import cache

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.wire.fields import Fields

_HUMP = re.compile(r"(?<!^)[A-Z]")


@cache
def snake(name: str) -> str:
    return _HUMP.sub(lambda hump: f"_{hump.group().lower()}", name)


@cache
def _aliases(known: tuple[str, ...]) -> dict[str, str]:
    """The other spelling → the known one, where they differ."""
    return {snake(name): name for name in known if snake(name) != name}


def camel(fields: Fields, *known: str) -> Fields:
    """The same object with the known fields in camelCase; what is unknown keeps its name."""
    aliases = _aliases(known)
    if aliases.keys().isdisjoint(fields.value):
        return fields
    for alias, name in aliases.items():
        if alias in fields and name in fields:
            raise BadRequest(f"'{fields.at(name)}' is given twice, also as '{alias}'.", fields.at(name))
    renamed: dict[str, Json] = {}
    for key, value in fields.value.items():
        name = aliases.get(key, key)
        if renamed.get(name) is None:
            renamed[name] = value
    return Fields(renamed, fields.path, fields.join)
