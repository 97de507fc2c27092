"""Arguments that stream in pieces, each with the path of its value (Vertex, where a client asks for it)."""

import re
from collections.abc import Mapping

from callgate.core.json.text import dump_text
from callgate.core.messages import Json

_STEP = re.compile(r"""\.(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]|\[(?P<quote>['"])(?P<key>.*?)(?P=quote)\]""")
_MAX_GAP = 10_000
"""A list that jumps further ahead than this is no list of arguments."""


class PartialArguments:
    """Takes pieces with `add`; `text` is the JSON of all of them."""

    def __init__(self) -> None:
        self._root: dict[str, Json] = {}
        self.strange: list[str] = []
        """Paths that could not be followed."""

    @property
    def text(self) -> str:
        return dump_text(self._root)

    def add(self, piece: Mapping[str, Json]) -> None:
        path = piece.get("jsonPath", piece.get("json_path"))
        steps = _steps(path) if isinstance(path, str) else []
        if not steps or not _put(self._root, steps, _value(piece)):
            self.strange.append(str(path))


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    place = 1 if path.startswith("$") else 0
    while place < len(path):
        found = _STEP.match(path, place)
        if found is None:
            return []
        index = found["index"]
        steps.append(int(index) if index is not None else found["name"] or found["key"])
        place = found.end()
    return steps


def _value(piece: Mapping[str, Json]) -> Json:
    for name in ("stringValue", "string_value", "boolValue", "bool_value"):
        if name in piece:
            return piece[name]
    number = piece.get("numberValue", piece.get("number_value"))
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _put(root: dict[str, Json], steps: list[str | int], value: Json) -> bool:
    """Text is added to text that is there already; everything else replaces it."""
    place: Json = root
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        fresh: Json = None if following is None else [] if isinstance(following, int) else {}
        if isinstance(place, dict):
            if not isinstance(step, str):
                return False
            before = place.setdefault(step, fresh)
            if following is None:
                place[step] = _joined(before, value)
        elif isinstance(place, list) and isinstance(step, int) and step - len(place) < _MAX_GAP:
            place.extend([None] * (step + 1 - len(place)))
            before = place[step]
            if following is None:
                place[step] = _joined(before, value)
            elif before is None:
                place[step] = before = fresh
        else:
            return False
        place = before
    return True


def _joined(before: Json, value: Json) -> Json:
    return before + value if isinstance(before, str) and isinstance(value, str) else value
