import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from callgate.core.messages import Json
from callgate.tools.builtin import code as code_module
from callgate.tools.builtin.code import CodeReader, code_tools
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace
from callgate.tools.source import CallContext

CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)
SHAPES = '''"""Shapes."""
import json

SIDES = 4


class Square:
    """A square."""

    def area(self, side: int) -> int:
        """Its area."""
        return side * side


def total() -> int:
    return Square().area(SIDES)
'''
USER = """from shapes import Square

def größe():
    return Square().area(2)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (root / "shapes.py").write_text(SHAPES, "utf-8")
    (root / "user.py").write_text(USER, "utf-8")
    return root


def ask(root: Path, tool: str, arguments: Mapping[str, Json]) -> str:
    async def run() -> str:
        reader = CodeReader(Confinement(root), root.parent / "cache")
        try:
            return await getattr(reader, tool)(arguments, CONTEXT)
        finally:
            await reader.close()

    return asyncio.run(run())


def test_a_definition_is_found_across_files(root: Path) -> None:
    where = {"path": "user.py", "line": 4, "symbol": "Square"}
    assert ask(root, "find_definition", where) == "shapes.py:7:7: class Square:"
    method = {"path": "user.py", "line": 4, "symbol": "Square.area"}
    assert ask(root, "find_definition", method) == "shapes.py:10:9: def area(self, side: int) -> int:"


def test_a_definition_is_found_by_its_name_alone(root: Path) -> None:
    assert ask(root, "find_definition", {"symbol": "größe"}) == "user.py:3:5: def größe():"
    assert ask(root, "find_definition", {"symbol": "absent"}) == "'absent' is not defined in the workspace"


def test_what_lies_outside_is_named_by_its_module_only(root: Path) -> None:
    (root / "outer.py").write_text("import json\njson.dumps({})\n", "utf-8")
    said = ask(root, "find_definition", {"path": "outer.py", "line": 2, "symbol": "dumps"})
    assert said == "json.dumps: function of json, outside the workspace"


def test_references_are_found_in_all_files(root: Path) -> None:
    said = ask(root, "find_references", {"path": "shapes.py", "line": 7, "symbol": "Square"})
    assert [row.partition(": ")[0] for row in said.splitlines()] == [
        "shapes.py:7:7",
        "shapes.py:16:12",
        "user.py:1:20",
        "user.py:4:12",
    ]


def test_symbols_are_listed_with_their_lines(root: Path) -> None:
    assert ask(root, "list_symbols", {"path": "shapes.py"}).splitlines() == [
        "4: variable SIDES",
        "7: class Square",
        "10:   function area",
        "15: function total",
    ]
    (root / "empty.py").touch()
    assert ask(root, "list_symbols", {"path": "empty.py"}) == "empty.py defines nothing"


def test_hover_shows_signature_and_documentation(root: Path) -> None:
    said = ask(root, "hover", {"path": "user.py", "line": 4, "symbol": "area"})
    assert said == "function shapes.Square.area\narea(side: int) -> int\n\nIts area."


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": "user.py", "line": 99, "symbol": "x"}, "has only 5 lines"),
        ({"path": "user.py", "line": 1, "symbol": "area"}, "'area' does not stand on line 1"),
        ({"path": "user.py", "line": 1, "symbol": ""}, "does not stand on line 1"),
        ({"path": "user.py", "symbol": "Square"}, "line is missing"),
        ({"path": "notes.txt", "line": 1, "symbol": "x"}, "is not Python"),
        ({"path": "absent.py", "line": 1, "symbol": "x"}, "no file 'absent.py'"),
    ],
)
def test_what_cannot_be_asked_is_explained(root: Path, arguments: dict, says: str) -> None:
    (root / "notes.txt").touch()
    with pytest.raises(ToolProblem, match=says):
        ask(root, "find_definition", arguments)


def test_code_outside_is_not_read(root: Path) -> None:
    with pytest.raises(OutsideWorkspace):
        ask(root, "list_symbols", {"path": "../x.py"})


def test_no_code_of_the_workspace_is_run(root: Path) -> None:
    trap = f"import pathlib\npathlib.Path({str(root.parent)!r}, 'sprung').touch()\n"
    (root / "trap.py").write_text(trap + "value = 1\n", "utf-8")
    (root / "conftest.py").write_text(trap, "utf-8")
    (root / "sitecustomize.py").write_text(trap, "utf-8")
    (root / "caller.py").write_text("import trap\nprint(trap.value)\n", "utf-8")
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\ntouch {root.parent}/sprung\n", "utf-8")
    python.chmod(0o755)
    assert "trap.py:3" in ask(root, "find_definition", {"path": "caller.py", "line": 2, "symbol": "value"})
    ask(root, "hover", {"path": "caller.py", "line": 2, "symbol": "value"})
    ask(root, "find_definition", {"symbol": "value"})
    assert not (root.parent / "sprung").exists()


def test_a_question_that_takes_too_long_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_module, "CODE_SECONDS", 0.05)
    released = threading.Event()

    def slow(self: CodeReader, arguments: Mapping[str, Json]) -> str:
        released.wait(5)
        return ""

    monkeypatch.setattr(CodeReader, "_symbols", slow)
    with pytest.raises(ToolProblem, match="use search_text instead"):
        ask(root, "list_symbols", {"path": "shapes.py"})
    released.set()


def test_every_tool_says_that_it_only_reads(root: Path) -> None:
    entries = code_tools(CodeReader(Confinement(root), root.parent / "cache"))
    assert [entry.tool.name for entry in entries] == ["find_definition", "find_references", "list_symbols", "hover"]
    assert all(entry.tool.annotations.read_only for entry in entries)
