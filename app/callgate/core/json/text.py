"""JSON as wires write it: compact, and always valid UTF-8 whatever a model has produced.

orjson does the work; what it refuses (lone surrogates, huge integers) takes the slower road instead of failing an
exchange: half an emoji in one delta is a fact of life. What is nested beyond all reason is refused where it is read, so
that nothing behind it, which walks it step by step, can run out of stack.
"""

import codecs
import json
import math
import re
from collections.abc import Iterator, Mapping
from json import decoder

import orjson

from callgate.core.messages import Json

MOST_LEVELS = 200
"""No schema, argument or message that anyone meant goes half as deep; orjson writes 254 levels."""

_NESTING = frozenset({dict, list})
"""What a parser makes of all that can hold more: every value of a long history is looked at."""
SLICED_BYTES = 1_000_000
"""A larger text takes a parser longer than a frame of the window."""
_BLANK = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def mend(text: str) -> str:
    """Text that can be encoded: surrogate pairs joined, lone ones replaced."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def dump_bytes(value: Json | Mapping[str, Json]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # orjson.JSONEncodeError is one
        return json.dumps(_encodable(value), ensure_ascii=False, separators=(",", ":")).encode()


def dump_text(value: Json | Mapping[str, Json]) -> str:
    return dump_bytes(value).decode()


def parse(text: str | bytes) -> Json:
    """Raises ValueError where it is no JSON, or nested more than `MOST_LEVELS` deep."""
    if len(text) > SLICED_BYTES and (sliced := _sliced(text)) is not None:
        value = sliced
    else:
        value = _parsed(text)
    if len(text) > 2 * MOST_LEVELS and _is_deep(value):  # each level takes two characters
        raise ValueError(f"nested too deeply: more than {MOST_LEVELS} levels")
    return value


def _parsed(text: str | bytes) -> Json:
    try:
        return orjson.loads(text)
    except ValueError:
        try:
            return _encodable(json.loads(text, parse_constant=_refuse))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def _sliced(text: str | bytes) -> dict[str, Json] | None:
    """A large object, read one entry of its lists at a time; None = it is to be read at once.

    In a thread, other threads get their turn between two entries; a parser that is called once lets nobody in.
    """
    try:
        whole = text if isinstance(text, str) else "".join(_decoded(text))
        if "\\ud" in whole or "\\uD" in whole:
            return None  # perhaps half an emoji, which only the other way of reading can mend
        value, end = _object_at(whole, _BLANK.match(whole, 0).end())  # type: ignore[union-attr]  # it matches nothing too
        return value if _BLANK.match(whole, end).end() == len(whole) else None  # type: ignore[union-attr]
    except (ValueError, StopIteration, RecursionError, IndexError):
        return None  # what is wrong with it, if anything is, is said by reading it at once


def _decoded(data: bytes) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), SLICED_BYTES):
        yield decoder.decode(data[start : start + SLICED_BYTES])
    yield decoder.decode(b"", final=True)


def _object_at(text: str, at: int) -> tuple[dict[str, Json], int]:
    """The object that begins there, and where it ends."""
    found: dict[str, Json] = {}
    at = _expect(text, at, "{")
    if text[at] == "}":
        return found, at + 1
    while True:
        if text[at] != '"':
            raise ValueError("a key is missing")
        key, at = _key_at(text, at + 1)
        at = _expect(text, _BLANK.match(text, at).end(), ":")  # type: ignore[union-attr]
        found[key], at = _list_at(text, at) if text[at] == "[" else _value_at(text, at)
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        if text[at] == "}":
            return found, at + 1
        at = _expect(text, at, ",")


def _list_at(text: str, at: int) -> tuple[list[Json], int]:
    found: list[Json] = []
    at = _expect(text, at, "[")
    if text[at] == "]":
        return found, at + 1
    while True:
        value, at = _value_at(text, at)
        found.append(value)
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        if text[at] == "]":
            return found, at + 1
        at = _expect(text, at, ",")


def _key_at(text: str, at: int) -> tuple[str, int]:
    return decoder.scanstring(text, at, True)  # type: ignore[attr-defined]  # its stub leaves it out, as the next


def _value_at(text: str, at: int) -> tuple[Json, int]:
    return _SCANNER.scan_once(text, at)  # type: ignore[attr-defined]


def _expect(text: str, at: int, sign: str) -> int:
    """Where the next token behind a sign begins."""
    if text[at] != sign:
        raise ValueError(f"{sign} is missing")
    return _BLANK.match(text, at + 1).end()  # type: ignore[union-attr]


def parse_object(text: str | bytes) -> dict[str, Json] | None:
    """None where it is no JSON object."""
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def error_object(body: bytes) -> dict[str, Json] | None:
    """The object of an error body; Google's gateways put it into a list."""
    try:
        value = parse(body)
    except ValueError:
        return None
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MOST_LEVELS):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level = [item for item in inner if type(item) in _NESTING]
        if not level:
            return False
    return True


def _encodable(value: Json | Mapping[str, Json] | tuple[Json, ...]) -> Json:
    match value:
        case str():
            return mend(value)
        case Mapping():
            return {mend(str(key)): _encodable(item) for key, item in value.items()}
        case list() | tuple():
            return [_encodable(item) for item in value]
        case float() if not math.isfinite(value):
            return None
        case bool() | int() | float() | None:
            return value
        case _:
            raise TypeError(f"{type(value).__name__} is no JSON")


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> Json:
    value = float(number)
    return value if math.isfinite(value) else None


def _bounded(number: str) -> Json:
    """As orjson reads it: what does not fit into 64 bits is no exact number."""
    value = int(number)
    return value if -(2**63) <= value < 2**64 else _finite(number)


_SCANNER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, parse_int=_bounded)
