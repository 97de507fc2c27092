"""Searching the workspace: find files by name, search their text. Changes nothing."""

import io
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import regex

from callgate.core.messages import Json
from callgate.tools.builtin.definition import chosen, define, flag, string, text
from callgate.tools.builtin.source import BuiltinTool, Stopped, ToolProblem
from callgate.tools.builtin.walking import folder_at, path_filter, walk
from callgate.tools.confinement import Confinement, OutsideWorkspace

MOST_FILES = 500
MOST_MATCHES = 200
LONGEST_LINE = 400
LARGEST_FILE = 32 * 1024 * 1024
"""A larger one is data, and would fill the memory."""
PATTERN_SECONDS = 0.05
"""A pattern that needs longer on one line is hostile or broken: it must not hold a thread for ever."""
_TAGS = ("files", "read-only")


def search_tools(workspace: Confinement) -> tuple[BuiltinTool, ...]:
    return (
        define(
            partial(find_files, workspace),
            "find_files",
            "Find files",
            "Find files of the workspace by a glob on their path, such as '*.py' or 'src/**/test_*'. "
            "Files ignored by git are left out.",
            {
                "pattern": text("Glob; a pattern without a slash is matched against the file's name"),
                "path": text("Directory to search in", default="."),
            },
            required=("pattern",),
            tags=_TAGS,
        ),
        define(
            partial(search_text, workspace),
            "search_text",
            "Search text",
            "Search the text of the workspace's files; returns path:line: text for each match. "
            "Files ignored by git and binary files are left out.",
            {
                "query": text("Text to look for, or a regular expression if regex is true"),
                "path": text("File or directory to search in", default="."),
                "include": text("Glob that a file's path must fit, such as '*.py'"),
                "regex": flag("Treat query as a regular expression"),
                "case_sensitive": flag("Match upper and lower case"),
            },
            required=("query",),
            tags=_TAGS,
        ),
    )


def find_files(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    pattern = string(arguments, "pattern")
    folder = folder_at(workspace, string(arguments, "path", "."))
    fits = path_filter(pattern)
    found: list[str] = []
    for path in walk(workspace, folder, stop):
        shown = workspace.shown(path)
        if fits(shown):
            if len(found) == MOST_FILES:
                found.append(f"[more than {MOST_FILES} files: narrow the pattern]")
                break
            found.append(shown)
    return "\n".join(found) if found else f"No file fits {pattern!r}"


def search_text(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    query = string(arguments, "query")
    if not query:
        raise ToolProblem("query is empty")
    start = workspace.resolve(string(arguments, "path", "."))
    if not start.exists():
        raise ToolProblem(f"There is no {workspace.shown(start)}")
    flags = 0 if chosen(arguments, "case_sensitive") else regex.IGNORECASE
    try:
        wanted = regex.compile(query if chosen(arguments, "regex") else regex.escape(query), flags)
    except regex.error as bad:
        raise ToolProblem(f"query is not a regular expression: {bad}") from bad
    fits = path_filter(string(arguments, "include", "*") or "*")
    found = _Found()
    for path in [start] if start.is_file() else walk(workspace, start, stop):
        shown = workspace.shown(path)
        if fits(shown) and not _search_file(workspace, path, wanted, found, stop):
            found.rows.append(f"[more than {MOST_MATCHES} matches: narrow the search]")
            break
    rows = found.rows or [f"No match for {query!r}"]
    if found.huge:
        files = "1 file was" if found.huge == 1 else f"{found.huge:,} files were"
        rows.append(f"[{files} not searched, being larger than {LARGEST_FILE >> 20} MB]")
    return "\n".join(rows)


@dataclass(slots=True)
class _Found:
    rows: list[str] = field(default_factory=list[str])
    huge: int = 0
    """Files that were too large to be read."""


def _search_file(
    workspace: Confinement, path: Path, wanted: "regex.Pattern[str]", found: _Found, stop: threading.Event
) -> bool:
    """Adds a file's matches; False when there are too many in all."""
    if stop.is_set():
        raise Stopped
    shown = workspace.shown(path)
    try:
        data = workspace.read_bytes(path, LARGEST_FILE + 1)
    except (OSError, OutsideWorkspace):  # it may not be read, or is gone or another since the folder was looked at
        return True
    if len(data) > LARGEST_FILE:
        found.huge += 1
        return True
    if b"\x00" in data[:8192]:
        return True
    # not splitlines(): it also splits at form feeds and U+2028, and the numbers would differ from every editor's
    for number, line in enumerate(io.StringIO(data.decode("utf-8", "replace"), newline=None), 1):
        try:
            hit = wanted.search(line.rstrip("\n"), timeout=PATTERN_SECONDS)
        except TimeoutError as slow:
            raise ToolProblem("query is a pattern that takes too long; simplify it") from slow
        if hit:
            if len(found.rows) == MOST_MATCHES:
                return False
            found.rows.append(f"{shown}:{number}: {_around(line.rstrip(), hit.start())}")
    return True


def _around(line: str, place: int) -> str:
    """The line with its indentation, which an edit must repeat; of a very long one the part with the match."""
    if len(line) <= LONGEST_LINE:
        return line
    start = max(0, min(place - LONGEST_LINE // 3, len(line) - LONGEST_LINE))
    end = start + LONGEST_LINE
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
