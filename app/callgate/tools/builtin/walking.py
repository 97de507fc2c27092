"""Walking the workspace as a person sees it: without what git ignores, and never through a link."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pathspec
import regex

from callgate.core.rules.glob import glob_pattern
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace

MOST_RULES = 1024 * 1024
"""Bytes of one ignore file; a longer one is no list of patterns."""
_NEVER_WALKED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"}


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore rules of one folder."""

    folder: Path
    spec: pathspec.PathSpec


class IgnoreRules:
    """Every `.gitignore` from the workspace's root down to a folder; a deeper one has the last word."""

    def __init__(self, rules: tuple[_Rules, ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def of(cls, workspace: Confinement, folder: Path) -> "IgnoreRules":
        rules = cls().below(workspace, workspace.root)
        current = workspace.root
        for step in folder.relative_to(workspace.root).parts:
            current = current / step
            rules = rules.below(workspace, current)
        return rules

    def below(self, workspace: Confinement, folder: Path) -> "IgnoreRules":
        """The rules that hold in a folder: these, and its own."""
        lines: list[str] = []
        for file in (folder / ".git" / "info" / "exclude", folder / ".gitignore"):
            try:
                lines += workspace.read_bytes(file, MOST_RULES).decode("utf-8", "replace").splitlines()
            except (OSError, OutsideWorkspace):
                continue  # there is none, or what is there is no file of the workspace
        if not lines:
            return self
        return IgnoreRules((*self._rules, _Rules(folder, pathspec.PathSpec.from_lines("gitignore", lines))))

    def hide(self, path: Path, *, is_folder: bool) -> bool:
        for rules in reversed(self._rules):
            shown = path.relative_to(rules.folder).as_posix() + ("/" if is_folder else "")
            verdict = rules.spec.check_file(shown).include
            if verdict is not None:
                return verdict
        return False


def entries_of(workspace: Confinement, folder: Path, rules: IgnoreRules) -> tuple[list[Path], list[Path]]:
    """The folders and the files of a folder that are worth showing, each in a stable order."""
    folders: list[Path] = []
    files: list[Path] = []
    try:
        entries = workspace.list_folder(folder)
    except (PermissionError, FileNotFoundError, NotADirectoryError, OutsideWorkspace):
        return [], []  # not readable for the person either, or gone or replaced since its parent was listed
    for entry in entries:
        path = folder / entry.name
        if entry.is_link or entry.name in _NEVER_WALKED or not workspace.holds(path):
            continue
        if entry.is_folder:
            if not rules.hide(path, is_folder=True):
                folders.append(path)
        elif entry.is_file and not rules.hide(path, is_folder=False):
            files.append(path)
    return folders, files


def walk(workspace: Confinement, folder: Path, stop: threading.Event) -> Iterator[Path]:
    """Files under a folder in a stable order; a folder's own files come before those below it."""
    pending = [(folder, IgnoreRules.of(workspace, folder))]
    while pending:
        current, rules = pending.pop()
        if stop.is_set():
            raise Stopped
        folders, files = entries_of(workspace, current, rules)
        yield from files
        pending.extend((below, rules.below(workspace, below)) for below in reversed(folders))


def path_filter(pattern: str) -> Callable[[str], bool]:
    """Whether a shown path fits a glob; one without a slash is matched against the name alone."""
    wanted = regex.compile(glob_pattern(pattern))
    by_name = "/" not in pattern
    return lambda shown: wanted.fullmatch(shown.rpartition("/")[2] if by_name else shown) is not None


def file_at(workspace: Confinement, path: str) -> Path:
    real = workspace.resolve(path)
    if real.is_dir():
        raise ToolProblem(f"{workspace.shown(real)} is a directory, not a file")
    if not real.is_file():
        raise ToolProblem(f"There is no file {path!r} in the workspace")
    return real


def folder_at(workspace: Confinement, path: str) -> Path:
    real = workspace.resolve(path or ".")
    if real.is_file():
        raise ToolProblem(f"{workspace.shown(real)} is a file, not a directory")
    if not real.is_dir():
        raise ToolProblem(f"There is no directory {path!r} in the workspace")
    return real
