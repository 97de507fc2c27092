"""Checking arguments against a tool's schema, in words that a model can act on. Never coerces anything."""

from collections.abc import Mapping
from dataclasses import dataclass

import jsonschema_rs
import orjson

from callgate.core.messages import Json
from callgate.core.tool import Tool

_MOST_PROBLEMS = 5
"""A model mends a few problems at a time; a longer list only costs tokens."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: `path` is empty for the whole object."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class BadArguments(Exception):
    """Arguments that a tool must not be given."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


class ArgumentChecker:
    """Compiles each definition once, under its fingerprint."""

    def __init__(self) -> None:
        self._compiled: dict[str, jsonschema_rs.Validator] = {}

    def read(self, tool: Tool, arguments: str) -> Mapping[str, Json]:
        """The arguments as an object; raises `BadArguments`."""
        text = arguments.strip() or "{}"
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as bad:
            where = f"line {bad.lineno}, column {bad.colno}"
            raise BadArguments((Problem("", f"the arguments are not valid JSON ({bad.msg} at {where})"),)) from bad
        if not isinstance(value, dict):
            raise BadArguments((Problem("", "the arguments must be a JSON object"),))
        self.check(tool, value)
        return value

    def check(self, tool: Tool, value: Mapping[str, Json]) -> None:
        problems = [
            Problem(_path(error.instance_path), error.message) for error in self._validator(tool).iter_errors(value)
        ]
        if problems:
            raise BadArguments(tuple(problems[:_MOST_PROBLEMS]))

    def _validator(self, tool: Tool) -> jsonschema_rs.Validator:
        key = tool.fingerprint
        if key not in self._compiled:
            try:
                self._compiled[key] = jsonschema_rs.validator_for(dict(tool.schema) or True, retriever=_never_fetched)
            except jsonschema_rs.ValidationError as broken:
                problem = f"the tool's own schema cannot be used: {broken.message}"
                raise BadArguments((Problem("", problem),)) from broken
        return self._compiled[key]


def _never_fetched(address: str) -> Json:
    """A schema comes from a stranger: looking at it must not make a request."""
    raise ValueError(f"schemas elsewhere are not fetched: {address}")


def _path(steps: list[str | int]) -> str:
    out = ""
    for step in steps:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else step
    return out
