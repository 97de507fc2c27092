"""Toolsets: `*.toolsets.jsonc` files as VS Code has them, and which tools of the catalog their members are.

    { "reader": { "tools": ["read_file", "search", "other-set", "git/*"], "description": "…", "icon": "book" } }

A member is a tool by its name or `#` name, another set, or `source/tool` and `source/*`. What is wrong with one set is
noted and harms no other.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from callgate.core.json.jsonc import BadJson, read_jsonc
from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.core.toolset import Toolset

PATTERN = "*.toolsets.jsonc"
MOST_BYTES = 1024 * 1024
"""Nobody writes a larger one by hand."""
MOST_SETS = 1000
CHECK_SECONDS = 1.0
"""How often the files are looked at: soon enough for somebody who edits one, and not with every request."""
_NAMED = re.compile(r"[A-Za-z_][\w.-]*")
_KNOWN = frozenset({"tools", "description", "icon"})

Signature = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A set as a file writes it."""

    name: str
    members: tuple[str, ...]
    description: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    sets: tuple[Declared, ...] = ()
    notes: tuple[str, ...] = ()


class Toolsets:
    """The sets of some folders, read again when a file changes. A file that breaks leaves its last good sets."""

    def __init__(
        self,
        folders: Sequence[Path],
        tools: Callable[[], tuple[Tool, ...]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._tools = tools
        self._clock = clock
        self._looked: float | None = None
        self._good: dict[Path, Reading] = {}
        self._readings: tuple[Reading, ...] = ()
        self._signature: Signature | None = None
        self._resolved_for: tuple[Tool, ...] = ()
        self._sets: tuple[Toolset, ...] = ()
        self._notes: tuple[str, ...] = ()

    def sets(self) -> tuple[Toolset, ...]:
        self._refresh()
        return self._sets

    def declared(self) -> tuple[tuple[Path, Declared], ...]:
        """The sets as their files write them; of two with one name the first counts."""
        self._refresh()
        files = (Path(name) for name, _, _ in self._signature or ())
        found: dict[str, tuple[Path, Declared]] = {}
        for file, reading in zip(files, self._readings, strict=True):
            for one in reading.sets:
                found.setdefault(one.name, (file, one))
        return tuple(found.values())

    def look_again(self) -> None:
        """A file has just been changed: it need not be waited for."""
        self._looked, self._signature = None, None

    def notes(self) -> tuple[str, ...]:
        """What was left out or can't be, in words."""
        self._refresh()
        return self._notes

    def _refresh(self) -> None:
        tools = self._tools()
        if not self._reread() and tools == self._resolved_for:
            return
        self._resolved_for = tools
        declared = [one for reading in self._readings for one in reading.sets]
        self._sets, notes = resolve(declared, tools)
        self._notes = (*(note for reading in self._readings for note in reading.notes), *notes)

    def _reread(self) -> bool:
        """Whether any file has changed since it was last read."""
        now = self._clock()
        if self._looked is not None and now - self._looked < CHECK_SECONDS:
            return False
        self._looked = now
        signature = tuple(stamp for folder in self._folders for stamp in _stamps(folder))
        if signature == self._signature:
            return False
        self._signature = signature
        self._readings = tuple(self._read(Path(name)) for name, _, _ in signature)
        return True

    def _read(self, file: Path) -> Reading:
        before = self._good.get(file, Reading())
        try:
            data = _content(file)
            if len(data) > MOST_BYTES:
                return Reading(before.sets, (f"{file}: larger than {MOST_BYTES // 1024} KB, so it was not read",))
            reading = read_toolsets(data.decode("utf-8"), str(file))
        except BadJson as bad:
            return Reading(before.sets, (f"{file}, {bad}",))
        except (OSError, UnicodeDecodeError) as bad:
            return Reading(before.sets, (f"{file} cannot be read: {bad}",))
        self._good[file] = reading
        return reading


def _stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    for file in sorted(folder.glob(PATTERN)):
        try:
            status = file.stat()
        except OSError:
            continue  # gone meanwhile, or a link to nowhere
        if stat.S_ISREG(status.st_mode):
            yield str(file), status.st_mtime_ns, status.st_size


def _content(file: Path) -> bytes:
    """A file, or a little more than may be read of it. A pipe that was put in its place must not hold up the loop."""
    with os.fdopen(os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", str(file))
        return stream.read(MOST_BYTES + 1)


def read_toolsets(text: str, where: str) -> Reading:
    """Raises `BadJson` where the text is none."""
    value = read_jsonc(text) if text.strip() else {}
    if not isinstance(value, dict):
        return Reading(notes=(f"{where}: expected an object of toolsets, name: {{ tools: […] }}",))
    sets: list[Declared] = []
    notes: list[str] = []
    for name, body in value.items():
        problem = _shape_problem(name, body)
        if problem or not isinstance(body, dict):
            notes.append(f"{where}: the toolset {name!r} was left out: {problem}")
            continue
        unknown = sorted(body.keys() - _KNOWN)
        if unknown:
            notes.append(f"{where}: the toolset {name!r} has an unknown key {unknown[0]!r}, which is ignored")
        members = body.get("tools")
        sets.append(
            Declared(
                name,
                tuple(str(member) for member in (members if isinstance(members, list) else ())),
                str(body.get("description", "")),
                str(body.get("icon", "")),
            )
        )
    return Reading(tuple(sets), tuple(notes))


def resolve(declared: Iterable[Declared], tools: Iterable[Tool]) -> tuple[tuple[Toolset, ...], tuple[str, ...]]:
    """The sets with their members as tools of the catalog, and what had to be left out."""
    return _Resolver(declared, tools).resolve()


class _Resolver:
    def __init__(self, declared: Iterable[Declared], tools: Iterable[Tool]) -> None:
        self._notes: list[str] = []
        self._sets: dict[str, Declared] = {}
        self._by_member: dict[str, list[str]] = {}
        for tool in tools:
            if not tool.private:
                self._index(tool)
        for one in declared:
            if len(self._sets) >= MOST_SETS:
                self._notes.append(f"There are more than {MOST_SETS} toolsets; {one.name!r} was left out")
            elif one.name in self._sets:
                self._notes.append(f"The toolset {one.name!r} is declared twice; the first one counts")
            else:
                self._sets[one.name] = one

    def resolve(self) -> tuple[tuple[Toolset, ...], tuple[str, ...]]:
        found: list[Toolset] = []
        for name, one in self._sets.items():
            tools = self._tools_of(name)
            if tools:
                found.append(Toolset(name, tools, one.description, one.icon))
            else:
                self._notes.append(f"The toolset {name!r} holds no tool that is there, so it was left out")
        return tuple(found), tuple(dict.fromkeys(self._notes))

    def _index(self, tool: Tool) -> None:
        own = dict.fromkeys((tool.name, tool.reference))
        for member in (*own, f"{tool.source}/*", *(f"{tool.source}/{name}" for name in own)):
            self._by_member.setdefault(member, []).append(tool.name)

    def _tools_of(self, name: str) -> tuple[str, ...]:
        """All that can be reached from a set; no recursion, as a file may nest them as deep as it likes."""
        out: dict[str, None] = {}
        seen = {name}
        path = {name: None}
        """The sets that are open, outermost first; a mapping, as it is asked for each member."""
        open_sets = [iter(self._sets[name].members)]
        while open_sets:
            member = next(open_sets[-1], None)
            if member is None:
                open_sets.pop()
                path.popitem()
            elif member in self._by_member:
                out.update(dict.fromkeys(self._by_member[member]))
            elif member in path:
                self._notes.append(_circle(list(path), member))
            elif member not in self._sets:
                inner = next(reversed(path))
                self._notes.append(f"The toolset {inner!r} names {member!r}, which is neither a tool nor a toolset")
            elif member not in seen:
                seen.add(member)
                path[member] = None
                open_sets.append(iter(self._sets[member].members))
        return tuple(out)


def _circle(path: list[str], back_to: str) -> str:
    """The same words wherever one begins to go round."""
    circle = path[path.index(back_to) :]
    start = circle.index(min(circle))
    turned = [*circle[start:], *circle[:start], circle[start]]
    return f"Toolsets go round in a circle, which is ignored: {' → '.join(turned)}"


def _shape_problem(name: str, body: Json) -> str:
    if _NAMED.fullmatch(name) is None:
        return "its name must be a word of letters, digits, '_', '.' and '-' to be named with #"
    if not isinstance(body, dict):
        return "expected { tools: […] }"
    members = body.get("tools")
    if not isinstance(members, list) or not all(isinstance(member, str) for member in members):
        return "tools must be a list of names"
    if not members:
        return "it is empty"
    for key in ("description", "icon"):
        if not isinstance(body.get(key, ""), str):
            return f"{key} must be a text"
    return ""
