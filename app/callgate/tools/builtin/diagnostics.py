"""Finding mistakes in the workspace's files without running any of them: Python, JSON and TOML syntax, and ruff."""

import json
import os
import re
import sys
import threading
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from callgate.core.messages import Json
from callgate.tools.builtin.definition import define, string, text
from callgate.tools.builtin.executables import find_executable, run_fixed
from callgate.tools.builtin.source import BuiltinTool, ToolProblem
from callgate.tools.builtin.walking import file_at, folder_at, walk
from callgate.tools.confinement import Confinement, OutsideWorkspace

CHECK_SECONDS = 30.0
"""For a whole workspace; what has been found by then is told."""
RUFF_SECONDS = 20.0
MOST_FOUND = 200
MOST_BYTES = 2 * 1024 * 1024
"""A longer file is data: checking it tells nobody anything."""
MOST_RUFF_BYTES = 16 * 1024 * 1024
_TOML_PLACE = re.compile(r"^(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_WITH_COMMENTS = re.compile(r"(^|/)(\.vscode/[^/]+|[jt]sconfig[^/]*|\.eslintrc|devcontainer)\.json$")
"""JSON in name only: comments are allowed in these."""
_TAGS = ("diagnostics", "read-only")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    path: str
    line: int
    column: int
    message: str
    is_fatal: bool = True
    """Whether the file can't be read at all: nobody else needs to be asked then."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.message}"


class _Place(BaseModel):
    row: int
    column: int


class _RuffFinding(BaseModel):
    """What we take of ruff's JSON."""

    code: str | None
    filename: str
    location: _Place
    message: str


_RUFF = TypeAdapter(list[_RuffFinding])


class Diagnostics:
    def __init__(self, workspace: Confinement, environ: Mapping[str, str] = os.environ) -> None:
        self._workspace = workspace
        self._path = environ.get("PATH", os.defpath)

    def check_file(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        path = file_at(self._workspace, string(arguments, "path"))
        shown = self._workspace.shown(path)
        if _checker(shown) is None:
            raise ToolProblem(f"{shown} cannot be checked: only Python, JSON and TOML are known")
        data = self._workspace.read_bytes(path, MOST_BYTES + 1)
        found = list(self._syntax(shown, data))
        if path.suffix in (".py", ".pyi") and not any(finding.is_fatal for finding in found):
            # ruff gets the text, not the path: it would follow a link that was put there meanwhile
            found += self._ruff(("--stdin-filename", str(path), "-"), stop, data)
        return _told(found, f"No problem was found in {shown}")

    def check_workspace(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        folder = folder_at(self._workspace, string(arguments, "path", "."))
        deadline = time.monotonic() + CHECK_SECONDS
        found: list[Finding] = []
        checked, note = 0, ""
        for path in walk(self._workspace, folder, stop):
            if time.monotonic() > deadline or len(found) > MOST_FOUND:
                note = f"\n[stopped after {checked} files: give a path to check less]"
                break
            if _checker(self._workspace.shown(path)) is not None:
                checked += 1
                found += self._syntax(self._workspace.shown(path), self._read(path))
        broken = {finding.path for finding in found if finding.is_fatal}
        if not note:
            found += [finding for finding in self._ruff(("--", str(folder)), stop) if finding.path not in broken]
        return _told(found, f"No problem was found in {checked} files") + note

    def _read(self, path: Path) -> bytes:
        """What a file that was found holds; nothing where it is gone or another by now."""
        try:
            return self._workspace.read_bytes(path, MOST_BYTES + 1)
        except (OSError, OutsideWorkspace):
            return b""

    def _syntax(self, shown: str, data: bytes) -> Iterator[Finding]:
        check = _checker(shown)
        if check is not None and len(data) <= MOST_BYTES:
            yield from check(shown, data)

    def _ruff(self, what: tuple[str, ...], stop: threading.Event, source: bytes = b"") -> list[Finding]:
        """What ruff finds, if it is installed; it reads the project's own settings and changes nothing."""
        beside = Path(sys.executable).parent
        program = find_executable("ruff", self._workspace, os.pathsep.join((self._path, str(beside))))
        if program is None:
            return []
        options = (
            "check",
            "--output-format=json",
            "--no-cache",
            "--no-fix",
            "--exit-zero",
            "--force-exclude",
            "--quiet",
        )
        answer = run_fixed(
            (program, *options, *what),
            self._workspace.root,
            {"PATH": self._path, "HOME": str(Path.home())},
            seconds=RUFF_SECONDS,
            most_bytes=MOST_RUFF_BYTES,
            stop=stop,
            text=source,
        )
        if answer.code != 0 or answer.is_cut:
            raise ToolProblem(f"ruff failed: {answer.errors.strip() or 'it found too much'}")
        found: list[Finding] = []
        for item in _RUFF.validate_json(answer.output or "[]"):
            real = Path(item.filename).resolve()
            if self._workspace.holds(real):
                message = f"{item.code} {item.message}" if item.code else item.message
                found.append(Finding(self._workspace.shown(real), item.location.row, item.location.column, message))
        return found


def diagnostic_tools(diagnostics: Diagnostics) -> tuple[BuiltinTool, ...]:
    return (
        define(
            diagnostics.check_file,
            "check_file",
            "Check file",
            "Check a Python, JSON or TOML file for mistakes without running it; returns path:line:column message.",
            {"path": text("Path of the file, relative to the workspace")},
            required=("path",),
            tags=_TAGS,
        ),
        define(
            diagnostics.check_workspace,
            "check_workspace",
            "Check workspace",
            "Check all Python, JSON and TOML files of the workspace, or of a directory, for mistakes without running "
            "them; returns path:line:column message for each.",
            {"path": text("Directory to check", default=".")},
            tags=_TAGS,
        ),
    )


def _checker(shown: str) -> Callable[[str, bytes], list[Finding]] | None:
    suffix = shown.rpartition("/")[2].rpartition(".")[2]
    if suffix == "json":
        return None if _WITH_COMMENTS.search(shown) else check_json
    return {"py": check_python, "pyi": check_python, "toml": check_toml}.get(suffix)


_COMPILING = threading.Lock()


def check_python(shown: str, source: bytes) -> list[Finding]:
    # one at a time: catching warnings changes what the whole process does with them
    with _COMPILING, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            compile(source, shown, "exec", dont_inherit=True)
        except SyntaxError as bad:
            return [Finding(shown, bad.lineno or 1, max(bad.offset or 1, 1), f"SyntaxError: {bad.msg}")]
        except (ValueError, RecursionError, MemoryError) as bad:
            return [Finding(shown, 1, 1, f"cannot be compiled: {bad or type(bad).__name__}")]
    return [Finding(shown, one.lineno, 1, f"{one.category.__name__}: {one.message}", is_fatal=False) for one in caught]


def check_json(shown: str, source: bytes) -> list[Finding]:
    try:
        json.loads(source.decode("utf-8-sig"))
    except json.JSONDecodeError as bad:
        return [Finding(shown, bad.lineno, bad.colno, f"JSON: {bad.msg}")]
    except UnicodeDecodeError as bad:
        return [_not_utf8(shown, source, bad)]
    except RecursionError:
        return [Finding(shown, 1, 1, "JSON: nested too deeply")]
    return []


def check_toml(shown: str, source: bytes) -> list[Finding]:
    try:
        tomllib.loads(source.decode("utf-8"))
    except tomllib.TOMLDecodeError as bad:
        place = _TOML_PLACE.match(str(bad))
        if place is None or place["line"] is None:
            return [Finding(shown, source.count(b"\n") + 1, 1, f"TOML: {bad}")]
        return [Finding(shown, int(place["line"]), int(place["column"]), f"TOML: {place['message']}")]
    except UnicodeDecodeError as bad:
        return [_not_utf8(shown, source, bad)]
    except RecursionError:
        return [Finding(shown, 1, 1, "TOML: nested too deeply")]
    return []


def _not_utf8(shown: str, source: bytes, bad: UnicodeDecodeError) -> Finding:
    return Finding(shown, source.count(b"\n", 0, bad.start) + 1, 1, "not UTF-8")


def _told(found: list[Finding], nothing: str) -> str:
    if not found:
        return nothing
    rows = [str(finding) for finding in sorted(found)[:MOST_FOUND]]
    if len(found) > MOST_FOUND:
        rows.append(f"[more than {MOST_FOUND} problems]")
    return "\n".join(rows)
