import os
import threading
from pathlib import Path

import pytest

from callgate.tools.builtin import files
from callgate.tools.builtin.files import file_tools, find_files, list_directory, read_file, search_text
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace

GO_ON = threading.Event()


@pytest.fixture
def workspace(tmp_path: Path) -> Confinement:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Title\nsecond\nthird\n", "utf-8")
    (tmp_path / "src" / "a.py").write_text("x = 1  # TODO later\n", "utf-8")
    (tmp_path / "src" / "deep" / "b.py").write_text("y = 2\n", "utf-8")
    (tmp_path / "image.bin").write_bytes(b"\x00\x01TODO")
    (tmp_path / ".gitignore").write_text("ignored/\n*.log\n", "utf-8")
    (tmp_path / "ignored").mkdir()
    (tmp_path / "ignored" / "c.py").write_text("TODO hidden\n", "utf-8")
    (tmp_path / "run.log").write_text("TODO hidden\n", "utf-8")
    os.symlink("/etc", tmp_path / "src" / "etc")
    return Confinement(tmp_path)


def test_a_file_is_read_whole_or_by_lines(workspace: Confinement) -> None:
    assert read_file(workspace, {"path": "README.md"}, GO_ON) == "# Title\nsecond\nthird\n"
    assert read_file(workspace, {"path": "README.md", "start_line": 2, "end_line": 2}, GO_ON) == "second\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": "missing.txt"}, "no file 'missing.txt'"),
        ({"path": "src"}, "is a directory"),
        ({"path": "image.bin"}, "binary file"),
        ({"path": "README.md", "start_line": 9}, "only 3 lines"),
        ({"path": "README.md", "start_line": 3, "end_line": 2}, "comes before"),
    ],
)
def test_what_cannot_be_read_is_explained(workspace: Confinement, arguments: dict, says: str) -> None:
    with pytest.raises(ToolProblem, match=says):
        read_file(workspace, arguments, GO_ON)


def test_a_long_file_is_cut_and_says_so(workspace: Confinement) -> None:
    (workspace.root / "long.txt").write_text("line\n" * 100_000, "utf-8")
    text = read_file(workspace, {"path": "long.txt"}, GO_ON)
    assert len(text) < files.MOST_BYTES + 200 and "read on with start_line" in text
    assert read_file(workspace, {"path": "long.txt", "start_line": 99_999}, GO_ON) == "line\nline\n"


def test_a_directory_lists_folders_first(workspace: Confinement) -> None:
    assert list_directory(workspace, {}, GO_ON).splitlines() == [
        "ignored/",
        "src/",
        ".gitignore",
        "image.bin",
        "README.md",
        "run.log",
    ]
    with pytest.raises(ToolProblem, match="is a file"):
        list_directory(workspace, {"path": "README.md"}, GO_ON)


def test_files_are_found_by_glob_without_what_git_ignores(workspace: Confinement) -> None:
    assert find_files(workspace, {"pattern": "*.py"}, GO_ON).splitlines() == ["src/a.py", "src/deep/b.py"]
    assert find_files(workspace, {"pattern": "src/**/b.*"}, GO_ON) == "src/deep/b.py"
    assert find_files(workspace, {"pattern": "*.rs"}, GO_ON) == "No file fits '*.rs'"


def test_text_is_searched_without_binary_and_ignored_files(workspace: Confinement) -> None:
    assert search_text(workspace, {"query": "todo"}, GO_ON) == "src/a.py:1: x = 1  # TODO later"
    assert search_text(workspace, {"query": "todo", "case_sensitive": True}, GO_ON) == "No match for 'todo'"
    assert (
        search_text(workspace, {"query": r"[xy] = \d", "regex": True, "include": "b.py"}, GO_ON)
        == "src/deep/b.py:1: y = 2"
    )
    with pytest.raises(ToolProblem, match="not a regular expression"):
        search_text(workspace, {"query": "(", "regex": True}, GO_ON)


def test_links_out_of_the_workspace_are_not_followed(workspace: Confinement) -> None:
    assert "etc" not in find_files(workspace, {"pattern": "passwd"}, GO_ON)
    with pytest.raises(OutsideWorkspace):
        read_file(workspace, {"path": "src/etc/passwd"}, GO_ON)


def test_a_search_stops_when_it_is_asked_to(workspace: Confinement) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        search_text(workspace, {"query": "x"}, stop)


def test_every_file_tool_says_that_it_only_reads(workspace: Confinement) -> None:
    assert all(entry.tool.annotations.read_only for entry in file_tools(workspace))
