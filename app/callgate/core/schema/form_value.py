"""JSON values as a form handles them: absent or there, exactly equal, spelled so that nothing is hidden. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, TypeGuard

from callgate.core.messages import Json

_UNSEEN: Final = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters that count as printable and show nothing."""


class Absent(Enum):
    """The one thing that is no JSON value: a field that is not there."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
Maybe = Json | Absent
PathStep = str | int
FieldPath = tuple[PathStep, ...]


class UnreadableJson(ValueError):
    """A text that is no JSON, in words for the one who wrote it."""


def present(value: Maybe) -> TypeGuard[Json]:
    return value is not ABSENT


def same(a: Maybe, b: Maybe) -> bool:
    """Equal also in kind: 1, 1.0 and true are three things. The order of keys does not count."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return repr(a) == repr(b)
    return type(a) is type(b) and a == b


def spelled(value: Json, indent: int | None = None) -> str:
    """As JSON; what a screen would not show is escaped, so that the text can be edited without losing it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(letter if _seen(letter) else _escaped(letter) for letter in text)


def read_json(text: str) -> Json:
    """The exact value of a JSON text; raises `UnreadableJson`."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refused, parse_float=_finite)
    except json.JSONDecodeError as bad:
        raise UnreadableJson(f"{bad.msg} (line {bad.lineno}, column {bad.colno})") from bad
    except RecursionError as deep:
        raise UnreadableJson("nested too deep") from deep
    except UnreadableJson:
        raise
    except ValueError as bad:  # Python reads no integers of more than 4,300 digits
        raise UnreadableJson(str(bad).partition(":")[0]) from bad


def with_key(value: Mapping[str, Json], key: str, new: Maybe, order: Sequence[str] = ()) -> dict[str, Json]:
    """The object with one field set or taken away; the others stay in place, and a new one goes where `order` says."""
    if not present(new):
        return {name: given for name, given in value.items() if name != key}
    if key in value or key not in order:
        return {**value, key: new}
    later = set(order[order.index(key) + 1 :])
    before = next((name for name in value if name in later), None)
    if before is None:
        return {**value, key: new}
    result: dict[str, Json] = {}
    for name, given in value.items():
        if name == before:
            result[key] = new
        result[name] = given
    return result


def _seen(letter: str) -> bool:
    return letter == "\n" or (letter.isprintable() and _UNSEEN.match(letter) is None)


def _escaped(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter != "\x7f" else "\\u007f"


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableJson(f"the key {json.dumps(twice)} stands twice in one object")
    return result


def _refused(word: str) -> Json:
    raise UnreadableJson(f"{word} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise UnreadableJson(f"{text} is too large for a number")
    return value
