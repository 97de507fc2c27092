import os
import threading
from pathlib import Path

import pytest

from callgate.tools.builtin.search_files import (
    LARGEST_FILE,
    LONGEST_LINE,
    MOST_FILES,
    MOST_MATCHES,
    find_files,
    search_text,
    search_tools,
)
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement


@pytest.fixture
def workspace(tmp_path: Path) -> Confinement:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.py").write_text("x = 1  # TODO later\n", "utf-8")
    (tmp_path / "src" / "deep" / "b.py").write_text("y = 2\n", "utf-8")
    (tmp_path / "image.bin").write_bytes(b"\x00\x01TODO")
    (tmp_path / ".gitignore").write_text("ignored/\n*.log\n", "utf-8")
    (tmp_path / "ignored").mkdir()
    (tmp_path / "ignored" / "c.py").write_text("TODO hidden\n", "utf-8")
    (tmp_path / "run.log").write_text("TODO hidden\n", "utf-8")
    os.symlink("/etc", tmp_path / "src" / "etc")
    return Confinement(tmp_path)


def test_files_are_found_by_glob_without_what_git_ignores(workspace: Confinement, go_on: threading.Event) -> None:
    assert find_files(workspace, {"pattern": "*.py"}, go_on).splitlines() == ["src/a.py", "src/deep/b.py"]
    assert find_files(workspace, {"pattern": "src/**/b.*"}, go_on) == "src/deep/b.py"
    assert find_files(workspace, {"pattern": "*.rs"}, go_on) == "No file fits '*.rs'"


def test_text_is_searched_without_binary_and_ignored_files(workspace: Confinement, go_on: threading.Event) -> None:
    assert search_text(workspace, {"query": "todo"}, go_on) == "src/a.py:1: x = 1  # TODO later"
    assert search_text(workspace, {"query": "todo", "case_sensitive": True}, go_on) == "No match for 'todo'"
    assert (
        search_text(workspace, {"query": r"[xy] = \d$", "regex": True, "include": "b.py"}, go_on)
        == "src/deep/b.py:1: y = 2"
    )
    with pytest.raises(ToolProblem, match="not a regular expression"):
        search_text(workspace, {"query": "(", "regex": True}, go_on)


def test_line_numbers_are_those_of_an_editor(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "odd.txt").write_bytes("one\x0c\u2028still one\r\nneedle\r\n".encode())
    assert search_text(workspace, {"query": "needle"}, go_on) == "odd.txt:2: needle"


def test_too_many_results_are_cut_and_say_so(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "many").mkdir()
    for number in range(MOST_FILES + 1):
        (workspace.root / "many" / f"{number}.txt").write_text("hit\n", "utf-8")
    assert find_files(workspace, {"pattern": "*.txt"}, go_on).splitlines()[-1].startswith("[more than")
    found = search_text(workspace, {"query": "hit"}, go_on).splitlines()
    assert len(found) == MOST_MATCHES + 1 and found[-1].startswith("[more than")


def test_a_match_keeps_its_indentation_and_is_seen_in_a_very_long_line(
    workspace: Confinement, go_on: threading.Event
) -> None:
    (workspace.root / "code.txt").write_text("if a:\n    needle()\n", "utf-8")
    assert search_text(workspace, {"query": "needle", "include": "code.txt"}, go_on) == "code.txt:2:     needle()"
    (workspace.root / "packed.js").write_text("x" * 5000 + "needle" + "y" * 5000, "utf-8")
    found = search_text(workspace, {"query": "needle", "include": "packed.js"}, go_on)
    assert "xneedley" in found and len(found) < LONGEST_LINE + 30


def test_a_huge_file_is_passed_over_and_that_is_said(workspace: Confinement, go_on: threading.Event) -> None:
    with (workspace.root / "data.txt").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    told = search_text(workspace, {"query": "todo"}, go_on).splitlines()
    assert told == ["src/a.py:1: x = 1  # TODO later", "[1 file was not searched, being larger than 32 MB]"]


def test_a_pattern_that_explodes_is_stopped(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "a.txt").write_text("a" * 5000 + "b\n", "utf-8")
    with pytest.raises(ToolProblem, match="takes too long"):
        search_text(workspace, {"query": "(a|aa)+$", "regex": True, "include": "a.txt"}, go_on)


def test_links_out_of_the_workspace_are_not_followed(workspace: Confinement, go_on: threading.Event) -> None:
    assert find_files(workspace, {"pattern": "passwd"}, go_on) == "No file fits 'passwd'"


def test_a_search_stops_when_it_is_asked_to(workspace: Confinement) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        search_text(workspace, {"query": "x"}, stop)


def test_every_search_tool_says_that_it_only_reads(workspace: Confinement) -> None:
    assert all(entry.tool.annotations.read_only for entry in search_tools(workspace))
