import threading
import warnings
from pathlib import Path

import pytest

from callgate.tools.builtin import diagnostics as diagnostics_module
from callgate.tools.builtin.diagnostics import (
    MOST_FOUND,
    Diagnostics,
    check_json,
    check_python,
    check_toml,
    diagnostic_tools,
)
from callgate.tools.builtin.executables import find_executable
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace


@pytest.fixture
def checks(workspace: Confinement) -> Diagnostics:
    return Diagnostics(workspace)


@pytest.fixture
def no_ruff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics_module, "find_executable", lambda *_: None)


def rows(found: list) -> list[str]:
    return [str(finding) for finding in found]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"x = 1\n", []),
        (b"def f(:\n", ["f.py:1:7 SyntaxError: invalid syntax"]),
        (b"x = 1\n  y = 2\n", ["f.py:2:2 SyntaxError: unexpected indent"]),
        (b"return 1\n", ["f.py:1:1 SyntaxError: 'return' outside function"]),
        (b"x = 1 is 1\n", ['f.py:1:1 SyntaxWarning: "is" with a literal. Did you mean "=="?']),
    ],
)
def test_mistakes_in_python_are_found(source: bytes, says: list[str]) -> None:
    assert rows(check_python("f.py", source)) == says


def test_python_with_a_null_byte_is_a_finding() -> None:
    (row,) = rows(check_python("f.py", b"x\x00y"))
    assert row.startswith("f.py:1:1 ") and row.endswith("cannot contain null bytes")  # its kind differs by version


def test_python_that_is_nested_without_end_is_a_finding_and_no_crash() -> None:
    assert len(check_python("f.py", b"(" * 5000 + b")" * 5000)) == 1
    assert len(check_python("f.py", b"x = " + b"-" * 200_000 + b"1")) == 1


def test_checking_leaves_warnings_as_they_were() -> None:
    before = list(warnings.filters)
    check_python("f.py", b"'\\d'\n")
    assert list(warnings.filters) == before


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b'{"a": [1, 2]}', []),
        (b'\xef\xbb\xbf{"a": 1}', []),
        (b'{"a": 1,\n "b" 2}', ["f.json:2:6 JSON: Expecting ':' delimiter"]),
        (b"", ["f.json:1:1 JSON: Expecting value"]),
        (b'"\n\xff"', ["f.json:2:1 not UTF-8"]),
        (b"[" * 100_000, ["f.json:1:1 JSON: nested too deeply"]),
    ],
)
def test_mistakes_in_json_are_found(source: bytes, says: list[str]) -> None:
    assert rows(check_json("f.json", source)) == says


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"a = 1\n", []),
        (b"a = 1\nb = \n", ["f.toml:2:5 TOML: Invalid value"]),
        (b"a = 1\na = 2\n", ["f.toml:2:6 TOML: Cannot overwrite a value"]),
        (b"[a\n", ["f.toml:1:3 TOML: Expected ']' at the end of a table declaration"]),
        (b'a = "', ["f.toml:1:1 TOML: Unterminated string (at end of document)"]),
        (b"a = '\xff'", ["f.toml:1:1 not UTF-8"]),
    ],
)
def test_mistakes_in_toml_are_found(source: bytes, says: list[str]) -> None:
    assert rows(check_toml("f.toml", source)) == says


def test_a_file_is_checked_by_its_kind(checks: Diagnostics, workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "good.py").write_text("x = 1\n", "utf-8")
    (workspace.root / "größe.json").write_text("{", "utf-8")
    assert checks.check_file({"path": "good.py"}, go_on) == "No problem was found in good.py"
    assert checks.check_file({"path": "größe.json"}, go_on).startswith("größe.json:1:2 JSON:")
    with pytest.raises(ToolProblem, match="only Python, JSON and TOML"):
        checks.check_file({"path": "file.txt"}, go_on)
    with pytest.raises(OutsideWorkspace):
        checks.check_file({"path": "up/x.py"}, go_on)


def test_nothing_is_run_while_checking(checks: Diagnostics, workspace: Confinement, go_on: threading.Event) -> None:
    trap = f"import pathlib\npathlib.Path({str(workspace.root)!r}, 'sprung').touch()\n"
    (workspace.root / "trap.py").write_text(trap, "utf-8")
    checks.check_workspace({}, go_on)
    assert not (workspace.root / "sprung").exists()


def test_the_workspace_is_checked_without_what_is_ignored(
    checks: Diagnostics, workspace: Confinement, go_on: threading.Event, no_ruff: None
) -> None:
    root = workspace.root
    assert checks.check_workspace({}, go_on) == "No problem was found in 0 files"
    (root / ".gitignore").write_text("ignored.py\n", "utf-8")
    (root / ".vscode").mkdir()
    (root / ".vscode" / "settings.json").write_text("{ // a comment\n}", "utf-8")
    for name in ("ignored.py", "sub/b.py", "a.py"):
        (root / name).write_text("def (\n", "utf-8")
    assert [row.partition(" ")[0] for row in checks.check_workspace({}, go_on).splitlines()] == [
        "a.py:1:5",
        "sub/b.py:1:5",
    ]
    assert checks.check_workspace({"path": "sub"}, go_on).startswith("sub/b.py:1:5 ")


def test_too_many_problems_are_cut(
    checks: Diagnostics, workspace: Confinement, go_on: threading.Event, no_ruff: None
) -> None:
    for number in range(MOST_FOUND + 5):
        (workspace.root / f"{number}.json").write_text("{", "utf-8")
    lines = checks.check_workspace({}, go_on).splitlines()
    assert len(lines) == MOST_FOUND + 2 and lines[-2].startswith("[more than") and "stopped after" in lines[-1]


def test_ruff_is_asked_where_it_is_installed(
    checks: Diagnostics, workspace: Confinement, go_on: threading.Event
) -> None:
    if (
        find_executable("ruff", workspace) is None
        and not (Path(diagnostics_module.sys.executable).with_name("ruff")).exists()
    ):
        pytest.skip("ruff is not installed here")
    (workspace.root / "a.py").write_text("import os\n", "utf-8")
    (workspace.root / "broken.py").write_text("def (\n", "utf-8")
    assert checks.check_file({"path": "a.py"}, go_on) == "a.py:1:8 F401 `os` imported but unused"
    assert [row.partition(" ")[0] for row in checks.check_workspace({}, go_on).splitlines()] == [
        "a.py:1:8",
        "broken.py:1:5",
    ]
    assert (workspace.root / "a.py").read_text("utf-8") == "import os\n"
    (workspace.root / "ruff.toml").write_text("line-length = 'x'\n", "utf-8")
    with pytest.raises(ToolProblem, match="ruff failed"):
        checks.check_file({"path": "a.py"}, go_on)


def test_without_ruff_syntax_is_still_checked(
    checks: Diagnostics, workspace: Confinement, go_on: threading.Event, no_ruff: None
) -> None:
    (workspace.root / "a.py").write_text("import os\n", "utf-8")
    assert checks.check_file({"path": "a.py"}, go_on) == "No problem was found in a.py"


def test_every_tool_says_that_it_only_reads(checks: Diagnostics) -> None:
    entries = diagnostic_tools(checks)
    assert [entry.tool.name for entry in entries] == ["check_file", "check_workspace"]
    assert all(entry.tool.annotations.read_only for entry in entries)
