"""What both ways of sending a schema need: looking up references inside it, and joining schemas into one."""

from collections.abc import Mapping
from urllib.parse import unquote

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json

SchemaObject = dict[str, Json]

MAX_SCHEMAS = 20_000
"""Within one tool. References put in place can double at every step; real tools stay far below."""
MAX_CHAIN = 64
"""References within references that are followed; beyond that it counts as a cycle."""


class Definitions:
    """One schema in whose references are looked up, with a limit to how much they may unfold to."""

    def __init__(self, root: Mapping[str, Json]) -> None:
        self._root = root
        self._count = 0

    def look_up(self, reference: str, within: tuple[str, ...]) -> SchemaObject | None:
        """None for a cycle (`within`: the references that are being put in place), and for a dangling reference."""
        if reference in within or len(within) >= MAX_CHAIN:
            return None
        return resolve(self._root, reference)

    def count(self) -> None:
        self._count += 1
        if self._count > MAX_SCHEMAS:
            raise Unspeakable("the schema of a tool is too large once its references are put in place", "tools")


def resolve(root: Mapping[str, Json], reference: str) -> SchemaObject | None:
    """What a reference within the same schema means; None for any other or a dangling one."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    place: Json = dict(root)
    for step in reference.removeprefix("#").split("/")[1:]:
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdigit() and int(key) < len(place):
            place = place[int(key)]
        else:
            return None
    return place if isinstance(place, dict) else None


def merge(one: SchemaObject, other: SchemaObject) -> SchemaObject:
    """Both at once, as `allOf` means it; where they contradict each other, the second one counts."""
    merged = dict(one)
    for key, value in other.items():
        before = merged.get(key)
        if key in ("properties", "$defs", "definitions") and isinstance(before, dict) and isinstance(value, dict):
            merged[key] = {**before, **value}
        elif key == "required" and isinstance(before, list) and isinstance(value, list):
            merged[key] = [*before, *(name for name in value if name not in before)]
        elif key == "enum" and isinstance(before, list) and isinstance(value, list):
            merged[key] = [item for item in before if item in value]
        else:
            merged[key] = value
    return merged
