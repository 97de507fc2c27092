import sys
import threading
from pathlib import Path

import pytest

from callgate.tools.builtin.executables import find_executable, run_fixed
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement

PYTHON = (sys.executable, "-I", "-c")


def test_output_errors_and_code_come_back(tmp_path: Path, go_on: threading.Event) -> None:
    code = "import os,sys; print(os.getcwd(), sorted(os.environ)); print('bad', file=sys.stderr); sys.exit(3)"
    answer = run_fixed((*PYTHON, code), tmp_path, {"LC_CTYPE": "C.UTF-8"}, seconds=5, most_bytes=1000, stop=go_on)
    assert answer.output == f"{tmp_path} ['LC_CTYPE']\n"
    assert (answer.code, answer.errors, answer.is_cut) == (3, "bad\n", False)


def test_a_long_output_is_cut(tmp_path: Path, go_on: threading.Event) -> None:
    answer = run_fixed((*PYTHON, "print('x' * 10**6)"), tmp_path, {}, seconds=5, most_bytes=10, stop=go_on)
    assert answer.output == "x" * 10 and answer.is_cut


def test_a_program_that_hangs_is_ended(tmp_path: Path, go_on: threading.Event) -> None:
    code = "import time; time.sleep(60)"
    with pytest.raises(ToolProblem, match="took too long"):
        run_fixed((*PYTHON, code), tmp_path, {}, seconds=0.2, most_bytes=10, stop=go_on)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        run_fixed((*PYTHON, code), tmp_path, {}, seconds=5, most_bytes=10, stop=stop)


def test_a_program_that_lies_in_the_workspace_is_not_taken(workspace: Confinement, tmp_path: Path) -> None:
    for folder in (workspace.root / "bin", tmp_path / "bin"):
        folder.mkdir()
        (folder / "thing").write_text("#!/bin/sh\n", "utf-8")
        (folder / "thing").chmod(0o755)
    assert find_executable("thing", workspace, str(workspace.root / "bin")) is None
    assert find_executable("thing", workspace, str(tmp_path / "bin")) == str(tmp_path / "bin" / "thing")
    assert find_executable("absent", workspace, str(tmp_path / "bin")) is None
