"""Two JSON values line by line, side by side: what is equal stands on the same height, what differs is marked. Pure.

Follows the structure as `json_diff` does: a tool that was put in front of others leaves a gap on the other side and
moves nothing else. A text of several lines is set out line by line, so that a changed prompt shows which line changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal

from callgate.core.json.diff import Path, Place, pairs, same, spelled
from callgate.core.messages import Json
from callgate.core.schema.form_value import spelled as spell
from callgate.core.text.diff import text_diff

SideKind = Literal["same", "added", "removed", "changed", "skipped"]

CONTEXT: Final = 3
"""Equal lines that stay around each difference."""
_INDENT: Final = "  "
_BAR: Final = "│ "
"""Starts each line of a text that is set out."""


@dataclass(frozen=True, slots=True)
class SideRow:
    kind: SideKind
    before: str | None = None
    """None = there is nothing on this side."""
    after: str | None = None
    where: str = ""
    """The path of the difference that begins here."""
    count: int = 0
    """With `skipped`: so many equal lines are left out."""


def sides(before: Json, after: Json, context: int | None = CONTEXT) -> Iterator[SideRow]:
    """All lines of both values; equal ones further than `context` from a difference are skipped. None = none are."""
    rows = _walk(before, after, (), 0, "", "")
    return rows if context is None else _folded(rows, context)


def _folded(rows: Iterator[SideRow], context: int) -> Iterator[SideRow]:
    equal: list[SideRow] = []
    begun = False
    for row in rows:
        if row.kind == "same":
            equal.append(row)
            continue
        yield from _gap(equal, context if begun else 0, context)
        yield row
        equal, begun = [], True
    yield from _gap(equal, context if begun else 0, 0)


def _gap(equal: list[SideRow], head: int, tail: int) -> Iterator[SideRow]:
    left_out = len(equal) - head - tail
    if left_out <= 1:  # a note that one line is left out takes as much room as the line
        yield from equal
        return
    yield from equal[:head]
    yield SideRow("skipped", count=left_out)
    yield from equal[len(equal) - tail :] if tail else ()


def _walk(before: Json, after: Json, path: Path, depth: int, old_key: str, new_key: str) -> Iterator[SideRow]:
    """`old_key` and `new_key`: what stands before the value in its first line."""
    pad = _INDENT * depth
    if isinstance(before, dict) and isinstance(after, dict) and (before or after):
        yield SideRow("same", f"{pad}{old_key}{{", f"{pad}{new_key}{{")
        yield from _objects(before, after, path, depth + 1)
        yield SideRow("same", f"{pad}}}", f"{pad}}}")
    elif isinstance(before, list) and isinstance(after, list) and (before or after):
        yield SideRow("same", f"{pad}{old_key}[", f"{pad}{new_key}[")
        for old, new in pairs(before, after):
            place = (*path, Place(old, new))
            if old is not None and new is not None:
                yield from _walk(before[old], after[new], place, depth + 1, "", "")
            elif old is not None:
                yield from _alone("removed", before[old], place, depth + 1, "")
            elif new is not None:
                yield from _alone("added", after[new], place, depth + 1, "")
        yield SideRow("same", f"{pad}]", f"{pad}]")
    elif same(before, after):
        for line in _lines(before, depth, old_key):
            yield SideRow("same", line, line)
    elif isinstance(before, str) and isinstance(after, str) and "\n" in before and "\n" in after:
        yield from _texts(before, after, path, depth, old_key)
    else:
        where = spelled(path)
        for old_line, new_line in zip_longest(_lines(before, depth, old_key), _lines(after, depth, new_key)):
            yield SideRow("changed", old_line, new_line, where)
            where = ""


def _objects(before: dict[str, Json], after: dict[str, Json], path: Path, depth: int) -> Iterator[SideRow]:
    for key, value in before.items():
        name = f"{spell(key)}: "
        if key in after:
            yield from _walk(value, after[key], (*path, key), depth, name, name)
        else:
            yield from _alone("removed", value, (*path, key), depth, name)
    for key, value in after.items():
        if key not in before:
            yield from _alone("added", value, (*path, key), depth, f"{spell(key)}: ")


def _alone(kind: Literal["added", "removed"], value: Json, path: Path, depth: int, key: str) -> Iterator[SideRow]:
    where = spelled(path)
    for line in _lines(value, depth, key):
        yield SideRow(kind, line, None, where) if kind == "removed" else SideRow(kind, None, line, where)
        where = ""


def _texts(before: str, after: str, path: Path, depth: int, key: str) -> Iterator[SideRow]:
    """Both lines that replace each other stand on the same height."""
    pad, bar, where = _INDENT * depth, _INDENT * (depth + 1) + _BAR, spelled(path)
    yield SideRow("same", f"{pad}{key}({_extent(before)})", f"{pad}{key}({_extent(after)})")
    gone: list[str] = []
    come: list[str] = []
    # each gets a line feed more: what the comparison takes for the end of a text is an empty last line here
    for line in (*text_diff(f"{before}\n", f"{after}\n").lines(None), None):
        if line is not None and line.kind != "same":
            (gone if line.kind == "removed" else come).append(bar + line.text)
            continue
        for old_line, new_line in zip_longest(gone, come):
            kind: SideKind = "added" if old_line is None else "removed" if new_line is None else "changed"
            yield SideRow(kind, old_line, new_line, where)
            where = ""
        gone, come = [], []
        if line is not None:
            yield SideRow("same", bar + line.text, bar + line.text)


def _lines(value: Json, depth: int, key: str) -> Iterator[str]:
    pad = _INDENT * depth
    if isinstance(value, dict) and value:
        yield f"{pad}{key}{{"
        for name, item in value.items():
            yield from _lines(item, depth + 1, f"{spell(name)}: ")
        yield f"{pad}}}"
    elif isinstance(value, list) and value:
        yield f"{pad}{key}["
        for item in value:
            yield from _lines(item, depth + 1, "")
        yield f"{pad}]"
    elif isinstance(value, str) and "\n" in value:
        yield f"{pad}{key}({_extent(value)})"
        for line in value.split("\n"):
            yield f"{_INDENT * (depth + 1)}{_BAR}{line}"
    else:
        yield f"{pad}{key}{spell(value)}"


def _extent(text: str) -> str:
    breaks = text.count("\n")
    return f"{breaks + 1:,} lines"
