"""Tools that understand code of the workspace: definitions, references, symbols, hover. They run none of it.

Python is understood by jedi, which is not thread-safe and can be slow: one thread of its own does all the work, bounded
in time, and loads jedi with the first question.
"""

import asyncio
import importlib
import io
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Protocol

from callgate.core.messages import Json
from callgate.tools.builtin.definition import count, define, string, text
from callgate.tools.builtin.outline import KNOWN, outline
from callgate.tools.builtin.source import BuiltinTool, ToolProblem
from callgate.tools.builtin.walking import file_at
from callgate.tools.confinement import Confinement
from callgate.tools.source import CallContext

CODE_SECONDS = 20.0
"""A first look into a large project takes seconds; longer and the model is better served by search_text."""
MOST_RESULTS = 200
MOST_BYTES = 2 * 1024 * 1024
PYTHON = frozenset({".py", ".pyi"})
READER = "callgate.tools.builtin.python_reader"
_TAGS = ("code", "python", "read-only")


class _Python(Protocol):
    def definitions(self, arguments: Mapping[str, Json]) -> str: ...

    def references(self, arguments: Mapping[str, Json]) -> str: ...

    def symbols(self, path: str) -> list[str]: ...

    def hover(self, arguments: Mapping[str, Json]) -> str: ...


class CodeReader:
    def __init__(self, workspace: Confinement, cache: Path) -> None:
        """`cache` is where parsed files are kept between calls."""
        self._workspace = workspace
        self._cache = cache
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jedi")
        self._loaded: _Python | None = None

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def find_definition(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(lambda: self._python().definitions(arguments))

    async def find_references(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(lambda: self._python().references(arguments))

    async def list_symbols(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(partial(self._symbols, arguments))

    async def hover(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(lambda: self._python().hover(arguments))

    async def _in_time(self, work: Callable[[], str]) -> str:
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            async with asyncio.timeout(CODE_SECONDS):
                return await future
        except TimeoutError as slow:
            raise ToolProblem(
                f"The code could not be understood within {CODE_SECONDS:g} seconds; use search_text instead"
            ) from slow

    # ---- on jedi's thread ------------------------------------------------------------------------------------------

    def _python(self) -> _Python:
        python: _Python = self._loaded or importlib.import_module(READER).PythonReader(self._workspace, self._cache)
        self._loaded = python
        return python

    def _symbols(self, arguments: Mapping[str, Json]) -> str:
        path = file_at(self._workspace, string(arguments, "path"))
        rows = self._python().symbols(string(arguments, "path")) if path.suffix in PYTHON else self._outline(path)
        if len(rows) > MOST_RESULTS:
            rows[MOST_RESULTS:] = [f"[more than {MOST_RESULTS} symbols]"]
        return "\n".join(rows) if rows else f"{self._workspace.shown(path)} defines nothing"

    def _outline(self, path: Path) -> list[str]:
        rows = outline(path, read_source(self._workspace, path))
        if rows is None:
            raise ToolProblem(f"{self._workspace.shown(path)} is not understood; {KNOWN} are")
        return rows


def read_source(workspace: Confinement, path: Path) -> str:
    data = workspace.read_bytes(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolProblem(f"{workspace.shown(path)} is too large to be understood")
    return io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace").read()  # with the line ends of every system as \n


def code_tools(reader: CodeReader) -> tuple[BuiltinTool, ...]:
    file = text("Path of the Python file, relative to the workspace")
    line = count("Line on which the symbol stands, counted from 1")
    symbol = text("Name of the symbol, as it stands on that line")
    where: dict[str, Json] = {"path": file, "line": line, "symbol": symbol}
    return (
        define(
            reader.find_definition,
            "find_definition",
            "Find definition",
            "Find where a Python symbol is defined: the one used on a line of a file, or, without path, any of that "
            "name in the workspace.",
            where,
            required=("symbol",),
            tags=_TAGS,
        ),
        define(
            reader.find_references,
            "find_references",
            "Find references",
            "Find where the Python symbol on a line of a file is used in the workspace.",
            where,
            required=("path", "line", "symbol"),
            tags=_TAGS,
        ),
        define(
            reader.list_symbols,
            "list_symbols",
            "List symbols",
            "List the classes, functions and module variables that a Python file defines, with their lines. Of other "
            "source files (JavaScript, TypeScript, Go, Rust, Java, C, shell …) what they declare; of Markdown the "
            "headings.",
            {"path": text("Path of the file, relative to the workspace")},
            required=("path",),
            tags=_TAGS,
        ),
        define(
            reader.hover,
            "hover",
            "Hover",
            "Show the type, signature and documentation of the Python symbol on a line of a file.",
            where,
            required=("path", "line", "symbol"),
            tags=_TAGS,
        ),
    )
