import subprocess
import sys
from pathlib import Path

import pytest

from callgate.tools.builtin.python_reader import PythonReader
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement


def reader(folder: Path) -> PythonReader:
    work = folder / "work"
    work.mkdir()
    (work / "a.py").write_text("def total(x: int) -> int:\n    return x\n\n\ntotal(1)\n", "utf-8")
    (work / "b.txt").write_text("total\n", "utf-8")
    return PythonReader(Confinement(work), folder / "cache")


def test_a_symbol_leads_to_its_definition_and_to_its_uses(tmp_path: Path) -> None:
    python = reader(tmp_path)
    where = {"path": "a.py", "line": 5, "symbol": "total"}
    assert python.definitions(where) == "a.py:1:5: def total(x: int) -> int:"
    assert python.references(where).splitlines()[-1] == "a.py:5:1: total(1)"
    assert "total(x: int) -> int" in python.hover(where)
    assert python.symbols("a.py") == ["1: function total"]


def test_what_is_not_python_is_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(ToolProblem, match="only Python"):
        reader(tmp_path).symbols("b.txt")


def test_jedi_is_loaded_with_the_first_question_and_not_with_the_program() -> None:
    look = "import sys, callgate.runtime.runtime; print('jedi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == ["False"]
