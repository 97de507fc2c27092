"""Reading the workspace: read a file, list a directory, find files by name, search their text. All read-only."""

import threading
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import cast

import pathspec
import regex

from callgate.core.glob import glob_pattern
from callgate.core.messages import Json
from callgate.core.tool import Annotations, Schema, Tool
from callgate.tools.builtin.source import BuiltinTool, Stopped, ToolProblem
from callgate.tools.confinement import Confinement

MOST_BYTES = 256 * 1024
"""A model's window is finite: a longer file is read in pieces by line numbers."""
MOST_ENTRIES = 500
MOST_MATCHES = 200
LONGEST_LINE = 400
PATTERN_SECONDS = 0.05
_READS = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)
_NEVER_WALKED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"}


def file_tools(workspace: Confinement) -> tuple[BuiltinTool, ...]:
    """The read-only file tools of a workspace."""
    return (
        _tool(
            workspace,
            read_file,
            "read_file",
            "Read file",
            "Read a text file of the workspace. Long files can be read in pieces with start_line and end_line.",
            {
                "path": _text("Path of the file, relative to the workspace"),
                "start_line": _count("First line to read, counted from 1"),
                "end_line": _count("Last line to read, included"),
            },
            required=("path",),
        ),
        _tool(
            workspace,
            list_directory,
            "list_directory",
            "List directory",
            "List the files and folders in a directory of the workspace; folders end with a slash.",
            {"path": _text("Path of the directory, relative to the workspace", default=".")},
        ),
        _tool(
            workspace,
            find_files,
            "find_files",
            "Find files",
            "Find files of the workspace by a glob on their path, such as '*.py' or 'src/**/test_*'. "
            "Files ignored by git are left out.",
            {
                "pattern": _text("Glob; a pattern without a slash is matched against the file's name"),
                "path": _text("Directory to search in", default="."),
            },
            required=("pattern",),
        ),
        _tool(
            workspace,
            search_text,
            "search_text",
            "Search text",
            "Search the text of the workspace's files; returns path:line: text for each match. "
            "Files ignored by git and binary files are left out.",
            {
                "query": _text("Text to look for, or a regular expression if regex is true"),
                "path": _text("File or directory to search in", default="."),
                "include": _text("Glob that a file's path must fit, such as '*.py'"),
                "regex": {"type": "boolean", "description": "Treat query as a regular expression", "default": False},
                "case_sensitive": {"type": "boolean", "description": "Match upper and lower case", "default": False},
            },
            required=("query",),
        ),
    )


def read_file(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    path = _file(workspace, _string(arguments, "path"))
    with path.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1 if "start_line" not in arguments and "end_line" not in arguments else -1)
    if b"\x00" in data[:8192]:
        raise ToolProblem(f"{workspace.shown(path)} is a binary file of {path.stat().st_size:,} bytes")
    lines = data.decode("utf-8", "replace").splitlines(keepends=True)
    if len(data) > MOST_BYTES and "start_line" not in arguments and "end_line" not in arguments:
        head = data[:MOST_BYTES].decode("utf-8", "ignore")
        size = path.stat().st_size
        return f"{head}\n[cut after {MOST_BYTES:,} of {size:,} bytes: read on with start_line and end_line]"
    first = cast(int, arguments.get("start_line") or 1)
    last = cast(int, arguments.get("end_line") or len(lines))
    if first > max(len(lines), 1):
        raise ToolProblem(f"{workspace.shown(path)} has only {len(lines)} lines")
    if last < first:
        raise ToolProblem(f"end_line {last} comes before start_line {first}")
    piece = "".join(lines[first - 1 : last])
    return piece if len(piece) <= MOST_BYTES else f"{piece[:MOST_BYTES]}\n[cut: ask for fewer lines]"


def list_directory(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    folder = _folder(workspace, _string(arguments, "path", "."))
    entries = sorted(folder.iterdir(), key=lambda entry: (not entry.is_dir(), entry.name.casefold()))
    names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries[:MOST_ENTRIES]]
    if len(entries) > MOST_ENTRIES:
        names.append(f"[and {len(entries) - MOST_ENTRIES} more]")
    return "\n".join(names) if names else f"{workspace.shown(folder)} is empty"


def find_files(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    pattern = _string(arguments, "pattern")
    folder = _folder(workspace, _string(arguments, "path", "."))
    fits = _path_filter(pattern)
    found: list[str] = []
    for path in walk(workspace, folder, stop):
        shown = workspace.shown(path)
        if fits(shown):
            if len(found) == MOST_ENTRIES:
                found.append(f"[more than {MOST_ENTRIES} files: narrow the pattern]")
                break
            found.append(shown)
    return "\n".join(found) if found else f"No file fits {pattern!r}"


def search_text(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    query = _string(arguments, "query")
    if not query:
        raise ToolProblem("query is empty")
    start = workspace.resolve(_string(arguments, "path", "."))
    if not start.exists():
        raise ToolProblem(f"There is no {workspace.shown(start)}")
    flags = 0 if arguments.get("case_sensitive") else regex.IGNORECASE
    try:
        wanted = regex.compile(query if arguments.get("regex") else regex.escape(query), flags)
    except regex.error as bad:
        raise ToolProblem(f"query is not a regular expression: {bad}") from bad
    fits = _path_filter(_string(arguments, "include", "*") or "*")
    found: list[str] = []
    for path in [start] if start.is_file() else walk(workspace, start, stop):
        shown = workspace.shown(path)
        if fits(shown) and not _search_file(path, shown, wanted, found, stop):
            found.append(f"[more than {MOST_MATCHES} matches: narrow the search]")
            break
    return "\n".join(found) if found else f"No match for {query!r}"


def walk(workspace: Confinement, folder: Path, stop: threading.Event) -> Iterator[Path]:
    """Files under a folder in a stable order, without what git ignores; links that lead outside are not followed."""
    ignored = _ignored(workspace.root)
    pending = [folder]
    while pending:
        current = pending.pop()
        if stop.is_set():
            raise Stopped
        try:
            entries = sorted(current.iterdir(), key=lambda entry: entry.name)
        except PermissionError:
            continue
        folders: list[Path] = []
        for entry in entries:
            if entry.is_symlink() or entry.name in _NEVER_WALKED:
                continue
            shown = workspace.shown(entry)
            if entry.is_dir():
                if not ignored.match_file(shown + "/"):
                    folders.append(entry)
            elif entry.is_file() and not ignored.match_file(shown):
                yield entry
        pending.extend(reversed(folders))


def _search_file(path: Path, shown: str, wanted: "regex.Pattern[str]", found: list[str], stop: threading.Event) -> bool:
    """Adds a file's matches; False when there are too many in all."""
    if stop.is_set():
        raise Stopped
    try:
        data = path.read_bytes()
    except PermissionError:
        return True
    if b"\x00" in data[:8192]:
        return True
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        try:
            hit = wanted.search(line, timeout=PATTERN_SECONDS)
        except TimeoutError as slow:
            raise ToolProblem("query is a pattern that takes too long; simplify it") from slow
        if hit:
            if len(found) == MOST_MATCHES:
                return False
            found.append(f"{shown}:{number}: {line.strip()[:LONGEST_LINE]}")
    return True


def _ignored(root: Path) -> "pathspec.PathSpec":
    rules = root / ".gitignore"
    lines = rules.read_text("utf-8", "replace").splitlines() if rules.is_file() else []
    return pathspec.PathSpec.from_lines("gitignore", lines)


def _path_filter(pattern: str):
    wanted = regex.compile(glob_pattern(pattern))
    by_name = "/" not in pattern
    return lambda shown: wanted.fullmatch(shown.rpartition("/")[2] if by_name else shown) is not None


def _file(workspace: Confinement, path: str) -> Path:
    real = workspace.resolve(path)
    if real.is_dir():
        raise ToolProblem(f"{workspace.shown(real)} is a directory, not a file")
    if not real.is_file():
        raise ToolProblem(f"There is no file {path!r} in the workspace")
    return real


def _folder(workspace: Confinement, path: str) -> Path:
    real = workspace.resolve(path or ".")
    if real.is_file():
        raise ToolProblem(f"{workspace.shown(real)} is a file, not a directory")
    if not real.is_dir():
        raise ToolProblem(f"There is no directory {path!r} in the workspace")
    return real


def _string(arguments: Mapping[str, Json], key: str, default: str = "") -> str:
    return cast(str, arguments.get(key, default))


def _text(description: str, default: str | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string", "description": description}
    return schema if default is None else {**schema, "default": default}


def _count(description: str) -> dict[str, Json]:
    return {"type": "integer", "minimum": 1, "description": description}


def _tool(workspace, run, name, title, description, properties, required=()) -> BuiltinTool:
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    tool = Tool(
        name,
        "built-in",
        description,
        schema,
        title=title,
        tags=("files", "read-only"),
        annotations=_READS,
    )
    return BuiltinTool(tool, partial(run, workspace))
