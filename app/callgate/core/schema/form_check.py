"""What is wrong with a value, each problem at the field that has to be mended.

Pure; schemas elsewhere are never fetched.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import jsonschema_rs

from callgate.core.messages import Json
from callgate.core.schema.form_value import FieldPath, PathStep

MOST_PROBLEMS: Final = 200
"""More marks than that help nobody, and a list of a million bad items must not stall the window."""
_DEEPEST: Final = 8
"""Choices within choices that are looked into."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    path: FieldPath
    """Where; empty = the whole value."""
    message: str
    missing: bool = False
    """True: the field is required and not there."""


class _Error(Protocol):
    """A finding of the validator, as far as it is used."""

    @property
    def message(self) -> str: ...
    @property
    def instance_path(self) -> Sequence[PathStep]: ...
    @property
    def kind(self) -> object: ...


class FormChecker:
    """A schema, ready to check values. `fault` says why it can't be used; empty = it can."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self.fault = ""
        self._validator: jsonschema_rs.Validator | None = None
        try:
            self._validator = jsonschema_rs.validator_for(dict(schema) or True, retriever=_never_fetched)
        except (ValueError, RecursionError) as broken:
            self.fault = f"The tool's own schema cannot be used: {str(broken).partition(chr(10))[0]}"

    def problems(self, value: Json) -> tuple[FieldProblem, ...]:
        if self._validator is None:
            return (FieldProblem((), self.fault),)
        broken = _half_letters(value)
        if broken is not None:
            return (FieldProblem(broken, "holds half a letter (a lone surrogate), which no tool can be sent"),)
        found: dict[tuple[FieldPath, str], FieldProblem] = {}
        try:
            for error in self._validator.iter_errors(value):
                for located in _located(error, 0):
                    problem = replace(located, path=_walked(value, located.path))
                    found.setdefault((problem.path, problem.message), problem)
                if len(found) >= MOST_PROBLEMS:
                    break
        except ValueError as refused:
            return (FieldProblem((), f"It can't be checked: {refused}"),)
        return tuple(found.values())


def _located(error: _Error, depth: int) -> Iterator[FieldProblem]:
    """The fields to mend: the validator names the object where one of its fields is missing or too much."""
    path = tuple(error.instance_path)
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.Required(property=name):
            yield FieldProblem((*path, str(name)), "is required", missing=True)
        case (
            jsonschema_rs.ValidationErrorKind.AdditionalProperties(unexpected=names)
            | jsonschema_rs.ValidationErrorKind.UnevaluatedProperties(unexpected=names)
        ):
            for name in names:
                yield FieldProblem((*path, name), "is not a field of this object")
        case jsonschema_rs.ValidationErrorKind.PropertyNames(error=inner):
            name = getattr(inner, "instance", None)
            yield FieldProblem((*path, name) if isinstance(name, str) else path, f"bad name: {error.message}")
        case (
            jsonschema_rs.ValidationErrorKind.AnyOf(context=context)
            | jsonschema_rs.ValidationErrorKind.OneOfNotValid(context=context)
        ):
            nearest = _nearest(context, path)
            if nearest is None or depth > _DEEPEST:
                yield FieldProblem(path, "suits none of the shapes that are allowed here")
                return
            for inner in nearest:
                yield from _located(inner, depth + 1)
        case jsonschema_rs.ValidationErrorKind.OneOfMultipleValid():
            yield FieldProblem(path, "suits more than one of the shapes, of which it must have exactly one")
        case jsonschema_rs.ValidationErrorKind.FalseSchema():
            yield FieldProblem(path, "must not be there")
        case _:
            yield FieldProblem(path, error.message)


def _nearest(context: Sequence[Sequence[_Error]], path: FieldPath) -> Sequence[_Error] | None:
    """What is wrong in the shape that was most likely meant; None = it can't be told."""

    def far(errors: Sequence[_Error]) -> int:
        return sum(1 for error in errors if tuple(error.instance_path) == path and not _is_missing(error))

    candidates = [errors for errors in context if errors]
    if not candidates:
        return None
    best = min(candidates, key=lambda errors: (far(errors), len(errors)))
    rivals = [errors for errors in candidates if (far(errors), len(errors)) == (far(best), len(best))]
    return best if len(rivals) == 1 and far(best) < len(best) else None


def _half_letters(value: Json) -> FieldPath | None:
    """Where a text stands that can't be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return _path_to_half(value) or ()
    return None


def _path_to_half(value: Json) -> FieldPath | None:
    match value:
        case str():
            return () if any("\ud800" <= letter <= "\udfff" for letter in value) else None
        case dict() | list():
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            for step, below in inner:
                path = _path_to_half(below)
                if path is not None:
                    return (step, *path)
            return None
        case _:
            return None


def _walked(value: Json, path: FieldPath) -> FieldPath:
    """The validator gives the name of a field that looks like a number as one."""
    steps: list[PathStep] = []
    inside: Json = value
    for step in path:
        if isinstance(inside, list) and isinstance(step, int):
            steps.append(step)
            inside = inside[step] if step < len(inside) else None
        else:
            steps.append(str(step))
            inside = inside.get(str(step)) if isinstance(inside, dict) else None
    return tuple(steps)


def _is_missing(error: _Error) -> bool:
    return isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Required)


def _never_fetched(address: str) -> Json:
    raise ValueError(f"schemas elsewhere are not fetched: {address}")
