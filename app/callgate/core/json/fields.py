"""A JSON object that knows where it stands in the request, so that every complaint names the field.

Used by the request readers of all wires. Unknown keys are nobody's business here: `rest` hands them on.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NoReturn, TypeVar, overload

import jsonschema_rs

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.tool import Schema

T = TypeVar("T")
IndexStyle = Literal["[]", "."]
"""How a path names an item of a list: `tools[0].name` (OpenAI, Gemini) or `tools.0.name` (Anthropic)."""

MAX_SCHEMA_DEPTH = 128
"""Deeper schemas are attacks on recursive code, not tools."""

_DRAFTS = (
    "http://json-schema.org/draft-04/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)


class _Required:
    """Marks a field without a default."""


REQUIRED = _Required()


class Fields:
    """Reads one object. `null` counts as absent: a default answers it, a required field complains of it.

    Made thousands of times for a long history, so a path is put together only for whoever asks: a complaint.
    """

    __slots__ = ("_index", "_path", "_within", "join", "value")

    def __init__(
        self,
        value: object,
        path: str = "",
        join: IndexStyle = "[]",
        within: "Fields | None" = None,
        index: int | None = None,
    ) -> None:
        """`path`: below `within`, if that is given; `index`: in the list that stands there."""
        self._path, self._within, self._index = path, within, index
        self.join: IndexStyle = join
        if not isinstance(value, dict) and not isinstance(value, Mapping):  # a tenth of the time, and nearly always so
            raise wrong_type(self.path, "an object", value)
        self.value: Mapping[str, Json] = value

    @property
    def path(self) -> str:
        """Where in the request it stands."""
        path = self._path if self._within is None else self._within.at(self._path)
        return path if self._index is None else item_path(path, self._index, self.join)

    def at(self, key: str, index: int | None = None) -> str:
        """The path of a field, or of an item of a list field."""
        above = self.path
        path = f"{above}.{key}" if above else key
        return path if index is None else item_path(path, index, self.join)

    def __contains__(self, key: str) -> bool:
        return self.value.get(key) is not None

    def raw(self, key: str) -> Json:
        return self.value.get(key)

    @overload
    def text(self, key: str) -> str: ...
    @overload
    def text(self, key: str, default: T) -> str | T: ...
    def text(self, key: str, default: object = REQUIRED) -> object:
        value = self.value.get(key)
        if isinstance(value, str):
            return value
        if value is None:
            return self._missing(key) if default is REQUIRED else default
        raise wrong_type(self.at(key), "a string", value)

    @overload
    def integer(self, key: str) -> int: ...
    @overload
    def integer(self, key: str, default: T, *, minimum: int | None = None, maximum: int | None = None) -> int | T: ...
    def integer(
        self, key: str, default: object = REQUIRED, *, minimum: int | None = None, maximum: int | None = None
    ) -> object:
        value = self._given(key, default)
        if value is default:
            return value
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise wrong_type(self.at(key), "an integer", value)
        if minimum is not None and value < minimum:
            raise too_small(self.at(key), minimum, value)
        if maximum is not None and value > maximum:
            raise too_large(self.at(key), maximum, value)
        return value

    @overload
    def number(self, key: str) -> float: ...
    @overload
    def number(self, key: str, default: T) -> float | T: ...
    def number(self, key: str, default: object = REQUIRED) -> object:
        """An integer stays one, so that it is written as it was read."""
        value = self._given(key, default)
        if value is default or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        raise wrong_type(self.at(key), "a number", value)

    @overload
    def boolean(self, key: str) -> bool: ...
    @overload
    def boolean(self, key: str, default: T) -> bool | T: ...
    def boolean(self, key: str, default: object = REQUIRED) -> object:
        value = self._given(key, default)
        if value is default or isinstance(value, bool):
            return value
        raise wrong_type(self.at(key), "a boolean", value)

    @overload
    def one_of(self, key: str, options: Sequence[str]) -> str: ...
    @overload
    def one_of(self, key: str, options: Sequence[str], default: T) -> str | T: ...
    def one_of(self, key: str, options: Sequence[str], default: object = REQUIRED) -> object:
        """A text that must be one of the options."""
        value = self.text(key, default)
        if value is not default and value not in options:
            supported = ", ".join(f"'{option}'" for option in options)
            raise BadRequest(
                f"Invalid value: '{value}'. Supported values are: {supported}.", self.at(key), code="invalid_value"
            )
        return value

    def items(self, key: str, *, required: bool = False) -> list[Json]:
        """A list; empty where there is none."""
        value = self.raw(key)
        if value is None:
            return self._missing(key) if required else []
        if not isinstance(value, list):
            raise wrong_type(self.at(key), "an array", value)
        return value

    def objects(self, key: str, *, required: bool = False) -> list["Fields"]:
        items = self.items(key, required=required)
        return [Fields(item, key, self.join, self, index) for index, item in enumerate(items)] if items else []

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        values: list[str] = []
        for index, item in enumerate(self.items(key)):
            if not isinstance(item, str):
                raise wrong_type(self.at(key, index), "a string", item)
            values.append(item)
        return values

    def child(self, key: str) -> "Fields | None":
        """An object below; None where there is none."""
        value = self.value.get(key)
        return None if value is None else Fields(value, key, self.join, self)

    def needed_child(self, key: str) -> "Fields":
        return self.child(key) or self._missing(key)

    def rest(self, *known: str) -> dict[str, Json]:
        """What is not among the known keys: a wire's own, kept as extras."""
        left: dict[str, Json] = {}
        for key, value in self.value.items():  # mostly nothing is left, and a comprehension costs twice as much
            if key not in known:
                left[key] = value
        return left

    def _given(self, key: str, default: object) -> object:
        value = self.value.get(key)
        if value is not None:
            return value
        return self._missing(key) if default is REQUIRED else default

    def _missing(self, key: str) -> NoReturn:
        path = self.at(key)
        raise BadRequest(f"Missing required parameter: '{path}'.", path, code="missing_required_parameter")


def item_path(path: str, index: int, join: IndexStyle = "[]") -> str:
    return f"{path}[{index}]" if join == "[]" else f"{path}.{index}"


def wrong_type(path: str, expected: str, value: object) -> BadRequest:
    where = f"Invalid type for '{path}'" if path else "Invalid type for the request body"
    return BadRequest(
        f"{where}: expected {expected}, but got {_name_of(value)} instead.", path or None, code="invalid_type"
    )


def too_small(path: str, minimum: int, value: float) -> BadRequest:
    return BadRequest(
        f"Invalid '{path}': integer below minimum value. Expected a value >= {minimum}, but got {value} instead.",
        path,
        code="integer_below_min_value",
    )


def too_large(path: str, maximum: int, value: float) -> BadRequest:
    return BadRequest(
        f"Invalid '{path}': integer above maximum value. Expected a value <= {maximum}, but got {value} instead.",
        path,
        code="integer_above_max_value",
    )


def check_tool_name(name: str, param: str, pattern: str) -> str:
    """The name, if the whole of it fits the wire's pattern."""
    if re.fullmatch(pattern, name) is None:
        raise BadRequest(
            f"Invalid '{param}': string does not match pattern. "
            f"Expected a string that matches the pattern '{pattern}'.",
            param,
            code="invalid_value",
        )
    return name


def check_schema(schema: Json, param: str, tool: str = "") -> Schema:
    """The schema of a tool's arguments, if it is one: valid JSON Schema that describes an object. Cycles are fine."""
    subject = f"Invalid schema for function '{tool}'" if tool else f"Invalid schema for '{param}'"
    if not isinstance(schema, dict):
        raise BadRequest(
            f"{subject}: expected an object, but got {_name_of(schema)} instead.",
            param,
            code="invalid_function_parameters",
        )
    complaint = _complaint(schema)
    if complaint:
        raise BadRequest(f"{subject}: {complaint}", param, code="invalid_function_parameters")
    return schema


def _complaint(schema: dict[str, Json]) -> str:
    if _too_deep(schema):
        return f"nested deeper than {MAX_SCHEMA_DEPTH} levels."
    kinds = schema.get("type")
    if kinds is not None and kinds != "object" and not (isinstance(kinds, list) and "object" in kinds):
        return f"schema must be a JSON Schema of 'type: \"object\"', got 'type: {kinds!r}'."
    try:
        jsonschema_rs.meta.validate(_of_known_draft(schema))
    except jsonschema_rs.ValidationError as error:
        context = ", ".join(repr(step) for step in error.instance_path)
        return f"In context=({context}), {error.message}."
    return ""


def _of_known_draft(schema: dict[str, Json]) -> dict[str, Json]:
    """Without a `$schema` of an unknown draft: the validator would fetch it over the network."""
    draft = schema.get("$schema")
    if not isinstance(draft, str) or draft.rstrip("#") in _DRAFTS:
        return schema
    return {key: value for key, value in schema.items() if key != "$schema"}


def _too_deep(schema: Json) -> bool:
    layer: list[Json] = [schema]
    for _ in range(MAX_SCHEMA_DEPTH):
        layer = [
            below
            for value in layer
            for below in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
        if not layer:
            return False
    return True


def _name_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int():
            return "an integer"
        case float():
            return "a decimal"
        case list() | tuple():
            return "an array"
        case Mapping():
            return "an object"
        case _:
            return type(value).__name__
