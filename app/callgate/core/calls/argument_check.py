"""What is wrong with arguments, while they are still being written: only what more text cannot mend. Pure."""

from dataclasses import dataclass
from itertools import islice
from typing import Final

import jsonschema_rs

from callgate.core.json.partial import Sketch, Step
from callgate.core.schema.json_schema import compiled
from callgate.core.tool import Schema

MOST_COMPLAINTS: Final = 20
"""More are not read; the rest shows once these are mended."""
_LOOKED_AT: Final = 200
_FOR_GOOD: Final = frozenset(
    {"type", "additionalProperties", "maxItems", "maxLength", "maxProperties", "falseSchema", "propertyNames"}
)
"""Complaints about a value that more text in it cannot mend."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """`path` is empty for the arguments as a whole."""

    path: tuple[Step, ...]
    message: str


class ArgumentCheck:
    """A schema, compiled once. One that can't be used complains about nothing: the gate says so when it matters."""

    def __init__(self, schema: Schema) -> None:
        self._validator: jsonschema_rs.Validator | None = None
        try:
            self._validator = compiled(schema)
        except ValueError:  # its own errors are a kind of it
            self._validator = None

    def complaints(self, sketch: Sketch) -> tuple[Complaint, ...]:
        if self._validator is None:
            return ()
        found: list[Complaint] = []
        for error in islice(self._validator.iter_errors(sketch.value), _LOOKED_AT):
            path = tuple(error.instance_path)
            if not sketch.may_grow(path) or _is_final(error):
                found.append(Complaint(path, error.message))
            if len(found) == MOST_COMPLAINTS:
                break
        return tuple(found)


def _is_final(error: jsonschema_rs.ValidationError) -> bool:
    name = error.kind.name
    if name == "enum":
        options, said = getattr(error.kind, "options", []), error.instance
        return isinstance(said, str) and not any(isinstance(one, str) and one.startswith(said) for one in options)
    return name in _FOR_GOOD
