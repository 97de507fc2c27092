"""Understanding Python code of the workspace through jedi: definitions, references, symbols, hover. Runs none of it.

Jedi is not thread-safe and can be slow, so that one thread of its own does all the work, bounded in time.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import jedi
import jedi.settings
import regex
from jedi.api.classes import BaseName

from callgate.core.messages import Json
from callgate.tools.builtin.definition import count, define, number, string, text
from callgate.tools.builtin.outline import KNOWN, outline
from callgate.tools.builtin.source import BuiltinTool, ToolProblem
from callgate.tools.builtin.walking import file_at
from callgate.tools.confinement import Confinement
from callgate.tools.source import CallContext

CODE_SECONDS = 20.0
"""A first look into a large project takes seconds; longer and the model is better served by search_text."""
MOST_RESULTS = 200
MOST_BYTES = 2 * 1024 * 1024
MOST_DOC = 4000
_TAGS = ("code", "python", "read-only")
_PYTHON = frozenset({".py", ".pyi"})


class _WorkspaceProject(jedi.Project):
    def get_environment(self) -> jedi.InterpreterEnvironment:
        """Never an interpreter that lies in the workspace: jedi would start it."""
        return jedi.InterpreterEnvironment()


class CodeReader:
    def __init__(self, workspace: Confinement, cache: Path) -> None:
        """`cache` is where parsed files are kept between calls."""
        self._workspace = workspace
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jedi")
        jedi.settings.cache_directory = str(cache)  # jedi has no other way to be told

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def find_definition(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(partial(self._definitions, arguments))

    async def find_references(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(partial(self._references, arguments))

    async def list_symbols(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(partial(self._symbols, arguments))

    async def hover(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        return await self._in_time(partial(self._hover, arguments))

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

    def _definitions(self, arguments: Mapping[str, Json]) -> str:
        symbol = string(arguments, "symbol")
        if not string(arguments, "path"):
            found = self._project().search(symbol)
            return self._rows(islice(found, MOST_RESULTS + 1), f"{symbol!r} is not defined in the workspace")
        script, line, column = self._position(arguments)
        names = script.goto(line, column, follow_imports=True, follow_builtin_imports=True)
        return self._rows(names, f"The definition of {symbol!r} was not found")

    def _references(self, arguments: Mapping[str, Json]) -> str:
        script, line, column = self._position(arguments)
        names = script.get_references(line, column, include_builtins=False)
        return self._rows(names, f"{string(arguments, 'symbol')!r} is not used")

    def _symbols(self, arguments: Mapping[str, Json]) -> str:
        path = file_at(self._workspace, string(arguments, "path"))
        rows = self._python_symbols(string(arguments, "path")) if path.suffix in _PYTHON else self._outline(path)
        if len(rows) > MOST_RESULTS:
            rows[MOST_RESULTS:] = [f"[more than {MOST_RESULTS} symbols]"]
        return "\n".join(rows) if rows else f"{self._workspace.shown(path)} defines nothing"

    def _python_symbols(self, path: str) -> list[str]:
        script, _ = self._script(path)
        rows: list[str] = []
        for name in script.get_names(all_scopes=True, definitions=True):
            depth = _depth(name)
            if name.type in ("class", "function") or (depth == 0 and name.type in ("statement", "instance")):
                rows.append(f"{name.line}: {'  ' * depth}{_kind(name)} {name.name}")
        return rows

    def _outline(self, path: Path) -> list[str]:
        self._check_size(path)
        rows = outline(path, path.read_text("utf-8", "replace"))
        if rows is None:
            raise ToolProblem(f"{self._workspace.shown(path)} is not understood; {KNOWN} are")
        return rows

    def _hover(self, arguments: Mapping[str, Json]) -> str:
        script, line, column = self._position(arguments)
        names = script.infer(line, column) or script.goto(line, column, follow_imports=True)
        blocks: list[str] = []
        for name in names[:5]:
            doc = name.docstring().strip()
            cut = doc if len(doc) <= MOST_DOC else doc[:MOST_DOC] + "\n[cut]"
            blocks.append(f"{_kind(name)} {name.full_name or name.name}\n{cut}".rstrip())
        return "\n\n".join(blocks) if blocks else f"Nothing is known of {string(arguments, 'symbol')!r}"

    # ---- steps -----------------------------------------------------------------------------------------------------

    def _project(self) -> jedi.Project:
        root = self._workspace.root
        packages = [str(path) for name in (".venv", "venv") for path in root.glob(f"{name}/lib/python*/site-packages")]
        return _WorkspaceProject(root, added_sys_path=packages, load_unsafe_extensions=False)

    def _script(self, path: str) -> tuple[jedi.Script, Path]:
        real = file_at(self._workspace, path)
        shown = self._workspace.shown(real)
        if real.suffix not in _PYTHON:
            raise ToolProblem(f"{shown} is not Python; only Python is understood")
        self._check_size(real)
        code = real.read_text("utf-8", "replace")
        return jedi.Script(code, path=real, project=self._project(), environment=jedi.InterpreterEnvironment()), real

    def _check_size(self, path: Path) -> None:
        if path.stat().st_size > MOST_BYTES:
            raise ToolProblem(f"{self._workspace.shown(path)} is too large to be understood")

    def _position(self, arguments: Mapping[str, Json]) -> tuple[jedi.Script, int, int]:
        """Jedi's way to say where: lines from 1, columns from 0."""
        script, path = self._script(string(arguments, "path"))
        if "line" not in arguments:
            raise ToolProblem("line is missing: say on which line of the file the symbol stands")
        line, symbol = number(arguments, "line", 1), string(arguments, "symbol")
        lines = path.read_text("utf-8", "replace").split("\n")
        if line > len(lines):
            raise ToolProblem(f"{self._workspace.shown(path)} has only {len(lines)} lines")
        last_name = symbol.rpartition(".")[2]
        hit = regex.search(rf"\b{regex.escape(last_name)}\b", lines[line - 1]) if last_name else None
        if hit is None:
            raise ToolProblem(f"{symbol!r} does not stand on line {line} of {self._workspace.shown(path)}")
        return script, line, hit.start()

    def _rows(self, names: Iterable[BaseName], nothing: str) -> str:
        rows = list(dict.fromkeys(map(self._row, names)))
        if len(rows) > MOST_RESULTS:
            rows[MOST_RESULTS:] = [f"[more than {MOST_RESULTS} results]"]
        return "\n".join(rows) if rows else nothing

    def _row(self, name: BaseName) -> str:
        path = name.module_path
        real = path.resolve() if path is not None else None
        if real is None or name.line is None or not self._workspace.holds(real):
            return f"{name.full_name or name.name}: {_kind(name)} of {name.module_name}, outside the workspace"
        where = f"{self._workspace.shown(real)}:{name.line}:{(name.column or 0) + 1}"
        return f"{where}: {name.get_line_code().strip()}"


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


def _kind(name: BaseName) -> str:
    return "variable" if name.type in ("statement", "instance") else name.type


def _depth(name: BaseName) -> int:
    depth, parent = 0, name.parent()
    while parent is not None and parent.type != "module":
        depth, parent = depth + 1, parent.parent()
    return depth
