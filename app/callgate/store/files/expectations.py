"""What a configuration key should have been, in words: pydantic's complaints made readable.

Knows the shape of `Settings` but no file and no line. Values of secret keys are never repeated.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import get_args, get_origin

import annotated_types
import orjson
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from callgate.core.config.settings import Settings
from callgate.core.secrets.masking import mask
from callgate.store.files.toml_lines import KeyPath

_SECRET_KEYS = frozenset({"key", "token", "env", "headers"})
_SHOWN = 60
"""Characters of a wrong value that are worth repeating."""

_TYPES = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "tuple_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "greater_than": "a number",
    "greater_than_equal": "a number",
    "less_than": "a number",
    "less_than_equal": "a number",
}
_PATTERNS = {
    "name": "letters, digits, '_', '.' and '-' only",
    "rate_limit": '"N/second", "N/minute", "N/hour", or "" for no limit',
}


def complaint(error: ErrorDetails, shape: type[BaseModel] = Settings) -> str:
    """One error of validating a shape, as a sentence that says what was expected."""
    path = error["loc"]
    match error["type"]:
        case "extra_forbidden":
            return _unknown(shape, path)
        case "missing":
            return "missing; it must be given"
        case "value_error":
            return str(error["ctx"]["error"]) if "ctx" in error else error["msg"]
        case "literal_error":
            expected = f"one of {error['ctx']['expected']}" if "ctx" in error else error["msg"]
        case "string_pattern_mismatch":
            expected = _PATTERNS.get(str(path[-1]), error["msg"])
        case kind if kind in _TYPES:
            expected = _TYPES[kind] + (_bounds(shape, path) or _broken_bound(error))
        case _:
            expected = error["msg"]
    return f"expected {expected}, got {_got(path, error['input'])}"


def spell(path: KeyPath) -> str:
    """A path as people write it: `upstreams[1].wire`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _unknown(shape: type[BaseModel], path: KeyPath) -> str:
    section = _section(shape, path[:-1])
    known = [field.alias or name for name, field in section.model_fields.items()] if section is not None else []
    close = get_close_matches(str(path[-1]), known, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"unknown key; {hint}expected one of: {', '.join(known)}"


def _section(shape: type[BaseModel], path: KeyPath) -> type[BaseModel] | None:
    """The section that a path leads to."""
    section, is_name = shape, False
    for step in path:
        if isinstance(step, int) or is_name:
            is_name = False
            continue
        field = _named(section, step)
        inner = _model_in(field.annotation) if field is not None else None
        if field is None or inner is None:
            return None
        # in a map the next step is a name that the person chose
        section, is_name = inner, get_origin(field.annotation) is dict
    return section


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The section inside `X`, `X | None`, `tuple[X, ...]` or `dict[str, X]`."""
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _field(shape: type[BaseModel], path: KeyPath) -> FieldInfo | None:
    section = _section(shape, path[:-1])
    return _named(section, str(path[-1])) if section is not None else None


def _named(section: type[BaseModel], key: str) -> FieldInfo | None:
    """The field that a key of the file means."""
    aliased = (field for field in section.model_fields.values() if field.alias == key)
    return next(aliased, section.model_fields.get(key))


def _bounds(shape: type[BaseModel], path: KeyPath) -> str:
    field = _field(shape, path)
    words = ""
    for bound in field.metadata if field is not None else ():
        match bound:
            case annotated_types.Ge():
                words += f" from {bound.ge}"
            case annotated_types.Gt():
                words += f" above {bound.gt}"
            case annotated_types.Le():
                words += f" to {bound.le}"
            case _:
                pass
    return words


def _broken_bound(error: ErrorDetails) -> str:
    context: Mapping[str, object] = error.get("ctx", {})
    names = {"ge": "from", "gt": "above", "le": "up to", "lt": "below"}
    return "".join(f" {names[name]} {value}" for name, value in context.items() if name in names)


def _got(path: KeyPath, value: object) -> str:
    if any(step in _SECRET_KEYS for step in path):
        return "something else (not repeated here: it may be a secret)"
    match value:
        case str():
            shown = mask(value) if len(value) <= _SHOWN else mask(value)[:_SHOWN] + "…"
            return f'"{shown}"'
        case bool() | int() | float():
            return orjson.dumps(value).decode("utf-8")
        case dict():
            return "a table"
        case list() | tuple():
            return "a list"
        case _:
            return f"a {type(value).__name__}"
