"""What changed between two definitions of a tool, in words for the person who once approved the first.

Pure, and complete: two definitions with different fingerprints have at least one change. Knows JSON Schema only as far
as words need it: properties, items and what is required. Whatever it does not know is compared as plain JSON.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from callgate.core.messages import Json
from callgate.core.tool import Tool, ToolSpec

Defined = Tool | ToolSpec | Mapping[str, Json]
"""A tool, or its `definition` as it was stored."""

ChangeKind = Literal["added", "removed", "changed"]

DEEPEST = 60
"""Steps into a definition; what lies deeper is compared as a whole. No honest schema is nested like that."""

_SHORT = 60
"""Values up to this length are told in the sentence; longer ones are for a side-by-side view."""

_UNSAID = "unsaid"
"""A hint that a tool does not give."""

_NAMED = {"properties": "property", "patternProperties": "properties like", "$defs": "part", "definitions": "part"}
"""Keys of a schema under which names stand instead of keywords, and what such a name is called."""


class _Absent:
    """Not there; `None` is a value of JSON."""


_ABSENT = _Absent()
_Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    """Where, such as `schema.properties.path.type`."""
    before: Json
    """The whole value; None if it was added."""
    after: Json
    """The whole value; None if it was removed."""
    kind: ChangeKind
    words: str
    """The change as a sentence without its full stop; long values are left to `before` and `after`."""

    def __str__(self) -> str:
        return self.words


def diff(old: Defined, new: Defined) -> tuple[Change, ...]:
    """Every change from one definition to the other, in the order of the definition; empty = they are the same."""
    return tuple(_walk((), _definition(old), _definition(new)))


def _definition(tool: Defined) -> dict[str, Json]:
    return tool.definition if isinstance(tool, Tool | ToolSpec) else dict(tool)


def _walk(steps: _Steps, old: Json, new: Json) -> Iterator[Change]:
    if _spelled(old) == _spelled(new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and len(steps) < DEEPEST:
        for key in dict.fromkeys([*old, *new]):
            yield from _either((*steps, key), old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list) and len(steps) < DEEPEST:
        yield from _lists(steps, old, new)
    else:
        yield _changed(steps, old, new)


def _either(steps: _Steps, old: Json | _Absent, new: Json | _Absent) -> Iterator[Change]:
    if isinstance(old, _Absent):
        if not isinstance(new, _Absent):
            yield _added(steps, new)
    elif isinstance(new, _Absent):
        yield _removed(steps, old)
    else:
        yield from _walk(steps, old, new)


def _lists(steps: _Steps, old: list[Json], new: list[Json]) -> Iterator[Change]:
    if any(isinstance(item, dict | list) for item in (*old, *new)):
        for index, (before, after) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
            yield from _either((*steps[:-1], f"{steps[-1]}[{index}]"), before, after)
        return
    had, has = {_spelled(item): item for item in old}, {_spelled(item): item for item in new}
    if had.keys() == has.keys():
        yield _changed(steps, old, new)  # another order, or one twice
    for text, item in had.items():
        if text not in has:
            yield _removed(steps, item, member=True)
    for text, item in has.items():
        if text not in had:
            yield _added(steps, item, member=True)


def _spelled(value: Json) -> str:
    # not `==`: to Python True is 1 and 1 is 1.0, and to whoever reads a schema they are not
    return json.dumps(value, sort_keys=True)


# ---- words ---------------------------------------------------------------------------------------------------------


def _added(steps: _Steps, value: Json, *, member: bool = False) -> Change:
    if member and steps[-1] == "required":
        words = f"{_subject((*steps[:-1], 'properties', str(value)))} is required now"
    elif member:
        words = f"{_subject(steps)}: {_spelled(value)} added"
    else:
        words = f"{_subject(steps)} added{_brief(': ', value)}"
    return Change(".".join(steps), None, value, "added", words)


def _removed(steps: _Steps, value: Json, *, member: bool = False) -> Change:
    if member and steps[-1] == "required":
        words = f"{_subject((*steps[:-1], 'properties', str(value)))} is no longer required"
    elif member:
        words = f"{_subject(steps)}: {_spelled(value)} removed"
    else:
        words = f"{_subject(steps)} removed{_brief(': ', value)}"
    return Change(".".join(steps), value, None, "removed", words)


def _changed(steps: _Steps, before: Json, after: Json) -> Change:
    was, now = _brief("", before), _brief("", after)
    if steps[:1] == ("annotations",):
        was, now = (_UNSAID if said == "null" else said for said in (was, now))
    words = f"{_subject(steps)} changed from {was} to {now}" if was and now else f"{_subject(steps)} changed"
    return Change(".".join(steps), before, after, "changed", words)


def _brief(lead: str, value: Json) -> str:
    """The value, if it fits into a sentence whole: half a value would hide what the other half says."""
    text = json.dumps(value, ensure_ascii=False)
    return f"{lead}{text}" if len(text) <= _SHORT else ""


def _subject(steps: _Steps) -> str:
    match steps:
        case ():
            return "definition"
        case ("annotations", hint):
            return f"hint {hint}"
        case ("schema", *inner):
            return _in_schema(tuple(inner), "")
        case ("output_schema", *inner):
            return _in_schema(tuple(inner), " of the result")
        case _:
            return ".".join(steps)


def _in_schema(steps: _Steps, of: str) -> str:
    """`type of property files[].path` for `properties.files.items.properties.path.type`."""
    kind = owner = ""
    rest: list[str] = []
    index = 0
    while index < len(steps):
        step = steps[index]
        if step in _NAMED and index + 1 < len(steps):
            kind = kind or _NAMED[step]
            owner += ("." if owner else "") + steps[index + 1]
            rest.clear()
            index += 2
            continue
        if step == "items" and owner:
            owner += "[]"
        else:
            rest.append(step)
        index += 1
    where = f"{kind} {owner}" if owner else "schema"
    return f"{'.'.join(rest)} of {where}{of}" if rest else f"{where}{of}"
