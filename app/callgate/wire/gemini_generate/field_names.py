"""Field names: this wire takes camelCase and snake_case alike, also mixed in one body. Written is camelCase only."""

import re
from functools import cache

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json

_HUMP = re.compile(r"(?<!^)[A-Z]")


@cache
def snake(name: str) -> str:
    return _HUMP.sub(lambda hump: f"_{hump.group().lower()}", name)


class Camel:
    """The known fields of one kind of object. Made once for each kind: a long history has thousands of objects."""

    __slots__ = ("_aliases",)

    def __init__(self, *known: str) -> None:
        self._aliases = {snake(name): name for name in known if snake(name) != name}
        """The other spelling → the known one, where they differ."""

    def __call__(self, fields: Fields) -> Fields:
        """The same object with the known fields in camelCase; what is unknown keeps its name."""
        aliases = self._aliases
        for key in fields.value:
            if key in aliases:
                return self._renamed(fields)
        return fields

    def _renamed(self, fields: Fields) -> Fields:
        for alias, name in self._aliases.items():
            if alias in fields and name in fields:
                raise BadRequest(f"'{fields.at(name)}' is given twice, also as '{alias}'.", fields.at(name))
        renamed: dict[str, Json] = {}
        for key, value in fields.value.items():
            name = self._aliases.get(key, key)
            if renamed.get(name) is None:
                renamed[name] = value
        return Fields(renamed, fields.path, fields.join)
