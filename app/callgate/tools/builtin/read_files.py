"""Reading the workspace: read a file, list a directory. Changes nothing."""

import io
import os
import sys
import threading
from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from callgate.core.messages import Json
from callgate.tools.builtin.definition import count, define, number, string, text
from callgate.tools.builtin.source import BuiltinTool, Stopped, ToolProblem
from callgate.tools.builtin.walking import file_at, folder_at
from callgate.tools.confinement import Confinement, Entry

MOST_BYTES = 256 * 1024
"""A model's window is finite: a longer file is read in pieces by line numbers."""
MOST_ENTRIES = 500
_TAGS = ("files", "read-only")


def read_tools(workspace: Confinement) -> tuple[BuiltinTool, ...]:
    return (
        define(
            partial(read_file, workspace),
            "read_file",
            "Read file",
            "Read a text file of the workspace. Long files can be read in pieces with start_line and end_line.",
            {
                "path": text("Path of the file, relative to the workspace"),
                "start_line": count("First line to read, counted from 1"),
                "end_line": count("Last line to read, included"),
            },
            required=("path",),
            tags=_TAGS,
        ),
        define(
            partial(list_directory, workspace),
            "list_directory",
            "List directory",
            "List the files and folders in a directory of the workspace; folders end with a slash.",
            {"path": text("Path of the directory, relative to the workspace", default=".")},
            tags=_TAGS,
        ),
    )


def read_file(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    path = file_at(workspace, string(arguments, "path"))
    with workspace.open_file(path) as stream:
        data = stream.read(MOST_BYTES + 1)
        size = os.fstat(stream.fileno()).st_size
        if b"\x00" in data[:8192]:
            raise ToolProblem(f"{workspace.shown(path)} is a binary file of {size:,} bytes")
        if "start_line" in arguments or "end_line" in arguments:
            stream.seek(0)
            return _read_lines(stream, workspace.shown(path), arguments, stop)
    if len(data) > MOST_BYTES:
        head = data[:MOST_BYTES].decode("utf-8", "ignore")
        return f"{head}\n[cut after {MOST_BYTES:,} of {size:,} bytes: read on with start_line and end_line]"
    return data.decode("utf-8", "replace")


def _read_lines(file: BinaryIO, shown: str, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    """Some lines of a file, which is never held in memory as a whole."""
    first, last = number(arguments, "start_line", 1), number(arguments, "end_line", sys.maxsize)
    if last < first:
        raise ToolProblem(f"end_line {last} comes before start_line {first}")
    piece: list[str] = []
    size = seen = 0
    with io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="") as stream:
        for seen, line in enumerate(islice(stream, last), 1):
            if stop.is_set():
                raise Stopped
            if seen < first:
                continue
            piece.append(line)
            size += len(line)
            if size > MOST_BYTES:
                return f"{''.join(piece)[:MOST_BYTES]}\n[cut: ask for fewer lines]"
    if first > max(seen, 1):
        raise ToolProblem(f"{shown} has only {seen} lines")
    return "".join(piece)


def list_directory(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    folder = folder_at(workspace, string(arguments, "path", "."))
    shown = [(_leads_to_folder(workspace, folder, entry), entry.name) for entry in workspace.list_folder(folder)]
    entries = sorted(shown, key=lambda one: (not one[0], one[1].casefold()))
    names = [f"{name}/" if is_folder else name for is_folder, name in entries[:MOST_ENTRIES]]
    if len(entries) > MOST_ENTRIES:
        names.append(f"[and {len(entries) - MOST_ENTRIES} more]")
    return "\n".join(names) if names else f"{workspace.shown(folder)} is empty"


def _leads_to_folder(workspace: Confinement, folder: Path, entry: Entry) -> bool:
    """A link to a folder counts as one if it stays in the workspace: what is outside is not looked at."""
    if not entry.is_link:
        return entry.is_folder
    real = Path(os.path.realpath(folder / entry.name))
    return workspace.holds(real) and real.is_dir()
