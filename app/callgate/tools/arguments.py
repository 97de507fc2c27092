"""Checking arguments against a tool's schema, in words that a model can act on. Never coerces anything."""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import jsonschema_rs
import orjson

from callgate.core.messages import Json
from callgate.core.schema.json_schema import compiled
from callgate.core.tool import Schema, Tool

_MOST_PROBLEMS: Final = 5
"""A model mends a few problems at a time; a longer list only costs tokens."""
_MOST_COUNTED: Final = 100
_MOST_SIGNS: Final = 400
"""Of one problem: the validator quotes the value, which may be a whole file."""
_MOST_NAMES: Final = 20
_MOST_COMPILED: Final = 1000
"""Definitions; the longest unused give way. More than are called in any conversation."""
_LEAST_INT, _MOST_INT = -(2**63), 2**64 - 1


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: `path` is empty for the whole object."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class BadArguments(Exception):
    """Arguments that a tool must not be given."""

    def __init__(self, problems: tuple[Problem, ...], more: int = 0) -> None:
        """`more`: how many problems there are besides."""
        listed = "; ".join(map(str, problems))
        super().__init__(f"{listed}; and {more} more" if more else listed)
        self.problems = problems


class ArgumentChecker:
    """Compiles each definition once, under its fingerprint."""

    def __init__(self) -> None:
        self._compiled: OrderedDict[str, jsonschema_rs.Validator] = OrderedDict()

    def read(self, tool: Tool, arguments: str) -> Mapping[str, Json]:
        """The arguments as an object; raises `BadArguments`."""
        text = arguments.strip() or "{}"
        try:
            value = orjson.loads(text)
            _lose_nothing(text)
        except orjson.JSONDecodeError as bad:
            where = f"line {bad.lineno}, column {bad.colno}"
            raise _bad(f"the arguments are not valid JSON ({bad.msg} at {where})") from bad
        except (_Lossy, RecursionError) as lossy:
            raise _bad(str(lossy) if isinstance(lossy, _Lossy) else "the arguments are nested too deeply") from lossy
        if not isinstance(value, dict):
            raise _bad("the arguments must be a JSON object")
        self.check(tool, value)
        return value

    def check(self, tool: Tool, value: Mapping[str, Json]) -> None:
        found = list(islice(self._validator(tool).iter_errors(value), _MOST_COUNTED))
        if found:
            told = tuple(_problem(error, tool.schema) for error in found[:_MOST_PROBLEMS])
            raise BadArguments(told, len(found) - len(told))

    def _validator(self, tool: Tool) -> jsonschema_rs.Validator:
        key = tool.fingerprint
        if key not in self._compiled:
            try:
                self._compiled[key] = compiled(tool.schema)
            except ValueError as broken:
                raise _bad(f"the tool's own schema cannot be used: {broken}".partition("\n")[0]) from broken
            if len(self._compiled) > _MOST_COMPILED:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(key)
        return self._compiled[key]


def _bad(message: str) -> BadArguments:
    return BadArguments((Problem("", message),))


# ---- what a parser would change without a word ----------------------------------------------------------------------


class _Lossy(Exception):
    """JSON that says something which would not reach the tool as it stands there."""


def _lose_nothing(text: str) -> None:
    """A person approves the text: a key that is there twice, or a number that gets rounded, is not what they saw."""
    json.loads(text, object_pairs_hook=_each_once, parse_int=_within_reach)


def _each_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Lossy(f"'{twice}' is there more than once, so it is not clear which one is meant")
    return value


def _within_reach(digits: str) -> int:
    # compared by length first: turning very many digits into a number takes very long
    if len(digits) > 20 or not _LEAST_INT <= int(digits) <= _MOST_INT:
        raise _Lossy(f"the number {_short(digits, 60)} has too many digits to be passed on exactly")
    return 0


# ---- words ----------------------------------------------------------------------------------------------------------


def _problem(error: jsonschema_rs.ValidationError, schema: Schema) -> Problem:
    return Problem(_path(error.instance_path), _short(_words(error, schema), _MOST_SIGNS))


def _words(error: jsonschema_rs.ValidationError, schema: Schema) -> str:
    kind = error.kind
    match kind.name:
        case "enum":
            options = ", ".join(json.dumps(option, ensure_ascii=False) for option in kind.as_dict()["options"])
            return f"{_short(json.dumps(error.instance, ensure_ascii=False), 80)} is not one of {options}"
        case "anyOf" | "oneOf" if any(branches := getattr(kind, "context", ())):  # none: it fits several at once
            return "it fits none of the forms that it may have: " + _branches(branches, len(error.instance_path))
        case "additionalProperties" if not error.instance_path and isinstance(schema.get("properties"), Mapping):
            return f"{error.message}; {_known(schema)}"
        case _:
            return error.message


def _branches(branches: Sequence[Sequence[jsonschema_rs.ValidationError]], depth: int) -> str:
    """What is wrong with each form, the first thing only."""
    told: list[str] = []
    for number, errors in enumerate(branches, 1):
        for error in errors[:1]:
            where = _path(error.instance_path[depth:])
            told.append(f"({number}) {where}{': ' if where else ''}{_short(error.message, 120)}")
    return ", ".join(told)


def _known(schema: Schema) -> str:
    properties = schema.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"it takes {', '.join(names[:_MOST_NAMES])}{more}" if names else "it takes no arguments"


def _short(text: str, most: int) -> str:
    """Beginning and end: the end of a complaint says what is wrong."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-(most // 2) :]}"


def _path(steps: Sequence[str | int]) -> str:
    out = ""
    for step in steps:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else step
    return out
