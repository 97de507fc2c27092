"""Changing one toolset in the text of a `*.toolsets.jsonc` file: every other set and every comment stays. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from callgate.core.json.jsonc import BadJson, plain, read_jsonc
from callgate.core.messages import Json

_INDENT = "  "


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    """Where the key begins."""
    value_start: int
    end: int
    """Behind the value."""


def put_toolset(text: str, name: str, body: dict[str, Json], was: str = "") -> str:
    """The text with a set as it is now; `was`: its name so far. Raises `BadJson` where the text is none."""
    if not text.strip():
        text = "{\n}\n"
    old = _find(text, was or name)
    if old is None:
        return _inserted(
            text, text.index("{", _object_start(text)), name, json.dumps(body, indent=2, ensure_ascii=False), 1
        )
    if old.key != name:
        text = text[: old.start] + json.dumps(name, ensure_ascii=False) + text[_key_end(text, old) :]
        old = _find(text, name)
        assert old is not None
    value = read_jsonc(text[old.value_start : old.end])
    known = value if isinstance(value, dict) else None
    if known is None:
        return text[: old.value_start] + _nested(json.dumps(body, indent=2, ensure_ascii=False), 1) + text[old.end :]
    for key in ("tools", "description", "icon"):
        wanted = body.get(key)
        if wanted == known.get(key):
            continue
        text = _with_field(text, name, key, wanted)
    return text


def remove_toolset(text: str, name: str) -> str:
    """The text without a set. Raises `BadJson`."""
    old = _find(text, name)
    return text if old is None else _cut(text, old)


def _with_field(text: str, name: str, key: str, value: Json) -> str:
    owner = _find(text, name)
    assert owner is not None
    field = next((one for one in _members(text, owner.value_start) if one.key == key), None)
    written = json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, list) and len(value) > 4 else None)
    if field is not None and value is None:
        return _cut(text, field)
    if field is not None:
        return text[: field.value_start] + _nested(written, 2) + text[field.end :]
    return text if value is None else _inserted(text, owner.value_start, key, written, 2)


def _inserted(text: str, brace: int, key: str, written: str, depth: int) -> str:
    """A new member at the end of the object that begins at `brace`."""
    members = list(_members(text, brace))
    line = "\n" + _INDENT * depth
    entry = f"{line}{json.dumps(key, ensure_ascii=False)}: {_nested(written, depth)}"
    if not members:
        rest = text[brace + 1 :]
        gap = "" if rest.lstrip(" \t").startswith("\n") else "\n" + _INDENT * (depth - 1)
        return text[: brace + 1] + entry + gap + rest
    end = members[-1].end
    comma = _comma_after(text, end)
    if comma is not None:  # a trailing comma, as comments allow
        return text[: comma + 1] + entry + text[comma + 1 :]
    return text[:end] + "," + entry + text[end:]


def _cut(text: str, member: _Member) -> str:
    """A member with its comma, and with its line where it has that for itself."""
    start, end = member.start, member.end
    comma = _comma_after(text, end)
    if comma is not None:
        end = comma + 1
    else:
        before = plain(text)[:start].rstrip()
        if before.endswith(","):
            text = text[: len(before) - 1] + " " + text[len(before) :]
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    if not text[line_start:start].strip() and line_end >= 0 and not text[end:line_end].strip():
        start, end = line_start, line_end + 1
    return text[:start] + text[end:]


def _find(text: str, name: str) -> _Member | None:
    return next((one for one in _members(text, _object_start(text)) if one.key == name), None)


def _object_start(text: str) -> int:
    bare = plain(text)
    start = len(bare) - len(bare.lstrip("\ufeff \t\r\n"))
    if not bare.startswith("{", start):
        raise BadJson("expected an object of toolsets", bare.count("\n", 0, start) + 1, 1)
    read_jsonc(text)
    return start


def _members(text: str, brace: int) -> Iterator[_Member]:
    """The members of the object that begins at `brace`; the text is known to be valid."""
    bare = plain(text)
    decoder = json.JSONDecoder()
    at = _skip(bare, brace + 1)
    while bare[at] != "}":
        key, key_end = decoder.raw_decode(bare, at)
        value_start = _skip(bare, _skip(bare, key_end) + 1)
        _, end = decoder.raw_decode(bare, value_start)
        yield _Member(str(key), at, value_start, end)
        at = _skip(bare, end)
        if bare[at] == ",":
            at = _skip(bare, at + 1)


def _skip(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at


def _comma_after(text: str, end: int) -> int | None:
    """Where the comma behind a value stands, comments in between left out; a trailing one counts too."""
    bare = plain(text, commas=True)
    at = end
    while at < len(bare) and bare[at].isspace():
        at += 1
    return at if at < len(bare) and bare[at] == "," else None


def _key_end(text: str, member: _Member) -> int:
    _, end = json.JSONDecoder().raw_decode(plain(text), member.start)
    return end


def _nested(written: str, depth: int) -> str:
    return written.replace("\n", "\n" + _INDENT * depth)
