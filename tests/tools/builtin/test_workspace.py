import os
import threading
from pathlib import Path

import pytest
from tests.tools.builtin.repository import git, make_repository

from callgate.tools.builtin.git import Git
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.builtin.workspace import MOST_ROWS, git_diff, git_log, git_status, workspace_tools, workspace_tree
from callgate.tools.confinement import Confinement, OutsideWorkspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "src" / "deep" / "deeper").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n", "utf-8")
    (root / "src" / "deep" / "deeper" / "b.py").write_text("y = 2\n", "utf-8")
    (root / "README.md").write_text("# Grüße\n", "utf-8")
    (root / ".gitignore").write_text("build/\n", "utf-8")
    (root / "build").mkdir()
    return root


@pytest.fixture
def asked(root: Path) -> Git:
    make_repository(root)
    return Git(Confinement(root), {"PATH": os.environ["PATH"], "HOME": "/nonexistent"})


def test_the_tree_shows_folders_first_to_the_asked_depth(root: Path, go_on: threading.Event) -> None:
    workspace = Confinement(root)
    assert workspace_tree(workspace, {"depth": 2}, go_on).splitlines() == [
        "./",
        "  src/",
        "    deep/",
        "    a.py",
        "  .gitignore",
        "  README.md",
    ]
    assert workspace_tree(workspace, {"path": "src/deep"}, go_on).splitlines() == [
        "src/deep/",
        "  deeper/",
        "    b.py",
    ]


def test_a_tree_that_is_too_large_is_cut(root: Path, go_on: threading.Event) -> None:
    for number in range(MOST_ROWS + 10):
        (root / f"{number}.txt").touch()
    rows = workspace_tree(Confinement(root), {}, go_on).splitlines()
    assert len(rows) == MOST_ROWS + 1 and rows[-1].startswith("[more than")


def test_a_tree_stops_when_it_is_asked_to(root: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        workspace_tree(Confinement(root), {}, stop)


def test_status_names_the_branch_and_what_has_changed(root: Path, asked: Git, go_on: threading.Event) -> None:
    assert git_status(asked, {}, go_on) == "## main"
    (root / "README.md").write_text("new\n", "utf-8")
    (root / "größe.txt").touch()
    assert git_status(asked, {}, go_on).splitlines() == ["## main", " M README.md", "?? größe.txt"]


def test_a_diff_shows_what_is_staged_or_not(root: Path, asked: Git, go_on: threading.Event) -> None:
    assert git_diff(asked, {}, go_on) == "Nothing has been changed that is not staged"
    assert git_diff(asked, {"staged": True}, go_on) == "Nothing is staged"
    (root / "README.md").write_text("new\n", "utf-8")
    (root / "src" / "a.py").write_text("x = 2\n", "utf-8")
    git(root, "add", "README.md")
    assert "+x = 2" in git_diff(asked, {}, go_on) and "README" not in git_diff(asked, {}, go_on)
    assert "-# Grüße\n+new" in git_diff(asked, {"staged": True}, go_on)
    assert git_diff(asked, {"path": "README.md"}, go_on).startswith("Nothing")
    with pytest.raises(OutsideWorkspace):
        git_diff(asked, {"path": "../x"}, go_on)


def test_the_log_lists_commits_of_a_path(root: Path, asked: Git, go_on: threading.Event) -> None:
    (root / "src" / "a.py").write_text("x = 2\n", "utf-8")
    git(root, "commit", "--all", "--message=second words")
    log = git_log(asked, {}, go_on)
    assert [line.strip() for line in log.splitlines()[1::2]] == ["second words", "first words"]
    assert "2026-01-02 Ada" in log
    assert "second" not in git_log(asked, {"path": "README.md"}, go_on)
    assert "first" not in git_log(asked, {"limit": 1}, go_on)
    assert git_log(asked, {"path": "nothing"}, go_on) == "No commit touches it"


def test_a_repository_without_commits_is_explained(root: Path, go_on: threading.Event) -> None:
    git(root, "init", "--initial-branch=main")
    asked = Git(Confinement(root), {"PATH": os.environ["PATH"]})
    with pytest.raises(ToolProblem, match="no commits yet"):
        git_log(asked, {}, go_on)
    assert "README.md" in git_status(asked, {}, go_on)


def test_every_tool_says_that_it_only_reads(root: Path) -> None:
    workspace = Confinement(root)
    entries = workspace_tools(workspace, Git(workspace))
    assert [entry.tool.name for entry in entries] == ["workspace_tree", "git_status", "git_diff", "git_log"]
    assert all(entry.tool.annotations.read_only for entry in entries)
