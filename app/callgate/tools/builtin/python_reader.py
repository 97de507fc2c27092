"""Python code of the workspace, understood through jedi: definitions, references, symbols, hover. Runs none of it.

Jedi is loaded with this module: 9 MB that many a program never needs, so `code` asks for it with the first question.
Jedi is not thread-safe: whoever made a `PythonReader` uses it on one thread.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

import jedi
import jedi.settings
import regex
from jedi.api.classes import BaseName

from callgate.core.messages import Json
from callgate.tools.builtin.code import MOST_RESULTS, PYTHON, read_source
from callgate.tools.builtin.definition import number, string
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.walking import file_at
from callgate.tools.confinement import Confinement, OutsideWorkspace

MOST_DOC = 4000


class _WorkspaceProject(jedi.Project):
    def get_environment(self) -> jedi.InterpreterEnvironment:
        """Never an interpreter that lies in the workspace: jedi would start it."""
        return jedi.InterpreterEnvironment()


class PythonReader:
    def __init__(self, workspace: Confinement, cache: Path) -> None:
        """`cache` is where parsed files are kept between calls."""
        self._workspace = workspace
        jedi.settings.cache_directory = str(cache)  # jedi has no other way to be told

    def definitions(self, arguments: Mapping[str, Json]) -> str:
        symbol = string(arguments, "symbol")
        if not string(arguments, "path"):
            found = self._project().search(symbol)
            return self._rows(islice(found, MOST_RESULTS + 1), f"{symbol!r} is not defined in the workspace")
        script, line, column = self._position(arguments)
        names = script.goto(line, column, follow_imports=True, follow_builtin_imports=True)
        return self._rows(names, f"The definition of {symbol!r} was not found")

    def references(self, arguments: Mapping[str, Json]) -> str:
        script, line, column = self._position(arguments)
        names = script.get_references(line, column, include_builtins=False)
        return self._rows(names, f"{string(arguments, 'symbol')!r} is not used")

    def symbols(self, path: str) -> list[str]:
        script, _, _ = self._script(path)
        rows: list[str] = []
        for name in script.get_names(all_scopes=True, definitions=True):
            depth = _depth(name)
            if name.type in ("class", "function") or (depth == 0 and name.type in ("statement", "instance")):
                rows.append(f"{name.line}: {'  ' * depth}{_kind(name)} {name.name}")
        return rows

    def hover(self, arguments: Mapping[str, Json]) -> str:
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

    def _script(self, path: str) -> tuple[jedi.Script, Path, str]:
        real = file_at(self._workspace, path)
        shown = self._workspace.shown(real)
        if real.suffix not in PYTHON:
            raise ToolProblem(f"{shown} is not Python; only Python is understood")
        code = read_source(self._workspace, real)
        script = jedi.Script(code, path=real, project=self._project(), environment=jedi.InterpreterEnvironment())
        return script, real, code

    def _position(self, arguments: Mapping[str, Json]) -> tuple[jedi.Script, int, int]:
        """Jedi's way to say where: lines from 1, columns from 0."""
        script, path, code = self._script(string(arguments, "path"))
        if "line" not in arguments:
            raise ToolProblem("line is missing: say on which line of the file the symbol stands")
        line, symbol = number(arguments, "line", 1), string(arguments, "symbol")
        lines = code.split("\n")
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
        return f"{where}: {self._line(real, name.line)}"

    def _line(self, real: Path, number: int) -> str:
        """A line as it stands in the workspace: jedi opens files by path, where a link may have been put meanwhile."""
        try:
            lines = read_source(self._workspace, real).split("\n")
        except (OSError, OutsideWorkspace, ToolProblem):
            return ""
        return lines[number - 1].strip() if number <= len(lines) else ""


def _kind(name: BaseName) -> str:
    return "variable" if name.type in ("statement", "instance") else name.type


def _depth(name: BaseName) -> int:
    depth, parent = 0, name.parent()
    while parent is not None and parent.type != "module":
        depth, parent = depth + 1, parent.parent()
    return depth
