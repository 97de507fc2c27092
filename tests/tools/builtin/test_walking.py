import threading
from pathlib import Path

import pytest

from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.walking import file_at, folder_at, path_filter, walk
from callgate.tools.confinement import Confinement


def shown(workspace: Confinement, folder: Path, go_on: threading.Event) -> list[str]:
    return [workspace.shown(path) for path in walk(workspace, folder, go_on)]


def test_a_deeper_ignore_file_has_the_last_word(workspace: Confinement, go_on: threading.Event) -> None:
    root = workspace.root
    (root / ".gitignore").write_text("*.log\n", "utf-8")
    (root / "sub" / ".gitignore").write_text("!keep.log\n/only-here.txt\n", "utf-8")
    for name in ("a.log", "sub/b.log", "sub/keep.log", "sub/only-here.txt", "only-here.txt"):
        (root / name).touch()
    assert shown(workspace, root, go_on) == [
        ".gitignore",
        "file.txt",
        "only-here.txt",
        "sub/.gitignore",
        "sub/keep.log",
    ]


def test_rules_above_hold_when_the_walk_begins_below(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / ".gitignore").write_text("sub/*.log\n", "utf-8")
    (workspace.root / "sub" / "a.log").touch()
    (workspace.root / "sub" / "a.txt").touch()
    assert shown(workspace, workspace.root / "sub", go_on) == ["sub/a.txt"]


def test_what_only_this_clone_ignores_is_ignored_too(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / ".git" / "info").mkdir(parents=True)
    (workspace.root / ".git" / "info" / "exclude").write_text("file.txt\n", "utf-8")
    assert shown(workspace, workspace.root, go_on) == []


def test_what_is_closed_off_is_not_walked(tmp_path: Path, go_on: threading.Event) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "rules.toml").touch()
    (tmp_path / "other.txt").touch()
    workspace = Confinement(tmp_path, closed=[tmp_path / "own"])
    assert shown(workspace, tmp_path, go_on) == ["other.txt"]


def test_a_glob_without_a_slash_is_matched_against_the_name() -> None:
    assert path_filter("*.py")("src/deep/a.py")
    assert not path_filter("src/*.py")("src/deep/a.py")


def test_files_and_folders_are_told_apart(workspace: Confinement) -> None:
    with pytest.raises(ToolProblem, match="is a directory"):
        file_at(workspace, "sub")
    with pytest.raises(ToolProblem, match="is a file"):
        folder_at(workspace, "file.txt")
    with pytest.raises(ToolProblem, match="no directory 'x'"):
        folder_at(workspace, "x")
