"""What a schema says of a field, in words. Pure."""

import json
from collections.abc import Mapping
from typing import Final

from callgate.core.messages import Json
from callgate.core.schema.form_plan import About
from callgate.core.schema.form_schema import types_of
from callgate.core.schema.form_value import ABSENT

_LIMITS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
    "pattern": "must match {}",
}
_TYPE_WORDS: Final = {
    "object": "object",
    "array": "list",
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "null": "null",
}
_FORMAT_WORDS: Final = {
    "date-time": "date and time",
    "date": "date",
    "time": "time",
    "duration": "duration",
    "email": "e-mail address",
    "uri": "web address",
    "uuid": "UUID",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "hostname": "host name",
    "regex": "regular expression",
}


def type_word(name: str) -> str:
    return _TYPE_WORDS.get(name, name)


def format_word(name: str) -> str:
    """What a text of this format is, in words; empty where nothing better than “text” is known."""
    return _FORMAT_WORDS.get(name, "")


def about(schema: Mapping[str, Json], kind: str = "") -> About:
    """`schema`: a flat one; `kind`: the type in words, where it is known better than by `type`."""
    examples = schema.get("examples")
    notes = [
        words.format(value if isinstance(value, str) else json.dumps(value)).replace(" 1 items", " 1 item")
        for key, words in _LIMITS.items()
        if (value := schema.get(key)) is not None and not isinstance(value, bool)
    ]
    if schema.get("uniqueItems") is True:
        notes.append("no item twice")
    return About(
        _text(schema.get("title")),
        _text(schema.get("description")),
        kind or " or ".join(type_word(one) for one in types_of(schema)),
        schema.get("default", ABSENT),
        tuple(examples) if isinstance(examples, list) else (),
        tuple(notes),
        schema.get("deprecated") is True,
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
