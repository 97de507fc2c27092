import os
import threading
from pathlib import Path

import pytest
from tests.tools.builtin.repository import git, make_repository

from callgate.tools.builtin.git import Git
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement

ENVIRON = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("one\n", "utf-8")
    (root / "sub" / "b.txt").write_text("two\n", "utf-8")
    return root


def test_git_answers(root: Path, go_on: threading.Event) -> None:
    make_repository(root)
    assert Git(Confinement(root), ENVIRON).ask("ls-files", stop=go_on) == "a.txt\nsub/b.txt\n"


def test_a_folder_without_repository_is_said_to_be_none(root: Path, go_on: threading.Event) -> None:
    with pytest.raises(ToolProblem, match="is not a git repository"):
        Git(Confinement(root), ENVIRON).ask("status", stop=go_on)


def test_a_machine_without_git_is_said_to_have_none(root: Path, go_on: threading.Event) -> None:
    with pytest.raises(ToolProblem, match="git is not installed"):
        Git(Confinement(root), {"PATH": str(root)}).ask("status", stop=go_on)


def test_a_complaint_of_git_is_passed_on(root: Path, go_on: threading.Event) -> None:
    make_repository(root)
    with pytest.raises(ToolProblem, match=r"git failed: .*no-such-branch"):
        Git(Confinement(root), ENVIRON).ask("log", "no-such-branch", "--", stop=go_on)


def test_variables_that_lead_to_another_repository_are_not_passed_on(
    root: Path, tmp_path: Path, go_on: threading.Event
) -> None:
    make_repository(root)
    asked = Git(Confinement(root), {**ENVIRON, "GIT_DIR": str(tmp_path / "else"), "GIT_WORK_TREE": "/"})
    assert asked.ask("ls-files", stop=go_on) == "a.txt\nsub/b.txt\n"


def test_programs_that_the_repository_names_are_not_run(root: Path, tmp_path: Path, go_on: threading.Event) -> None:
    make_repository(root)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n", "utf-8")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.e=vil.clean",
        "filter.evil.process",
        "gpg.program",
    ):
        git(root, "config", key, str(trap))
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "filter.evil.required", "true")
    (root / ".gitattributes").write_text("a.txt filter=evil diff=evil\nsub/* filter=e=vil\n", "utf-8")
    (root / "a.txt").write_text("changed\n", "utf-8")
    (root / "sub" / "b.txt").write_text("changed\n", "utf-8")
    asked = Git(Confinement(root), ENVIRON)
    assert "a.txt" in asked.ask("status", "--short", stop=go_on)
    assert "+changed" in asked.ask("diff", "--no-ext-diff", "--no-textconv", stop=go_on)
    asked.ask("log", "--no-show-signature", stop=go_on)
    assert not (tmp_path / "sprung").exists()


def test_a_question_is_limited_to_the_workspace(root: Path, go_on: threading.Event) -> None:
    make_repository(root)
    asked = Git(Confinement(root / "sub"), ENVIRON)
    assert asked.pathspec("") == ("--", ".")
    assert asked.ask("ls-files", *asked.pathspec("."), stop=go_on) == "b.txt\n"


def test_a_path_that_looks_like_an_option_or_pattern_is_a_path(root: Path, go_on: threading.Event) -> None:
    (root / "--output=x").write_text("odd\n", "utf-8")
    (root / "*.txt").write_text("odd\n", "utf-8")
    make_repository(root)
    asked = Git(Confinement(root), ENVIRON)
    for path in ("--output=x", "*.txt"):
        assert asked.ask("ls-files", *asked.pathspec(path), stop=go_on) == f"{path}\n"
