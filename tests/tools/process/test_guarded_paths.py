"""Guarded files of a workspace: found, opened without following links, compared."""

import os
from pathlib import Path

import pytest

from callgate.core.rules.guarded_files import GuardedFiles
from callgate.tools.confinement import Confinement
from callgate.tools.process import guarded_paths
from callgate.tools.process.bubblewrap import Protected
from callgate.tools.process.guarded_paths import GuardedPaths

NONE: frozenset[str] = frozenset()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / ".opencode" / "work"  # a workspace in a guarded folder is an ordinary one
    for folder in (
        ".git/hooks",
        ".git/objects/ab",
        ".vscode",
        "lib/.git/modules/x/hooks",
        "src",
        "node_modules/.vscode",
    ):
        (root / folder).mkdir(parents=True)
    for file in (
        *(".git/config", ".git/HEAD", ".git/hooks/pre-commit", ".vscode/settings.json", ".vscode/other.json"),
        *("lib/.git/modules/x/config", "lib/.git/modules/x/hooks/post-merge", "app.code-workspace", "opencode.json"),
        *("src/main.py", "node_modules/.vscode/settings.json", "callgate.toml"),
    ):
        (root / file).write_text("x", "utf-8")
    (root / ".mcp.json").symlink_to(tmp_path / "elsewhere")
    return root


@pytest.fixture
def paths(root: Path) -> GuardedPaths:
    return GuardedPaths(Confinement(root), GuardedFiles())


def close(opened: list[Protected]) -> dict[str, bool]:
    for one in opened:
        os.close(one.descriptor)
    return {one.path.as_posix(): one.writable for one in opened}


def test_what_the_table_guards_is_found_wherever_it_lies(paths: GuardedPaths) -> None:
    found = paths.find()
    assert sorted(found.whole) == [
        ".git/config",
        ".git/hooks",
        ".vscode/settings.json",
        "app.code-workspace",
        "callgate.toml",
        "lib/.git/modules/x/config",
        "lib/.git/modules/x/hooks",
        "opencode.json",
    ]
    assert {".git/hooks/pre-commit", "lib/.git/modules/x/hooks/post-merge", ".mcp.json"} <= set(found.files)
    assert not {".git/HEAD", ".vscode/other.json", "src/main.py"} & set(found.files) and found.is_complete


def test_hidden_folders_above_are_held_but_ordinary_ones_are_left(paths: GuardedPaths, root: Path) -> None:
    opened = close(paths.protect(paths.find(), NONE))
    writable = {path.removeprefix(f"{root.as_posix()}/") for path, is_writable in opened.items() if is_writable}
    assert writable == {".git", ".vscode", "lib/.git", "lib/.git/modules", "lib/.git/modules/x"}
    assert list(opened)[: len(writable)] == [f"{root.as_posix()}/{path}" for path in sorted(writable)], "upper first"


def test_what_has_become_a_link_is_not_opened(paths: GuardedPaths, root: Path, tmp_path: Path) -> None:
    found = paths.find()
    (root / ".git").rename(tmp_path / "away")
    (root / ".git").symlink_to(tmp_path / "away")
    opened = paths.protect(found, NONE)
    for one in opened:
        assert not str(Path(f"/proc/self/fd/{one.descriptor}").readlink()).startswith(str(tmp_path / "away")), one.path
    assert f"{root}/.git/hooks" not in close(opened)


def test_what_the_call_names_is_left_open(paths: GuardedPaths, root: Path) -> None:
    named = paths.named(
        (".git/hooks/pre-commit", "../x", "src/main.py", "a\0b", str(root / ".vscode/tasks.json")), root
    )
    assert named == {".git/hooks/pre-commit", ".vscode/tasks.json"}
    assert paths.named(("hooks/new",), root / ".git") == {".git/hooks/new"}
    opened = close(paths.protect(paths.find(), named))
    assert f"{root}/.git/hooks" not in opened and f"{root}/.git/config" in opened


def test_changes_are_told_with_their_reason(paths: GuardedPaths, root: Path) -> None:
    before = paths.find()
    assert paths.changes(before, NONE, NONE) == ()
    (root / ".vscode" / "tasks.json").write_text("{}", "utf-8")
    (root / ".git" / "hooks" / "pre-commit").write_text("evil", "utf-8")
    (root / "opencode.json").unlink()
    (root / "src" / "main.py").write_text("ordinary", "utf-8")
    told = paths.changes(before, NONE, NONE)
    assert [row.partition(":")[0] for row in told] == [
        ".git/hooks/pre-commit was changed",
        ".vscode/tasks.json was created",
        "opencode.json was removed",
    ]
    assert told[0].endswith("Git runs programs that it names")
    rest = paths.changes(before, frozenset({".git/hooks"}), frozenset({"opencode.json"}))
    assert [row.partition(":")[0] for row in rest] == [".vscode/tasks.json was created"]


def test_many_changes_are_summed_up(paths: GuardedPaths, root: Path) -> None:
    before = paths.find()
    for number in range(30):
        (root / ".git" / "hooks" / f"h{number}").touch()
    told = paths.changes(before, NONE, NONE)
    assert len(told) == guarded_paths.MOST_TOLD + 1 and told[-1] == "and 20 more"


def test_a_workspace_too_large_to_be_seen_whole_tells_nothing_wrong(
    paths: GuardedPaths, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_paths, "MOST_FOLDERS", 3)
    before = paths.find()
    assert not before.is_complete
    for number in range(20):
        (root / f"a{number}").mkdir()
    assert paths.changes(before, NONE, NONE) == ()
    (root / "opencode.json").unlink()
    assert len(paths.changes(before, NONE, NONE)) == 1, "the upper folders are compared all the same"
