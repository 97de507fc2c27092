"""The workspace at a glance: its tree, and what git knows of it. Changes nothing."""

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from callgate.core.messages import Json
from callgate.tools.builtin.definition import chosen, count, define, flag, number, string, text
from callgate.tools.builtin.git import Git
from callgate.tools.builtin.source import BuiltinTool, Stopped
from callgate.tools.builtin.walking import IgnoreRules, entries_of, folder_at
from callgate.tools.confinement import Confinement

MOST_ROWS = 1000
DEFAULT_DEPTH = 3
DEEPEST = 20
DEFAULT_COMMITS = 20
MOST_COMMITS = 200
_TAGS = ("workspace", "read-only")
_GIT_TAGS = ("workspace", "git", "read-only")
_LOG_FORMAT = "--format=%h %ad %an%n    %s"


def workspace_tools(workspace: Confinement, git: Git) -> tuple[BuiltinTool, ...]:
    path = text("Limit it to this file or directory", default=".")
    return (
        define(
            partial(workspace_tree, workspace),
            "workspace_tree",
            "Workspace tree",
            "Show the directories and files of the workspace as an indented tree. What git ignores is left out.",
            {
                "path": text("Directory to begin at, relative to the workspace", default="."),
                "depth": count("How many levels to show", default=DEFAULT_DEPTH, most=DEEPEST),
            },
            tags=_TAGS,
        ),
        define(
            partial(git_status, git),
            "git_status",
            "Git status",
            "Show the branch and the changed, staged and untracked files of the workspace's git repository.",
            {},
            tags=_GIT_TAGS,
        ),
        define(
            partial(git_diff, git),
            "git_diff",
            "Git diff",
            "Show what has been changed in the workspace since the last commit and is not staged, or what is staged.",
            {"path": path, "staged": flag("Show what is staged instead")},
            tags=_GIT_TAGS,
        ),
        define(
            partial(git_log, git),
            "git_log",
            "Git log",
            "List the latest commits that touch the workspace: hash, date, author and subject.",
            {"limit": count("How many commits", default=DEFAULT_COMMITS, most=MOST_COMMITS), "path": path},
            tags=_GIT_TAGS,
        ),
    )


def workspace_tree(workspace: Confinement, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    folder = folder_at(workspace, string(arguments, "path", "."))
    rows = [f"{workspace.shown(folder)}/"]
    depth = number(arguments, "depth", DEFAULT_DEPTH)
    _add_rows(workspace, folder, IgnoreRules.of(workspace, folder), depth, "  ", rows, stop)
    if len(rows) > MOST_ROWS:
        rows[MOST_ROWS:] = [f"[more than {MOST_ROWS} entries: give a path or a smaller depth]"]
    return "\n".join(rows)


def git_status(git: Git, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    return git.ask("status", "--short", "--branch", "--ignore-submodules=dirty", *git.pathspec("."), stop=stop).rstrip()


def git_diff(git: Git, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    staged = chosen(arguments, "staged")
    fixed = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--relative")
    where = git.pathspec(string(arguments, "path", "."))
    changes = git.ask("diff", *fixed, *(("--cached",) if staged else ()), *where, stop=stop)
    return changes or ("Nothing is staged" if staged else "Nothing has been changed that is not staged")


def git_log(git: Git, arguments: Mapping[str, Json], stop: threading.Event) -> str:
    limit = number(arguments, "limit", DEFAULT_COMMITS)
    where = git.pathspec(string(arguments, "path", "."))
    commits = git.ask(
        "log", f"--max-count={limit}", "--date=short", "--no-show-signature", _LOG_FORMAT, *where, stop=stop
    )
    return commits.rstrip() or "No commit touches it"


def _add_rows(
    workspace: Confinement,
    folder: Path,
    rules: IgnoreRules,
    depth: int,
    indent: str,
    rows: list[str],
    stop: threading.Event,
) -> None:
    if stop.is_set():
        raise Stopped
    folders, files = entries_of(workspace, folder, rules)
    for below in folders:
        if len(rows) > MOST_ROWS:
            return
        rows.append(f"{indent}{below.name}/")
        if depth > 1:
            _add_rows(workspace, below, rules.below(workspace, below), depth - 1, indent + "  ", rows, stop)
    rows.extend(f"{indent}{file.name}" for file in files)
